#pragma once

#include <span>
#include <string>
#include <vector>

#include "copse/inference/part_index.h"

namespace copse {

// A potential for one part of a tree. Which positions are set tells the kind of part.
struct DemoPart {
  static constexpr int kUnset = -1;
  int grandparent = kUnset;
  int head = kUnset;
  int sibling = kUnset;  // the modifier of the same head just before, on the same side
  int modifier = kUnset;
  double potential = 0.0;
};

// A sentence with an ambiguous attachment, and potentials that were made up for it.
class DemoModel {
 public:
  static constexpr double kOtherArc = -2.0;  // potential of the arcs that parts() does not name

  // Index 0 is the root.
  std::span<const std::string> forms() const;
  int words() const { return static_cast<int>(forms().size()) - 1; }
  // The word whose head is in doubt.
  int ambiguous_word() const;

  // By kind: arcs, siblings, grandchildren, grand-siblings.
  std::span<const DemoPart> parts() const;
  Potentials potentials(const PartIndex& index) const;
};

}  // namespace copse
