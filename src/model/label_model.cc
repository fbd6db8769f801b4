#include "model/label_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "features/hashing.h"
#include "io/zstd_block.h"
#include "model/extractor_settings.h"
#include "treebank/field_text.h"

namespace copse {
namespace {

constexpr std::uint32_t kVersion = 2;

std::string root_section(std::string_view name) { return std::string(name) + "/root"; }

}  // namespace

LabelModel::LabelModel(std::vector<std::string> labels, RootLabels root, FeatureExtractor extractor,
                       CandidateLabels candidates, LabelRows weights)
    : labels_(std::move(labels)),
      root_(std::move(root)),
      extractor_(std::move(extractor)),
      candidates_(std::move(candidates)),
      weights_(std::move(weights)) {
  candidates_.restrict(root_, labels_.size());
}

void LabelModel::save(SectionFileWriter& file, std::string_view name) const {
  ByteWriter writer;
  writer.u32(kVersion);
  write_extractor(extractor_, writer);
  writer.u32(static_cast<std::uint32_t>(labels_.size()));
  for (const std::string& label : labels_) writer.text(label);
  candidates_.save(writer);
  weights_.save(writer);
  file.add(name, zstd_compress(writer.bytes()));
  root_.add_to(file, root_section(name));
}

LabelModel LabelModel::load(const SectionFile& file, std::string_view name) {
  const std::string place = fmt::format("{}, section {}", file.path(), name);
  const std::vector<std::byte> bytes = zstd_decompress(file.section(name), place);
  ByteReader reader(bytes, place);
  if (reader.u32() != kVersion) reader.fail("is of another version");
  FeatureExtractor extractor = read_extractor(reader);
  std::vector<std::string> labels;
  for (std::uint32_t count = reader.u32(); count > 0; --count) labels.emplace_back(reader.text());
  const bool are_usable = !labels.empty() && labels.size() <= static_cast<std::size_t>(kMostLabels) &&
                          std::all_of(labels.begin(), labels.end(), [](const std::string& label) {
                            return !label.empty() && is_field_text(label);
                          });
  if (!are_usable) reader.fail("has labels that do not fit");
  CandidateLabels candidates = CandidateLabels::load(reader, static_cast<int>(labels.size()));
  LabelRows weights = LabelRows::load(reader, static_cast<int>(labels.size()));
  reader.expect_end();
  RootLabels root = RootLabels::from_file(file, root_section(name), labels);
  return {std::move(labels), std::move(root), std::move(extractor), std::move(candidates),
          std::move(weights)};
}

void ArcLabelKeys::assign(const Sentence& sentence, CoarseRule rule) {
  constexpr std::uint64_t kRoot = 1;
  fine_.assign(1, kRoot);
  coarse_.assign(1, kRoot);
  for (const Token& word : sentence.words()) {
    fine_.push_back(hash_text(fine_tag(word)));
    coarse_.push_back(hash_text(coarse_tag(word, rule)));
  }
}

std::array<std::uint64_t, 4> ArcLabelKeys::operator()(Arc arc) const {
  const auto head = static_cast<std::size_t>(arc.head);
  const auto modifier = static_cast<std::size_t>(arc.modifier);
  const std::uint64_t side = arc.head < arc.modifier ? 1 : 0;
  const auto key = [&](std::uint64_t kind, std::uint64_t of_head, std::uint64_t of_modifier) {
    return mix(mix(of_head + 2 * kind + side) + of_modifier);
  };
  return {key(0, fine_[head], fine_[modifier]), key(1, coarse_[head], coarse_[modifier]),
          key(2, 0, fine_[modifier]), key(3, 0, coarse_[modifier])};
}

void LabelScorer::assign(const Sentence& sentence, const TupleIndex& tuples, double factor) {
  tuples_ = &tuples;
  unit_ = model_->weights().unit() * factor;
  features_.assign(model_->extractor(), sentence);
  keys_.assign(sentence, model_->extractor().options().coarse);
  score_shared_tuples();
}

// Calls add(number of the hash, label, weight). Each step of all look-ups comes before the next one, and the
// memory gets to know early what will be read.
template <class Add>
void LabelScorer::add_rows(std::span<const std::uint64_t> hashes, Add add) {
  const LabelRows& table = model_->weights();
  for (const std::uint64_t hash : hashes) table.prefetch_bucket(hash);
  for (const std::uint64_t hash : hashes) table.prefetch_tags(hash);
  rows_.resize(hashes.size());
  for (std::size_t k = 0; k < hashes.size(); ++k) {
    rows_[k] = table.find(hashes[k]);
    if (rows_[k] != LabelRows::kAbsent) table.prefetch_row(rows_[k]);
  }
  for (std::size_t k = 0; k < hashes.size(); ++k) {
    if (rows_[k] == LabelRows::kAbsent) continue;
    table.for_each_weight(rows_[k], [&](Label label, int weight) { add(k, label, unit_ * weight); });
  }
}

void LabelScorer::score_shared_tuples() {
  const std::size_t labels = model_->labels().size();
  const TupleIndex& tuples = *tuples_;
  shared_.assign(static_cast<std::size_t>(tuples.begin(Scope::arc)) * labels, 0.0);
  for (const Scope scope : {Scope::head, Scope::modifier}) {
    for (int tuple = tuples.begin(scope); tuple < tuples.end(scope); ++tuple) {
      hashes_.clear();
      features_.append(scope, tuples[tuple], hashes_);
      double* sums = shared_.data() + static_cast<std::size_t>(tuple) * labels;
      add_rows(hashes_, [&](std::size_t, Label label, double weight) { sums[label] += weight; });
    }
  }
}

ArcLabels LabelScorer::score(int arc) {
  const TupleIndex& tuples = *tuples_;
  const Arc ends = tuples.parts().arcs()[arc];
  const std::span<const Label> candidates = model_->candidates_of(keys_, ends);
  table_.assign(tuples.parts(), arc, candidates, model_->labels().size());
  hashes_.clear();
  ends_.clear();
  table_.for_each_tuple(tuples, [&](Scope scope, int tuple, double*) {
    features_.append(scope, tuples[tuple], hashes_);
    ends_.push_back(hashes_.size());
  });
  // The rows of the table come in the order of the hashes.
  std::size_t number = 0;
  double* sums = table_.arc_row().data();
  add_rows(hashes_, [&](std::size_t k, Label label, double weight) {
    while (k >= ends_[number]) {
      ++number;
      sums += table_.width();
    }
    sums[table_.slot(label)] += weight;
  });
  table_.add_shared(tuples, shared_);
  scores_.resize(static_cast<std::size_t>(table_.parts()) * candidates.size());
  table_.to_parts(scores_);
  return {candidates, scores_};
}

}  // namespace copse
