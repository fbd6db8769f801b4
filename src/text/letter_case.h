#pragma once

#include <string>
#include <string_view>

namespace copse {

// Upper and lower case of the letters that come in pairs: Latin, Greek, Cyrillic, Armenian and full-width
// letters. One character stays one character; all others are left as they are. The text is valid UTF-8.
//
// Features of taggers and rules for lemmas are made of this, and stored models hold their hashes: the results
// never change, whatever later versions of Unicode say. For display and evaluation, see text/unicode.h.
char32_t to_lower(char32_t character);
char32_t to_upper(char32_t character);
inline bool is_upper(char32_t character) { return to_lower(character) != character; }

// Overwrites `lower`.
void lower_text(std::string_view text, std::string& lower);
std::string lowered(std::string_view text);
std::string uppered(std::string_view text);
// The first character in upper case, the others in lower case.
std::string capitalised(std::string_view text);

}  // namespace copse
