#pragma once

#include <cstddef>
#include <string_view>

namespace copse {

// Lines of a text, from the byte `begin` to the byte `end`.
struct LineRun {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin == end; }
};

// What is known about the text before and after a block of it.
struct ListContext {
  bool goes_on = false;         // the last line may be only a part of one, and is left alone then
  bool continues_list = false;  // the line before the first one was an item of a list
};

// The first list in a block of a paragraph: lines that are items, each a sentence of its own, and not text
// that was broken where a line was full. `text` is valid UTF-8. White space after the last item of the block
// belongs to the list.
//
// A list is a run of many short lines, none of which ends in punctuation. In at least half of them a single
// word stands alone, or there was room for the first word of the next line: running text leaves such room at
// the ends of paragraphs only. Where these lines were taken for one sentence, it would have hundreds of
// words.
LineRun find_list(std::string_view text, const ListContext& context);

}  // namespace copse
