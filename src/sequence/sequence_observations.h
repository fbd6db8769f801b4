#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/candidate_labels.h"

namespace copse {

// What a model gets to see of a sequence: for every position the hashes of its features, and keys under which
// lists of candidate labels may be found. Filled position by position; used again without allocating.
class SequenceObservations {
 public:
  // The first key with a list decides: the most specific one comes first.
  static constexpr std::size_t kKeys = 2;
  using Keys = std::array<std::uint64_t, kKeys>;
  static constexpr std::uint64_t kNoKey = CandidateLabels::kNoKey;

  // All positions of a sequence are in the same place.
  void clear(ArcPlace place = ArcPlace::anywhere) {
    place_ = place;
    features_.clear();
    positions_.clear();
    coarse_end_ = 0;
  }
  void add(std::uint64_t feature) { features_.push_back(feature); }
  // The features of this position so far are those of the coarse pass, too. Without this call, none are.
  void end_coarse() { coarse_end_ = features_.size(); }
  void end_position(const Keys& keys) {
    positions_.push_back({coarse_end_, features_.size(), keys});
    coarse_end_ = features_.size();
  }

  ArcPlace place() const { return place_; }
  int size() const { return static_cast<int>(positions_.size()); }
  std::span<const std::uint64_t> features(int position) const { return range(position, at(position).end); }
  std::span<const std::uint64_t> coarse_features(int position) const {
    return range(position, at(position).coarse_end);
  }
  const Keys& keys(int position) const { return at(position).keys; }

 private:
  struct Position {
    std::size_t coarse_end;
    std::size_t end;
    Keys keys;
  };
  const Position& at(int position) const { return positions_[static_cast<std::size_t>(position)]; }
  std::span<const std::uint64_t> range(int position, std::size_t end) const {
    const std::size_t begin = position == 0 ? 0 : at(position - 1).end;
    return {features_.data() + begin, end - begin};
  }

  ArcPlace place_ = ArcPlace::anywhere;
  std::vector<std::uint64_t> features_;
  std::vector<Position> positions_;
  std::size_t coarse_end_ = 0;
};

}  // namespace copse
