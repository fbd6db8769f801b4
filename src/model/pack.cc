#include "model/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "copse/error.h"

namespace copse {
namespace {

// Headers, settings and facts take a little, too.
constexpr std::size_t kOverhead = 16 << 10;

// From fine to coarse.
constexpr std::array<WeightPrecision, 5> kPrecisions = {{{20, 7}, {18, 5}, {17, 4}, {16, 3}, {16, 2}}};

// More bits than the weights have would make the file larger and say nothing.
WeightPrecision no_finer_than(const RoundedWeights& list, const WeightPrecision& asked) {
  const WeightPrecision own = precision_of(list);
  return {std::min(asked.tag_bits, own.tag_bits), std::min(asked.mantissa_bits, own.mantissa_bits)};
}

std::size_t encoded_bytes(const RoundedWeights& list) {
  ByteWriter writer;
  encode_weights(list, writer);
  return writer.bytes().size();
}

// A list of weights from which the largest can be taken.
class RankedWeights {
 public:
  explicit RankedWeights(const RoundedWeights& list) : list_(list), ranking_(list.size()) {
    std::iota(ranking_.begin(), ranking_.end(), std::size_t{0});
    std::stable_sort(ranking_.begin(), ranking_.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(units(list.codes[a])) > std::abs(units(list.codes[b]));
    });
  }
  std::size_t size() const { return list_.size(); }

  RoundedWeights largest(std::size_t count, const WeightPrecision& asked) const {
    const WeightPrecision precision = no_finer_than(list_, asked);
    std::vector<std::uint64_t> hashes;
    std::vector<float> weights;
    for (std::size_t rank = 0; rank < std::min(count, size()); ++rank) {
      hashes.push_back(list_.hashes[ranking_[rank]]);
      weights.push_back(static_cast<float>(list_.weight(ranking_[rank])));
    }
    return round_weights(hashes, weights, precision);
  }

 private:
  const RoundedWeights& list_;
  std::vector<std::size_t> ranking_;
};

// As many of the largest weights as fit.
RoundedWeights fitting(const RankedWeights& weights, std::size_t most_weights, std::size_t most_bytes,
                       const WeightPrecision& precision) {
  RoundedWeights best = weights.largest(most_weights, precision);
  std::size_t bytes = encoded_bytes(best);
  if (bytes <= most_bytes) return best;
  std::size_t fits = 0;
  std::size_t too_many = best.size();
  best = weights.largest(0, precision);
  // Bytes grow nearly in proportion, so a guess by proportion soon is right.
  while (too_many - fits > too_many / 200 + 1) {
    auto count = static_cast<std::size_t>(static_cast<double>(too_many) * static_cast<double>(most_bytes) /
                                          static_cast<double>(bytes) * 0.998);
    if (count <= fits || count >= too_many) count = fits + (too_many - fits) / 2;
    RoundedWeights list = weights.largest(count, precision);
    const std::size_t size = encoded_bytes(list);
    if (size <= most_bytes) {
      fits = count;
      best = std::move(list);
      if (size + size / 100 >= most_bytes) break;
    } else {
      too_many = count;
      bytes = size;
    }
  }
  return best;
}

// What was done is one of the facts; a second time it takes the place of the first.
ParserModel::Facts facts_of(const ParserModel& model, const RoundedWeights& all, const RoundedWeights& kept,
                            const WeightPrecision& precision) {
  ParserModel::Facts facts = model.facts();
  const WeightPrecision before = precision_of(all);
  if (kept.size() == all.size() && precision.mantissa_bits == before.mantissa_bits &&
      precision.tag_bits == before.tag_bits) {
    return facts;
  }
  constexpr std::string_view kPacked = "packed";
  std::erase_if(facts, [=](const auto& fact) { return fact.first == kPacked; });
  facts.emplace_back(kPacked, fmt::format("{} of {} weights, {} bits of mantissas, {} of tags", kept.size(),
                                          all.size(), precision.mantissa_bits, precision.tag_bits));
  return facts;
}

}  // namespace

ParserModel pack(const ParserModel& model, const PackOptions& options) {
  const RoundedWeights all = model.parser().rounded_weights();
  const RankedWeights ranked(all);
  const std::size_t most_weights = options.max_weights == 0 ? all.size() : options.max_weights;
  const std::size_t most_bytes = options.max_bytes == 0 ? SIZE_MAX : options.max_bytes;
  std::vector<WeightPrecision> choices(kPrecisions.begin(), kPrecisions.end());
  if (options.precision) choices = {*options.precision};
  for (std::size_t choice = 0;; ++choice) {
    const WeightPrecision& precision = choices[choice];
    const bool is_last = choice + 1 == choices.size();
    std::optional<LinearModel> pruner;
    std::size_t needed = kOverhead;
    if (model.pruner() != nullptr) {
      const RoundedWeights weights = model.pruner()->rounded_weights();
      const RoundedWeights rounded = RankedWeights(weights).largest(weights.size(), precision);
      needed += encoded_bytes(rounded);
      pruner.emplace(model.pruner()->extractor(), rounded);
    }
    if (most_bytes <= needed) {
      if (!is_last) continue;
      throw DataError(fmt::format("a packed model needs more than {} bytes; allow more", needed));
    }
    RoundedWeights kept = ranked.largest(most_weights, precision);
    if (encoded_bytes(kept) > most_bytes - needed) {
      if (!is_last) continue;
      kept = fitting(ranked, most_weights, most_bytes - needed, precision);
    }
    ParserModel packed(model.trees(), LinearModel(model.parser().extractor(), kept),
                       facts_of(model, all, kept, no_finer_than(all, precision)));
    if (pruner) packed.set_pruner(std::move(*pruner), model.prune_threshold());
    packed.set_temperature(model.temperature());
    if (model.labels() != nullptr) packed.set_labels(*model.labels());
    return packed;
  }
}

}  // namespace copse
