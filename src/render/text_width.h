#pragma once

#include <string>
#include <string_view>

namespace copse {

// The columns that `text` takes on a terminal: two for East Asian wide characters, none for combining marks
// and other characters that only change their neighbours, one for all else, invalid bytes included.
int display_width(std::string_view text);

// `text` with a replacement character in place of each control character and invalid byte, and without the
// marks that turn the direction of writing: what a terminal can show in one line, and takes for no command.
std::string printable(std::string_view text);

// `text` if it takes at most `columns`, else as much of its beginning as leaves room for `ellipsis` after it.
std::string cut_to_width(std::string_view text, int columns, std::string_view ellipsis);

}  // namespace copse
