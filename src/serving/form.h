#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "serving/request.h"

namespace copse {

// The fields of a form by name, in UTF-8. Where a name comes several times, its last value counts.
using FormFields = std::map<std::string, std::string, std::less<>>;

// Percent-encoded text, in which plus signs may stand for spaces (queries and forms), or not (paths). Nothing
// if a percent sign is not followed by two hexadecimal digits.
enum class PlusSigns { are_spaces, are_themselves };
std::optional<std::string> percent_decoded(std::string_view text, PlusSigns plus_signs);

// Adds the fields of "a=1&b=2". Throws RequestError 400 for what is not percent-encoded UTF-8.
void add_url_encoded(std::string_view text, FormFields& fields);

// The fields of a request: those of its query, and those of its body, which win. The body may be
// application/x-www-form-urlencoded or multipart/form-data; without a body, it may be of any type. Throws
// RequestError 400.
FormFields read_form(const Request& request);

}  // namespace copse
