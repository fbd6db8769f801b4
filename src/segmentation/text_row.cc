#include "segmentation/text_row.h"

#include "text/utf8.h"

namespace copse {
namespace {

constexpr TextRow::Character kOutside{0, CharacterClass::outside, 0, false, false, 0};
constexpr char32_t kNoBreakSpace = 0xA0;

}  // namespace

void TextRow::assign(std::string_view text) {
  const CharacterTable& table = CharacterTable::get();
  characters_.assign(kContext, kOutside);
  const std::size_t bytes = text.size();
  std::uint32_t end = 0;  // of the last character that is not space
  for (std::string_view rest = text; !rest.empty();) {
    const auto offset = static_cast<std::uint32_t>(bytes - rest.size());
    const char32_t character = take_character(rest);
    const CharacterTraits traits = table[character];
    if (traits.kind != CharacterClass::space) {
      characters_.push_back({traits.folded, traits.kind, traits.script, false, false, offset});
      end = static_cast<std::uint32_t>(bytes - rest.size());
      continue;
    }
    Character& last = characters_.back();
    if (last.kind == CharacterClass::space) {
      last.breaks_line = last.breaks_line || traits.breaks_line;
      last.is_plain_space = false;
    } else if (last.kind != CharacterClass::outside) {
      const bool is_plain = character == U' ' || character == kNoBreakSpace;
      characters_.push_back({U' ', CharacterClass::space, 0, traits.breaks_line, is_plain, offset});
    }
  }
  if (characters_.back().kind == CharacterClass::space) characters_.pop_back();
  size_ = static_cast<int>(characters_.size()) - kContext;
  characters_.insert(characters_.end(), kContext, kOutside);
  (characters_.end() - kContext)->offset = end;
}

}  // namespace copse
