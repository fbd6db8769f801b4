#include "copse/model/label_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/zstd_block.h"
#include "model/extractor_settings.h"
#include "model/row_lookup.h"
#include "treebank/field_text.h"

namespace copse {
namespace {

constexpr std::uint32_t kVersion = 1;

}  // namespace

LabelModel::LabelModel(std::vector<std::string> labels, FeatureExtractor extractor, LabelRows weights)
    : labels_(std::move(labels)), extractor_(std::move(extractor)), weights_(std::move(weights)) {}

void LabelModel::save(SectionFileWriter& file, std::string_view name) const {
  ByteWriter writer;
  writer.u32(kVersion);
  write_extractor(extractor_, writer);
  writer.u32(static_cast<std::uint32_t>(labels_.size()));
  for (const std::string& label : labels_) writer.text(label);
  weights_.save(writer);
  file.add(name, zstd_compress(writer.bytes()));
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
  if (extractor.factorization() != Factorization::first) reader.fail("is not first-order");
  LabelRows weights = LabelRows::load(reader, static_cast<int>(labels.size()));
  reader.expect_end();
  return {std::move(labels), std::move(extractor), std::move(weights)};
}

void sum_labels_of_arcs(const TupleIndex& tuples, std::span<const double> tuple_scores,
                        ArcLabelScores& scores) {
  const auto labels = static_cast<std::size_t>(scores.labels());
  const int arcs = tuples.end(Scope::arc) - tuples.begin(Scope::arc);
  for (int arc = 0; arc < arcs; ++arc) {
    const auto [head, modifier, own] = tuples.tuples_of_arc(arc);
    const double* of_head = tuple_scores.data() + static_cast<std::size_t>(head) * labels;
    const double* of_modifier = tuple_scores.data() + static_cast<std::size_t>(modifier) * labels;
    const double* of_arc = tuple_scores.data() + static_cast<std::size_t>(own) * labels;
    double* sum = scores.of(arc).data();
    for (std::size_t label = 0; label < labels; ++label)
      sum[label] = of_head[label] + of_modifier[label] + of_arc[label];
  }
}

void sum_labels_of_tuples(const TupleIndex& tuples, const ArcLabelScores& values,
                          std::span<double> tuple_values) {
  const auto labels = static_cast<std::size_t>(values.labels());
  const int arcs = tuples.end(Scope::arc) - tuples.begin(Scope::arc);
  std::fill(tuple_values.begin(), tuple_values.end(), 0.0);
  for (int arc = 0; arc < arcs; ++arc) {
    const std::span<const double> of_arc = values.of(arc);
    for (const int tuple : tuples.tuples_of_arc(arc)) {
      double* sum = tuple_values.data() + static_cast<std::size_t>(tuple) * labels;
      for (std::size_t label = 0; label < labels; ++label) sum[label] += of_arc[label];
    }
  }
}

void LabelScorer::score(const Sentence& sentence, std::span<const Arc> candidates, ArcLabelScores& scores) {
  const LabelRows& weights = model_->weights();
  const std::size_t labels = model_->labels().size();
  parts_.assign(sentence.size(), candidates, Factorization::first);
  features_.assign(model_->extractor(), sentence);
  sums_.assign(static_cast<std::size_t>(parts_.tuples().size()) * labels, 0);
  std::uint32_t* sums = sums_.data();
  for_each_tuple(parts_.tuples(), [&](Scope scope, const Tuple& tuple) {
    hashes_.clear();
    features_.append(scope, tuple, hashes_);
    find_rows(weights, hashes_, rows_);
    for (const std::uint32_t row : rows_) weights.add_to(row, sums);
    sums += labels;
  });
  tuple_scores_.resize(sums_.size());
  std::transform(sums_.begin(), sums_.end(), tuple_scores_.begin(), [&](std::uint32_t sum) {
    return weights.unit() * static_cast<double>(static_cast<std::int32_t>(sum));
  });
  scores.assign(parts_.arcs().size(), static_cast<int>(labels));
  sum_labels_of_arcs(parts_.tuples(), tuple_scores_, scores);
}

}  // namespace copse
