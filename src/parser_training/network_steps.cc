#include "parser_training/network_steps.h"

#include <string_view>
#include <utility>

#include "optimisers/restore_numbers.h"

namespace copse {
namespace {

constexpr std::string_view kWeights = "network/weights";
constexpr std::string_view kFirstMoments = "network/first-moments";
constexpr std::string_view kSecondMoments = "network/second-moments";
constexpr std::string_view kAverage = "network/average";

}  // namespace

NetworkState begin_state(std::vector<float> weights) {
  NetworkState state;
  state.first_moments.resize(weights.size());
  state.second_moments.resize(weights.size());
  state.average = weights;
  state.weights = std::move(weights);
  return state;
}

void add_state(const NetworkState& state, SectionFileWriter& file) {
  file.add_numbers(kWeights, state.weights);
  file.add_numbers(kFirstMoments, state.first_moments);
  file.add_numbers(kSecondMoments, state.second_moments);
  file.add_numbers(kAverage, state.average);
}

void restore_state(const SectionFile& file, NetworkState& state) {
  restore_numbers(file, kWeights, state.weights);
  restore_numbers(file, kFirstMoments, state.first_moments);
  restore_numbers(file, kSecondMoments, state.second_moments);
  restore_numbers(file, kAverage, state.average);
}

}  // namespace copse
