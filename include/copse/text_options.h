#pragma once

#include <cstdint>
#include <string>

namespace copse {

// What the line breaks of a text mean. Empty lines end paragraphs, and so sentences, in any case.
enum class TextLines : std::uint8_t {
  space,      // nothing: sentences go on over them
  headings,   // nothing, but the heading of a paragraph, on a line of its own, is a sentence
  sentences,  // every line is one sentence, up to 8 KiB: longer ones are cut
};

// How text is cut into sentences and words.
struct TextOptions {
  TextLines lines = TextLines::headings;
  // Every token says where it stands: TokenRange=BEGIN:END in MISC (see text_range()).
  bool ranges = false;
  // What the text is called, if anything: the first sentence gets `# newdoc id = ...`.
  std::string document = {};
  // The text goes on where another has ended: its first sentence does not begin a paragraph.
  bool continues_paragraph = false;
};

}  // namespace copse
