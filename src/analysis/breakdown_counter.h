#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/breakdown.h"

namespace copse {

// The bins of numbers: each begins at a lower bound and reaches up to the next one. Numbers below the first
// bound are no length, distance or number of words, and have a bin of their own: it comes last.
class NumberBins {
 public:
  NumberBins(std::span<const int> lower_bounds, std::string_view name_of_others)
      : lower_bounds_(lower_bounds), name_of_others_(name_of_others) {}

  int count() const { return static_cast<int>(lower_bounds_.size()) + 1; }
  int bin_of(int number) const;
  std::string name(int bin) const;  // "4", "11–15", "31+"

 private:
  std::span<const int> lower_bounds_;
  std::string_view name_of_others_;
};

// The bins that a property has, for all whose bins are known beforehand (all but tag and label).
bool has_number_bins(Property property);
const NumberBins& number_bins(Property property);

// What arcs are counted as.
enum class Outcome : uint8_t { wrong, right_head, right };

// Collects a breakdown for several systems. Bins are numbers of number_bins(), or numbers that
// bin_of() gives to names.
class BreakdownCounter {
 public:
  BreakdownCounter(Property property, size_t systems);

  int bin_of(std::string_view name);
  void count_gold(size_t system, int bin, Outcome outcome);
  void count_predicted(size_t system, int bin, Outcome outcome);
  void count_sentence(size_t system, int bin, bool is_complete);

  // Of systems that are not `labelled`, what is said about labels does not count: one entry per system.
  Breakdown result(std::span<const uint8_t> labelled) const;

 private:
  ArcCounts& counts(size_t system, int bin);
  void forget_labels(std::vector<ArcCounts>& of_system) const;
  std::vector<size_t> bins_in_order(std::span<const std::vector<ArcCounts>> counts) const;

  Property property_;
  std::map<std::string, int, std::less<>> named_bins_;
  std::vector<std::string> names_;
  std::vector<std::vector<ArcCounts>> counts_;  // by system and bin
  std::vector<std::vector<Ratio>> complete_;    // the same; only for sentence_length
};

}  // namespace copse
