#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "segmentation/character_table.h"

namespace copse {

// A piece of text, character by character: white space between two others is one character. Used again
// without allocating.
class TextRow {
 public:
  // Context around the text can be asked for without looking at its ends.
  static constexpr int kContext = 4;

  struct Character {
    char32_t folded;
    CharacterClass kind;
    std::uint8_t script;
    bool breaks_line;      // of white space: contains a line break
    bool is_plain_space;   // one single space, or one that does not break
    std::uint32_t offset;  // of its first byte
  };

  // Valid UTF-8. White space at both ends is left out.
  void assign(std::string_view text);

  int size() const { return size_; }
  // From -kContext to size() + kContext - 1.
  const Character& operator[](int k) const { return *(characters_.data() + kContext + k); }
  bool is_space(int k) const { return (*this)[k].kind == CharacterClass::space; }
  // Of the character after the last one that is not space, too.
  std::uint32_t offset(int k) const { return (*this)[k].offset; }

 private:
  std::vector<Character> characters_;
  int size_ = 0;
};

// Takes the first character off non-empty, valid UTF-8 text.
inline char32_t take_character(std::string_view& text) {
  const auto byte = [&text](std::size_t k) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[k]));
  };
  const char32_t lead = byte(0);
  if (lead < 0x80) {
    text.remove_prefix(1);
    return lead;
  }
  if (lead < 0xE0) {
    const char32_t character = (lead & 0x1F) << 6 | (byte(1) & 0x3F);
    text.remove_prefix(2);
    return character;
  }
  if (lead < 0xF0) {
    const char32_t character = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    text.remove_prefix(3);
    return character;
  }
  const char32_t character =
      (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  text.remove_prefix(4);
  return character;
}

}  // namespace copse
