#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse {

// The value of a header that has parameters: `form-data; name="a"; filename="b.txt"`.
struct ParameterisedValue {
  std::string value;                                            // in small letters: "form-data"
  std::vector<std::pair<std::string, std::string>> parameters;  // names in small letters

  // Null if there is none.
  const std::string* parameter(std::string_view name) const;
};

// Parameters may be tokens or quoted strings, with spaces around every separator, and empty ones in between.
// A parameter name* (RFC 8187: UTF-8'en'%e2%82%ac) takes the place of one without the asterisk, and the parts
// name*0, name*1 of RFC 2231 are put together. Nothing if the text does not read like that.
std::optional<ParameterisedValue> parse_parameterised(std::string_view text);

std::string lower_ascii(std::string_view text);
// Without the spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace copse
