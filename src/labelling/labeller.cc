#include "copse/labelling/labeller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "copse/error.h"
#include "copse/io/utf8.h"
#include "copse/sequence/sequence_labeller.h"
#include "copse/treebank/head_probability.h"
#include "io/zstd_block.h"
#include "labelling/labelled_tree.h"
#include "treebank/field_text.h"
#include "treebank/misc_probability.h"

namespace copse {
namespace {

constexpr std::string_view kSection = "labeller";
constexpr std::uint32_t kVersion = 1;

}  // namespace

Labeller::Labeller(std::vector<std::string> labels, SequenceModel model)
    : content_(std::make_shared<const Content>(Content{std::move(labels), std::move(model)})) {}

bool Labeller::is_in(const SectionFile& file) { return file.has(kSection); }

void Labeller::add_to(SectionFileWriter& file) const {
  ByteWriter writer;
  writer.u32(kVersion);
  writer.u32(static_cast<std::uint32_t>(labels().size()));
  for (const std::string& label : labels()) writer.text(label);
  model().save(writer);
  file.add(kSection, zstd_compress(writer.bytes()));
}

Labeller Labeller::from_file(const SectionFile& file) {
  if (!is_in(file)) throw DataError(file.path() + ": has no labeller");
  const std::string place = fmt::format("{}, section {}", file.path(), kSection);
  const std::vector<std::byte> bytes = zstd_decompress(file.section(kSection), place);
  ByteReader reader(bytes, place);
  if (reader.u32() != kVersion) reader.fail("is of another version");
  std::vector<std::string> labels;
  for (std::uint32_t count = reader.u32(); count > 0; --count) labels.emplace_back(reader.text());
  SequenceModel model = SequenceModel::load(reader);
  reader.expect_end();
  const bool are_usable = std::all_of(labels.begin(), labels.end(), [](const std::string& label) {
    return !label.empty() && is_field_text(label);
  });
  if (!are_usable || static_cast<std::size_t>(model.labels) != labels.size()) {
    reader.fail("has labels that do not fit");
  }
  return {std::move(labels), std::move(model)};
}

class SentenceLabeller::Implementation {
 public:
  Implementation(const Labeller& labeller, const LabellingSettings& settings)
      : labeller_(labeller), settings_(settings), sequence_(labeller_.model()) {}

  void label(Sentence& sentence) {
    if (sentence.empty()) return;
    if (settings_.probabilities) make_conllu(sentence);
    tree_.assign(sentence, reader_);
    for (int head = 0; head <= tree_.words(); ++head) {
      if (!tree_.modifiers(head).empty()) label_modifiers(head, sentence);
    }
  }

 private:
  void label_modifiers(int head, Sentence& sentence) {
    tree_.observe(head, observations_);
    sequence_.assign(observations_);
    const std::span<const Label> best = sequence_.best();
    for (std::size_t k = 0; k < best.size(); ++k) {
      Token& word = sentence[tree_.modifiers(head)[k]];
      word.set_deprel(labeller_.labels()[best[k]]);
      if (settings_.probabilities) {
        set_misc_probability(word, kLabelProbabilityKey, probability(static_cast<int>(k), best[k]));
      }
    }
  }

  double probability(int position, Label label) {
    const std::span<const Label> candidates = sequence_.candidates(position);
    const auto at = std::find(candidates.begin(), candidates.end(), label) - candidates.begin();
    return sequence_.probabilities(position)[static_cast<std::size_t>(at)];
  }

  Labeller labeller_;
  LabellingSettings settings_;
  SequenceLabeller sequence_;
  WordReader reader_;
  LabelledTree tree_;
  SequenceObservations observations_;
};

SentenceLabeller::SentenceLabeller(const Labeller& labeller, const LabellingSettings& settings)
    : implementation_(std::make_unique<Implementation>(labeller, settings)) {}
SentenceLabeller::~SentenceLabeller() = default;
SentenceLabeller::SentenceLabeller(SentenceLabeller&&) noexcept = default;
SentenceLabeller& SentenceLabeller::operator=(SentenceLabeller&&) noexcept = default;

void SentenceLabeller::label(Sentence& tree) { implementation_->label(tree); }

}  // namespace copse
