#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/label_biaffine.h"
#include "network/sequences.h"
#include "network/tag_classifier.h"
#include "parser_training/network_example.h"

namespace copse {

// What the outputs of a network for some sentences are compared with: arcs and their labels, and tags.
struct GoldOutputs {
  std::vector<RowArc> label_arcs;
  std::vector<std::uint32_t> labels;  // of these
  std::vector<TagClassifier::Gold> tags;

  // The k-th sequence has the words of the example numbers[k], after the root.
  void assign(const NetworkDescription& network, std::span<const NetworkExample> examples,
              std::span<const std::size_t> numbers, const Sequences& sequences);
};

}  // namespace copse
