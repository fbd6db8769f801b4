#pragma once

#include <string_view>

#include "copse/treebank/sentence.h"

namespace copse {

// XPOS, or UPOS where there is no XPOS.
inline std::string_view fine_tag(const Token& word) { return word.xpos() == "_" ? word.upos() : word.xpos(); }

}  // namespace copse
