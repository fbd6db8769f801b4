#pragma once

#include <string>

#include "analysis/analysis.h"

namespace copse {

// One HTML page with everything: charts, tables, and the worst sentences with their trees. It refers to no
// other file, is readable without JavaScript, and is well-formed XML after its first line.
std::string analysis_page(const Analysis& analysis);

// All numbers as comma-separated values, one measurement per line: table, system, bin, measure, part, whole,
// value. docs/analysis.md has the tables.
std::string analysis_csv(const Analysis& analysis);

}  // namespace copse
