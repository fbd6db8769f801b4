#pragma once

#include <cstdint>

namespace copse {

// What the line breaks of a text mean. Empty lines end paragraphs, and so sentences, in any case.
enum class TextLines : std::uint8_t {
  space,      // nothing: sentences go on over them
  sentences,  // every line is one sentence, up to 8 KiB: longer ones are cut
};

// How text is cut into sentences and words.
struct TextOptions {
  TextLines lines = TextLines::space;
  // Every token says where it stands: TokenRange=BEGIN:END in MISC (see text_range()).
  bool ranges = false;
};

}  // namespace copse
