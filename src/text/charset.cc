#include "text/charset.h"

#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include <limits>
#include <memory>

namespace copse {

std::optional<std::string> to_utf8(std::string_view text, const std::string& charset) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int32_t>::max() / 4)) return std::nullopt;
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(charset.c_str(), &error),
                                                                     ucnv_close);
  if (U_FAILURE(error) != 0) return std::nullopt;
  // Bytes that mean nothing are an error, not a replacement character.
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &error);
  const icu::UnicodeString characters(text.data(), static_cast<int32_t>(text.size()), converter.get(), error);
  if (U_FAILURE(error) != 0) return std::nullopt;
  std::string utf8;
  characters.toUTF8String(utf8);
  return utf8;
}

}  // namespace copse
