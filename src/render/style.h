#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse {

enum class Style : uint8_t { plain, bold, dim, green, yellow, red };

// `text` between the escape sequences that give it this style on a terminal.
std::string styled(std::string_view text, Style style);

// What the place that text is drawn for can show.
struct Canvas {
  int columns =
      80;  // lines of drawings are not longer (but for less than 20, which count as 20); 0: no limit
  bool colour = false;  // escape sequences
  bool unicode = true;  // box characters and blocks rather than ASCII
};

}  // namespace copse
