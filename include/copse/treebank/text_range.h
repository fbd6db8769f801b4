#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "copse/treebank/sentence.h"

namespace copse {

// Where a token stands in the text that it was found in, counted in characters (Unicode code points), as the
// strings of Python are: the first one, and the one behind the last.
struct TextRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  bool operator==(const TextRange&) const = default;
};

// What TokenRange=BEGIN:END in MISC says; nothing if it is missing or says no such thing.
std::optional<TextRange> text_range(const Row& row);

// The same for all words, entry 0 being nothing: words of a multiword token stand where the token does.
std::vector<std::optional<TextRange>> text_ranges(const Sentence& sentence);

}  // namespace copse
