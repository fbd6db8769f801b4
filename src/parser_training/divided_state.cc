#include "parser_training/divided_state.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace copse {
namespace {

void append(std::span<const float> values, std::vector<std::byte>& bytes) {
  const auto from = std::as_bytes(values);
  bytes.insert(bytes.end(), from.begin(), from.end());
}

// What was appended, one after the other.
void take(std::span<const std::byte>& bytes, std::span<float> values) {
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size_bytes());
  bytes = bytes.subspan(values.size_bytes());
}

void keep(std::vector<float>& values, DividedState::Range first, DividedState::Range second) {
  std::copy(values.begin() + static_cast<std::ptrdiff_t>(first.begin),
            values.begin() + static_cast<std::ptrdiff_t>(first.end), values.begin());
  std::copy(values.begin() + static_cast<std::ptrdiff_t>(second.begin),
            values.begin() + static_cast<std::ptrdiff_t>(second.end),
            values.begin() + static_cast<std::ptrdiff_t>(first.size()));
  values.resize(first.size() + second.size());
  values.shrink_to_fit();
}

}  // namespace

DividedState::DividedState(Team& team, const NetworkBlocks& blocks, std::vector<float> weights)
    : team_(&team),
      dense_size_(blocks.dense),
      dense_bounds_(even_bounds(team, blocks.dense, kSegment)),
      table_bounds_(even_bounds(team, weights.size() - blocks.dense, kSegment)) {
  if (!team.is_alone()) {
    // Random weights may differ in their last digits where machines have other mathematical functions.
    std::vector<std::byte> bytes;
    if (team.leads()) append(weights, bytes);
    team.share(bytes);
    std::span<const std::byte> rest = bytes;
    take(rest, weights);
  }
  assign(begin_state(std::move(weights)));
}

DividedState::Range DividedState::own_of(std::span<const std::size_t> bounds, std::size_t offset) const {
  const auto rank = static_cast<std::size_t>(team_->rank());
  return {offset + bounds[rank], offset + bounds[rank + 1]};
}

std::size_t DividedState::place_of_moments(std::size_t weight) const {
  return weight < dense_size_ ? weight - dense().begin : weight - dense_size_ + dense().size();
}

std::size_t DividedState::place_of_average(std::size_t weight) const {
  return weight < dense_size_ ? weight - dense().begin : weight - tables().begin + dense().size();
}

AdamState DividedState::part(std::size_t offset, std::span<const float> gradient) {
  const std::size_t size = gradient.size();
  const std::size_t moments = place_of_moments(offset);
  const auto average = offset < dense_size_
                           ? std::span(state_.average).subspan(place_of_average(offset), size)
                           : std::span<float>();
  return {std::span(state_.weights).subspan(offset, size), gradient,
          std::span(state_.first_moments).subspan(moments, size),
          std::span(state_.second_moments).subspan(moments, size), average};
}

void DividedState::average_table(Range weights, float decay) {
  const std::size_t place = place_of_average(weights.begin);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    float& average = state_.average[place + k];
    average = decay * average + (1.0F - decay) * state_.weights[weights.begin + k];
  }
}

void DividedState::finish_step() {
  has_average_ = has_state_ = false;
  team_->gather_parts(std::span(state_.weights).first(dense_size_), dense_bounds_);
}

std::span<const float> DividedState::average() {
  if (team_->is_alone()) return state_.average;
  if (has_average_) return whole_.average;
  whole_.average.resize(state_.weights.size());
  const std::span<float> all(whole_.average);
  const auto own = state_.average.begin();
  const auto dense_end = own + static_cast<std::ptrdiff_t>(dense().size());
  std::copy(own, dense_end, all.begin() + static_cast<std::ptrdiff_t>(dense().begin));
  std::copy(dense_end, state_.average.end(), all.begin() + static_cast<std::ptrdiff_t>(tables().begin));
  team_->gather_parts(all.first(dense_size_), dense_bounds_);
  team_->gather_parts(all.subspan(dense_size_), table_bounds_);
  has_average_ = true;
  return whole_.average;
}

const NetworkState& DividedState::state() {
  if (team_->is_alone()) return state_;
  if (has_state_) return whole_;
  average();
  has_state_ = true;
  const std::size_t own = dense().size();
  Team::Parcels parcels(static_cast<std::size_t>(team_->size()));
  append(std::span(state_.first_moments).first(own), parcels[0]);
  append(std::span(state_.second_moments).first(own), parcels[0]);
  parcels = team_->exchange(std::move(parcels));
  if (!team_->leads()) return whole_;
  whole_.weights = state_.weights;
  for (auto* moments : {&whole_.first_moments, &whole_.second_moments}) {
    const std::vector<float>& some =
        moments == &whole_.first_moments ? state_.first_moments : state_.second_moments;
    moments->resize(dense_size_);
    moments->insert(moments->end(), some.begin() + static_cast<std::ptrdiff_t>(own), some.end());
  }
  for (std::size_t rank = 0; rank < parcels.size(); ++rank) {
    const std::size_t size = dense_bounds_[rank + 1] - dense_bounds_[rank];
    std::span<const std::byte> rest = parcels[rank];
    take(rest, std::span(whole_.first_moments).subspan(dense_bounds_[rank], size));
    take(rest, std::span(whole_.second_moments).subspan(dense_bounds_[rank], size));
  }
  return whole_;
}

void DividedState::assign(NetworkState state) {
  state_ = std::move(state);
  has_average_ = has_state_ = false;
  if (team_->is_alone()) return;
  const Range all_tables{dense_size_, state_.weights.size()};
  keep(state_.first_moments, dense(), all_tables);
  keep(state_.second_moments, dense(), all_tables);
  keep(state_.average, dense(), tables());
}

}  // namespace copse
