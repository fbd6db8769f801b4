#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/evaluator.h"

namespace copse {

// What arcs are told apart by. docs/analysis.md defines each.
enum class Property : uint8_t {
  sentence_length,
  dependency_length,
  root_distance,
  siblings,
  modifiers,
  direction,
  projectivity,
  tag,
  label,
};

// In the order of Property.
inline constexpr std::array<std::string_view, 9> kPropertyNames = {
    "sentence_length", "dependency_length", "root_distance", "siblings", "modifiers",
    "direction",       "projectivity",      "tag",           "label"};

// The arcs of scored words in one bin of a property: how many there are in the gold trees and how many of
// those the system found, how many the system predicted and how many of those are right. An arc has the
// property in the tree that it is counted in: a right arc can be in different bins of both trees.
struct ArcCounts {
  int64_t gold = 0;
  int64_t found = 0;
  int64_t found_labelled = 0;  // with the right label, too
  int64_t predicted = 0;
  int64_t right = 0;
  int64_t right_labelled = 0;

  Ratio recall() const { return {found, gold}; }
  Ratio labelled_recall() const { return {found_labelled, gold}; }
  Ratio precision() const { return {right, predicted}; }
  Ratio labelled_precision() const { return {right_labelled, predicted}; }

  ArcCounts& operator+=(const ArcCounts& other);
  bool operator==(const ArcCounts&) const = default;
};

// All arcs by one property. Bins of numbers are in the order of the numbers; tags and labels are in the order
// of their number of gold arcs, the most frequent first. Bins without any arc are left out.
struct Breakdown {
  Property property = Property::sentence_length;
  std::vector<std::string> bins;                // their names
  std::vector<std::vector<ArcCounts>> systems;  // by system and bin
  std::vector<std::vector<Ratio>> complete;     // sentences without a wrong head; for sentence_length only
};

}  // namespace copse
