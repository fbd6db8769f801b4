#include "labelling/labeller_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "copse/error.h"
#include "io/zstd_block.h"
#include "labelling/labelled_tree.h"
#include "sequence/sequence_labeller.h"
#include "text/utf8.h"
#include "treebank/field_text.h"
#include "treebank/head_probability.h"
#include "treebank/misc_probability.h"

namespace copse {
namespace {

constexpr std::string_view kSection = "labeller";
constexpr std::string_view kRootSection = "labeller/root";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kVersionWithSingleFeats = 2;

}  // namespace

LabellerModel::LabellerModel(std::vector<std::string> labels, RootLabels root, SequenceModel model,
                             bool reads_single_feats) {
  model.candidates.restrict(root, labels.size());
  content_ = std::make_shared<const Content>(
      Content{std::move(labels), std::move(root), std::move(model), reads_single_feats});
}

bool LabellerModel::is_in(const SectionFile& file) { return file.has(kSection); }

void LabellerModel::add_to(SectionFileWriter& file) const {
  ByteWriter writer;
  writer.u32(reads_single_feats() ? kVersionWithSingleFeats : kVersion);
  writer.u32(static_cast<std::uint32_t>(labels().size()));
  for (const std::string& label : labels()) writer.text(label);
  model().save(writer);
  file.add(kSection, zstd_compress(writer.bytes()));
  content_->root.add_to(file, kRootSection);
}

LabellerModel LabellerModel::from_file(const SectionFile& file) {
  if (!is_in(file)) throw DataError(file.path() + ": has no labeller");
  const std::string place = fmt::format("{}, section {}", file.path(), kSection);
  const std::vector<std::byte> bytes = zstd_decompress(file.section(kSection), place);
  ByteReader reader(bytes, place);
  const std::uint32_t version = reader.u32();
  if (version != kVersion && version != kVersionWithSingleFeats) reader.fail("is of another version");
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
  RootLabels root = RootLabels::from_file(file, kRootSection, labels);
  return {std::move(labels), std::move(root), std::move(model), version == kVersionWithSingleFeats};
}

}  // namespace copse
