#include "text/letter_case.h"

#include <array>

#include "text/utf8.h"

namespace copse {
namespace {

// Letters from `first` to `last`: those in upper case have the lower-case letter `distance` further on. With
// a distance of 1, upper and lower case take turns, and upper case begins.
struct CaseRange {
  char32_t first;
  char32_t last;  // of the upper-case letters
  char32_t distance;
};
constexpr std::array kRanges = {
    CaseRange{U'A', U'Z', 32},    CaseRange{0xC0, 0xD6, 32},   // Latin-1
    CaseRange{0xD8, 0xDE, 32},    CaseRange{0x100, 0x12E, 1},  // Latin Extended-A
    CaseRange{0x132, 0x136, 1},   CaseRange{0x139, 0x147, 1},    CaseRange{0x14A, 0x176, 1},
    CaseRange{0x179, 0x17D, 1},   CaseRange{0x1CD, 0x1DB, 1},  // Latin Extended-B
    CaseRange{0x1DE, 0x1EE, 1},   CaseRange{0x1F8, 0x21E, 1},    CaseRange{0x222, 0x232, 1},
    CaseRange{0x386, 0x386, 38},  // Greek
    CaseRange{0x388, 0x38A, 37},  CaseRange{0x38C, 0x38C, 64},   CaseRange{0x38E, 0x38F, 63},
    CaseRange{0x391, 0x3A1, 32},  CaseRange{0x3A3, 0x3AB, 32},   CaseRange{0x400, 0x40F, 80},  // Cyrillic
    CaseRange{0x410, 0x42F, 32},  CaseRange{0x460, 0x480, 1},    CaseRange{0x48A, 0x4BE, 1},
    CaseRange{0x4C1, 0x4CD, 1},   CaseRange{0x4D0, 0x52E, 1},    CaseRange{0x531, 0x556, 48},  // Armenian
    CaseRange{0x1E00, 0x1E94, 1},                                 // Latin Extended Additional
    CaseRange{0x1EA0, 0x1EFE, 1}, CaseRange{0xFF21, 0xFF3A, 32},  // full-width
};

bool is_upper_in(const CaseRange& range, char32_t character) {
  if (character < range.first || character > range.last) return false;
  return range.distance != 1 || (character - range.first) % 2 == 0;
}

template <class Change>
std::string changed(std::string_view text, Change change) {
  std::string result;
  bool is_first = true;
  while (!text.empty()) {
    append_character(change(take_character(text), is_first), result);
    is_first = false;
  }
  return result;
}

}  // namespace

char32_t to_lower(char32_t character) {
  for (const CaseRange& range : kRanges) {
    if (character < range.first) break;
    if (is_upper_in(range, character)) return character + range.distance;
  }
  if (character == 0x178) return 0xFF;   // Y with diaeresis: its pair is in Latin-1
  if (character == 0x4C0) return 0x4CF;  // palochka
  if (character == 0x1E9E) return 0xDF;  // sharp s
  return character;
}

char32_t to_upper(char32_t character) {
  for (const CaseRange& range : kRanges) {
    if (character >= range.distance && is_upper_in(range, character - range.distance)) {
      return character - range.distance;
    }
  }
  if (character == 0xFF) return 0x178;
  if (character == 0x4CF) return 0x4C0;
  return character;
}

void lower_text(std::string_view text, std::string& lower) {
  lower.clear();
  while (!text.empty()) {
    const char c = text[0];
    if (static_cast<unsigned char>(c) < 0x80) {
      lower.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
      text.remove_prefix(1);
    } else {
      append_character(to_lower(take_character(text)), lower);
    }
  }
}

std::string lowered(std::string_view text) {
  std::string lower;
  lower_text(text, lower);
  return lower;
}

std::string uppered(std::string_view text) {
  return changed(text, [](char32_t character, bool) { return to_upper(character); });
}

std::string capitalised(std::string_view text) {
  return changed(text, [](char32_t character, bool is_first) {
    return is_first ? to_upper(character) : to_lower(character);
  });
}

}  // namespace copse
