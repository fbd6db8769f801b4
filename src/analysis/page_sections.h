#pragma once

#include <string>

#include "analysis/analysis.h"

namespace copse {

// The parts of the page, as HTML. A section that there is nothing to say in is an empty text.
std::string legend(const Analysis& analysis);
std::string scores_section(const Analysis& analysis);
std::string structure_section(const Analysis& analysis);
std::string tags_section(const Analysis& analysis);
std::string labels_section(const Analysis& analysis);
std::string probabilities_section(const Analysis& analysis);
std::string sentences_section(const Analysis& analysis);

}  // namespace copse
