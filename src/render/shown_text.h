#pragma once

#include <string>
#include <string_view>

#include "copse/treebank/sentence.h"

namespace copse {

// How wide `text` is in usual sans-serif fonts of this size, in pixels; rather too much than too little.
double text_width(std::string_view text, double size);

inline constexpr int kShownColumns = 40;  // of a form; the rest is in its tooltip

// As much of a text as is drawn.
std::string shown(std::string_view text, int columns = kShownColumns);

// UPOS, or else XPOS; empty for none.
std::string shown_tag(const Token& word);

}  // namespace copse
