#include "analysis/breakdown_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace copse {
namespace {

constexpr std::array kSentenceLengths = {1, 11, 21, 31, 41, 51};
constexpr std::array kDependencyLengths = {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 21, 31};
constexpr std::array kRootDistances = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
constexpr std::array kNumbersOfWords = {0, 1, 2, 3, 4, 5, 6, 7};

}  // namespace

ArcCounts& ArcCounts::operator+=(const ArcCounts& other) {
  gold += other.gold;
  found += other.found;
  found_labelled += other.found_labelled;
  predicted += other.predicted;
  right += other.right;
  right_labelled += other.right_labelled;
  return *this;
}

int NumberBins::bin_of(int number) const {
  const auto after = std::upper_bound(lower_bounds_.begin(), lower_bounds_.end(), number);
  if (after == lower_bounds_.begin()) return count() - 1;
  return static_cast<int>(after - lower_bounds_.begin()) - 1;
}

std::string NumberBins::name(int bin) const {
  if (bin == count() - 1) return std::string(name_of_others_);
  const auto index = static_cast<size_t>(bin);
  if (index + 1 == lower_bounds_.size()) return fmt::format("{}+", lower_bounds_[index]);
  const int last = lower_bounds_[index + 1] - 1;
  return last == lower_bounds_[index] ? fmt::format("{}", last)
                                      : fmt::format("{}–{}", lower_bounds_[index], last);
}

bool has_number_bins(Property property) { return property <= Property::modifiers; }

const NumberBins& number_bins(Property property) {
  static const NumberBins kSentenceBins(kSentenceLengths, "none");
  static const NumberBins kLengthBins(kDependencyLengths, "root");
  static const NumberBins kDistanceBins(kRootDistances, "no path");
  static const NumberBins kWordBins(kNumbersOfWords, "none");
  switch (property) {
    case Property::sentence_length:
      return kSentenceBins;
    case Property::dependency_length:
      return kLengthBins;
    case Property::root_distance:
      return kDistanceBins;
    default:
      return kWordBins;
  }
}

BreakdownCounter::BreakdownCounter(Property property, size_t systems)
    : property_(property), counts_(systems) {
  if (has_number_bins(property)) {
    const NumberBins& bins = number_bins(property);
    for (int bin = 0; bin < bins.count(); ++bin) names_.push_back(bins.name(bin));
  }
  // In this order, whatever comes first in the data.
  if (property == Property::direction) names_ = {"left", "right", "root"};
  if (property == Property::projectivity) names_ = {"projective", "non-projective"};
  for (size_t bin = 0; bin < names_.size(); ++bin) named_bins_.emplace(names_[bin], static_cast<int>(bin));
  for (std::vector<ArcCounts>& of_system : counts_) of_system.resize(names_.size());
  if (property == Property::sentence_length) complete_.assign(systems, std::vector<Ratio>(names_.size()));
}

int BreakdownCounter::bin_of(std::string_view name) {
  const auto known = named_bins_.find(name);
  if (known != named_bins_.end()) return known->second;
  names_.emplace_back(name);
  for (std::vector<ArcCounts>& of_system : counts_) of_system.emplace_back();
  return named_bins_.emplace(name, static_cast<int>(names_.size()) - 1).first->second;
}

ArcCounts& BreakdownCounter::counts(size_t system, int bin) {
  return counts_[system][static_cast<size_t>(bin)];
}

void BreakdownCounter::count_gold(size_t system, int bin, Outcome outcome) {
  ArcCounts& to = counts(system, bin);
  ++to.gold;
  to.found += outcome != Outcome::wrong ? 1 : 0;
  to.found_labelled += outcome == Outcome::right ? 1 : 0;
}

void BreakdownCounter::count_predicted(size_t system, int bin, Outcome outcome) {
  ArcCounts& to = counts(system, bin);
  ++to.predicted;
  to.right += outcome != Outcome::wrong ? 1 : 0;
  to.right_labelled += outcome == Outcome::right ? 1 : 0;
}

void BreakdownCounter::count_sentence(size_t system, int bin, bool is_complete) {
  Ratio& to = complete_[system][static_cast<size_t>(bin)];
  ++to.whole;
  to.part += is_complete ? 1 : 0;
}

void BreakdownCounter::forget_labels(std::vector<ArcCounts>& of_system) const {
  for (ArcCounts& bin : of_system) {
    bin.found_labelled = bin.right_labelled = 0;
    if (property_ == Property::label) bin.predicted = bin.right = 0;
  }
}

std::vector<size_t> BreakdownCounter::bins_in_order(std::span<const std::vector<ArcCounts>> counts) const {
  std::vector<size_t> order;
  for (size_t bin = 0; bin < names_.size(); ++bin) {
    const bool is_used = std::any_of(counts.begin(), counts.end(),
                                     [bin](const auto& of_system) { return of_system[bin] != ArcCounts{}; });
    if (is_used) order.push_back(bin);
  }
  if (property_ != Property::tag && property_ != Property::label) return order;
  // Gold arcs are the same for all systems; the name decides among equals, so that the order of the
  // sentences makes no difference.
  const std::vector<ArcCounts>& first = counts.front();
  std::sort(order.begin(), order.end(), [&](size_t left, size_t right) {
    if (first[left].gold != first[right].gold) return first[left].gold > first[right].gold;
    return names_[left] < names_[right];
  });
  return order;
}

Breakdown BreakdownCounter::result(std::span<const uint8_t> labelled) const {
  std::vector<std::vector<ArcCounts>> counts = counts_;
  for (size_t k = 0; k < counts.size(); ++k) {
    if (labelled[k] == 0) forget_labels(counts[k]);
  }
  Breakdown breakdown;
  breakdown.property = property_;
  breakdown.systems.resize(counts.size());
  breakdown.complete.resize(complete_.size());
  for (const size_t bin : bins_in_order(counts)) {
    breakdown.bins.push_back(names_[bin]);
    for (size_t k = 0; k < counts.size(); ++k) breakdown.systems[k].push_back(counts[k][bin]);
    for (size_t k = 0; k < complete_.size(); ++k) breakdown.complete[k].push_back(complete_[k][bin]);
  }
  return breakdown;
}

}  // namespace copse
