#pragma once

#include <string>
#include <string_view>

namespace copse {

// What Unicode says about characters, in the version of the ICU library that the program runs with. This is
// for display and evaluation. What features of stored models are made of must be the same for ever, and comes
// from text/character_table.h and text/letter_case.h instead.

// Valid UTF-8 in small letters, by the full mapping that does not depend on a language: a dotted capital I
// becomes two characters, and a capital sigma at the end of a word the final one.
std::string lower_case(std::string_view text);

// Valid UTF-8 in Unicode's canonical decomposition (NFD) and composition (NFC), which never change for
// characters that there are.
std::string decomposed(std::string_view text);
std::string composed(std::string_view text);

// Whether the general category is one of punctuation (P*).
bool is_punctuation_character(char32_t code);

// Whether the general category is that of spaces (Zs).
bool is_space_character(char32_t code);

// The columns that a character takes on a terminal: 0, 1 or 2.
int character_columns(char32_t code);

}  // namespace copse
