#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/character_table.h"

namespace copse {

// A piece of text, character by character: white space between two others is one character. Used again
// without allocating.
class TextRow {
 public:
  // So many characters before the first and after the last one can be read; their class is `outside`.
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

}  // namespace copse
