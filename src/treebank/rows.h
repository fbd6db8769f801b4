#pragma once

#include <cstddef>
#include <span>

#include "copse/treebank/sentence.h"

namespace copse {

// Calls visit(range), visit(node) or visit(index, word) for the rows of a sentence in the order of a file: a
// range comes right before its first word, an empty node after its word. Rows that belong to no word (a range
// or an empty node beyond the end) come last.
template <typename Visitor>
void for_each_row(const Sentence& sentence, Visitor&& visit) {
  std::span<const MultiwordToken> ranges = sentence.multiwords();
  std::span<const EmptyNode> nodes = sentence.empty_nodes();
  for (int index = 0; index <= sentence.size(); ++index) {
    for (; !ranges.empty() && ranges.front().first() == index; ranges = ranges.subspan(1))
      visit(ranges.front());
    if (index > 0) visit(index, sentence[index]);
    for (; !nodes.empty() && nodes.front().word() == index; nodes = nodes.subspan(1)) visit(nodes.front());
  }
  for (const MultiwordToken& range : ranges) visit(range);
  for (const EmptyNode& node : nodes) visit(node);
}

}  // namespace copse
