#pragma once

#include <cstddef>
#include <string_view>

namespace copse {

// The bytes of the first line of a paragraph, its line break included, if that line is a heading with the
// text on the next line; else 0. `paragraph` is valid UTF-8, and may end before the paragraph does.
//
// Lines of running text break where the next word did not fit. So a line is a heading if it ends without
// punctuation, the next one begins like a sentence, and some line of the paragraph shows that there was room
// for the next word: whoever broke the line meant it. A paragraph whose lines are all about as long, or
// short, says nothing, and is left alone.
std::size_t heading_bytes(std::string_view paragraph);

}  // namespace copse
