#include "text/unicode.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "text/utf8.h"

namespace copse {
namespace {

constexpr char32_t kFirstWithoutColumn = 0x300;  // the first combining mark

const UCaseMap& case_map() {
  static const std::unique_ptr<UCaseMap, void (*)(UCaseMap*)> map = [] {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<UCaseMap, void (*)(UCaseMap*)> opened(ucasemap_open("", 0, &error), ucasemap_close);
    if (U_FAILURE(error) != 0) throw std::runtime_error("ICU has no case mapping; check its installation");
    return opened;
  }();
  return *map;
}

bool has_category(char32_t code, uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(code)) & mask) != 0;
}

const icu::Normalizer2& normaliser(bool composes) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* found =
      composes ? icu::Normalizer2::getNFCInstance(error) : icu::Normalizer2::getNFDInstance(error);
  if (U_FAILURE(error) != 0) throw std::runtime_error("ICU has no normal forms; check its installation");
  return *found;
}

std::string normalised(std::string_view text, bool composes) {
  if (std::all_of(text.begin(), text.end(), [](char byte) { return static_cast<signed char>(byte) >= 0; })) {
    return std::string(text);
  }
  static const icu::Normalizer2& decomposer = normaliser(false);
  static const icu::Normalizer2& composer = normaliser(true);
  std::string result;
  icu::StringByteSink<std::string> sink(&result);
  UErrorCode error = U_ZERO_ERROR;
  (composes ? composer : decomposer)
      .normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr,
                     error);
  if (U_FAILURE(error) != 0) throw std::runtime_error("ICU cannot bring text into a normal form");
  return result;
}

// Format characters that are visible nevertheless: the soft hyphen, and signs that precede or enclose
// numbers.
bool is_visible_format(char32_t code) {
  constexpr std::array<char32_t, 8> kVisible = {0xAD, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD};
  return (code >= 0x600 && code <= 0x605) ||
         std::find(kVisible.begin(), kVisible.end(), code) != kVisible.end();
}

bool takes_no_column(char32_t code) {
  if (is_visible_format(code)) return false;
  // The vowels and final consonants of Korean join the syllable before them.
  const bool joins_syllable = (code >= 0x1160 && code <= 0x11FF) || (code >= 0xD7B0 && code <= 0xD7FF);
  return joins_syllable || has_category(code, U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text.size() + text.size() / 2 + 8, '\0');
  while (true) {
    UErrorCode error = U_ZERO_ERROR;
    const int32_t size = ucasemap_utf8ToLower(&case_map(), out.data(), static_cast<int32_t>(out.size()),
                                              text.data(), static_cast<int32_t>(text.size()), &error);
    const bool fits = size <= static_cast<int32_t>(out.size());
    out.resize(static_cast<size_t>(size));
    if (fits) return out;
  }
}

std::string decomposed(std::string_view text) { return normalised(text, false); }

std::string composed(std::string_view text) { return normalised(text, true); }

bool is_punctuation_character(char32_t code) { return has_category(code, U_GC_P_MASK); }

bool is_space_character(char32_t code) { return has_category(code, U_GC_ZS_MASK); }

int character_columns(char32_t code) {
  if (code < kFirstWithoutColumn || code == Character::kInvalid) return 1;
  if (takes_no_column(code)) return 0;
  const int width = u_getIntPropertyValue(static_cast<UChar32>(code), UCHAR_EAST_ASIAN_WIDTH);
  const bool is_wide = width == U_EA_WIDE || width == U_EA_FULLWIDTH;
  // Whole blocks are reserved for wide characters; what is not assigned in them is drawn as one small box.
  return is_wide && !has_category(code, U_GC_CN_MASK) ? 2 : 1;
}

}  // namespace copse
