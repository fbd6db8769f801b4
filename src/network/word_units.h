#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "network/network_shape.h"
#include "text/letters.h"
#include "text/utf8.h"

namespace copse {

// Of a longer word, the first and the last half of so many characters are read, and of these as many units.
inline constexpr std::size_t kMostWordUnits = 20;

// Calls use(text) for all that a word can be read by: characters, or letters.
template <class Use>
void for_each_unit(std::string_view form, Spelling spelling, Use use) {
  if (spelling == Spelling::both) {
    for_each_letter(form, use);
  } else {
    for_each_character(form, [&](const Character& character) { use(character.bytes); });
  }
}

// Appends number_of(unit) for what is read of a form.
template <class Number, class NumberOf>
void append_units(std::string_view form, Spelling spelling, NumberOf number_of, std::vector<Number>& to) {
  const std::size_t begin = to.size();
  const auto append = [&](std::string_view text) {
    for_each_unit(text, spelling, [&](std::string_view unit) { to.push_back(number_of(unit)); });
  };
  constexpr std::size_t kHalf = kMostWordUnits / 2;
  if (count_characters(form) <= kMostWordUnits) {
    append(form);
  } else {
    append(first_characters(form, kHalf));
    append(last_characters(form, kHalf));
  }
  // Characters may consist of several letters.
  if (to.size() - begin <= kMostWordUnits) return;
  const auto first = to.begin() + static_cast<std::ptrdiff_t>(begin);
  to.erase(first + kHalf, to.end() - kHalf);
}

}  // namespace copse
