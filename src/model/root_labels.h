#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/section_file.h"
#include "model/label_rows.h"

namespace copse {

// Where an arc begins, as far as its label is concerned.
enum class ArcPlace : std::uint8_t {
  anywhere,  // unknown, or it does not matter
  at_root,
  inside,
};
inline ArcPlace place_of_arc(int head) { return head == 0 ? ArcPlace::at_root : ArcPlace::inside; }

// Which labels arcs from the root may have, and which the others: those that training data has there. So
// treebanks may call their root arcs what they like, and a label that is found on both kinds is allowed on
// both.
class RootLabels {
 public:
  // Nothing is known: every label may stand anywhere.
  RootLabels() = default;
  explicit RootLabels(std::size_t labels) : seen_(labels) {}
  // Of models that do not say it: the label `root`, with or without a subtype, if there is one, belongs to
  // arcs from the root, and all others belong to other arcs.
  static RootLabels by_name(std::span<const std::string> labels);

  void count(Label label, ArcPlace place) { seen_[label] |= bit(place); }
  bool allows(Label label, ArcPlace place) const;

  // The section `name`; without one, by_name().
  void add_to(SectionFileWriter& file, std::string_view name) const;
  static RootLabels from_file(const SectionFile& file, std::string_view name,
                              std::span<const std::string> labels);

 private:
  static std::uint8_t bit(ArcPlace place) { return place == ArcPlace::at_root ? 1 : 2; }

  std::vector<std::uint8_t> seen_;  // by label: where
};

}  // namespace copse
