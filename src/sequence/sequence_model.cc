#include "sequence/sequence_model.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "features/hashing.h"
#include "sequence/chain_parts.h"

namespace copse {
namespace {

constexpr float kLargestWeight = 127.0F;

}  // namespace

std::uint64_t TransitionWeights::key(Label before_that, Label before, Label label) {
  return mix(std::uint64_t{before_that} << 32 | std::uint64_t{before} << 16 | label);
}

TransitionWeights::TransitionWeights(std::span<const Entry> entries, double unit) : unit_(unit) {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> values;
  for (Entry entry : entries) {
    entry.weight =
        std::clamp(std::round(entry.weight / static_cast<float>(unit)), -kLargestWeight, kLargestWeight);
    if (entry.weight == 0.0F) continue;
    entries_.push_back(entry);
    hashes.push_back(key(entry.before_that, entry.before, entry.label));
    values.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(entry.weight * unit)));
  }
  table_ = FeatureTable(hashes, values);
}

double TransitionWeights::find(std::uint64_t hash) const {
  if (!table_.filter().may_contain(hash)) return 0.0;
  const std::uint32_t value = table_.find(hash);
  return value == FeatureTable::kAbsent ? 0.0 : std::bit_cast<float>(value);
}

void TransitionWeights::save(ByteWriter& writer) const {
  writer.f64(unit_);
  std::vector<Label> labels;
  const auto write_labels = [&](Label Entry::*label) {
    labels.clear();
    for (const Entry& entry : entries_) labels.push_back(entry.*label);
    writer.numbers(std::span<const Label>(labels));
  };
  write_labels(&Entry::before_that);
  write_labels(&Entry::before);
  write_labels(&Entry::label);
  std::vector<std::int8_t> weights;
  for (const Entry& entry : entries_) weights.push_back(static_cast<std::int8_t>(entry.weight));
  writer.numbers(std::span<const std::int8_t>(weights));
}

TransitionWeights TransitionWeights::load(ByteReader& reader, int labels) {
  const double unit = reader.f64();
  const auto before_that = reader.numbers<Label>();
  const auto before = reader.numbers<Label>();
  const auto label = reader.numbers<Label>();
  const auto weights = reader.numbers<std::int8_t>();
  if (!is_usable_unit(unit) || before_that.size() != weights.size() || before.size() != weights.size() ||
      label.size() != weights.size()) {
    reader.fail("has transitions that do not fit together");
  }
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (label[k] >= labels) reader.fail("has a transition to a label that does not exist");
    entries.push_back({before_that[k], before[k], label[k], static_cast<float>(weights[k] * unit)});
  }
  // A table takes every transition once.
  std::vector<std::uint64_t> keys;
  for (const Entry& entry : entries) keys.push_back(key(entry.before_that, entry.before, entry.label));
  std::sort(keys.begin(), keys.end());
  if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) {
    reader.fail("has the same transition twice");
  }
  return {entries, unit};
}

void SequenceModel::save(ByteWriter& writer) const {
  writer.u8(static_cast<std::uint8_t>(order));
  writer.u32(static_cast<std::uint32_t>(labels));
  writer.f64(coarse_threshold);
  writer.u32(static_cast<std::uint32_t>(most_candidates));
  candidates.save(writer);
  coarse.save(writer);
  weights.save(writer);
  transitions.save(writer);
}

SequenceModel SequenceModel::load(ByteReader& reader) {
  SequenceModel model;
  model.order = reader.u8();
  if (model.order > ChainParts::kMostOrder)
    reader.fail("is a model of an order that this program does not know");
  const std::uint32_t labels = reader.u32();
  if (labels == 0 || labels > kMostLabels) reader.fail("has an impossible number of labels");
  model.labels = static_cast<int>(labels);
  model.coarse_threshold = reader.f64();
  const std::uint32_t most = reader.u32();
  if (!(model.coarse_threshold >= 0.0 && model.coarse_threshold <= 1.0) || most > kMostLabels ||
      (model.coarse_threshold > 0.0 && most == 0)) {
    reader.fail("has impossible settings for the choice of candidates");
  }
  model.most_candidates = static_cast<int>(most);
  model.candidates = CandidateLabels::load(reader, model.labels);
  model.coarse = LabelRows::load(reader, model.labels);
  model.weights = LabelRows::load(reader, model.labels);
  model.transitions = TransitionWeights::load(reader, model.labels);
  return model;
}

}  // namespace copse
