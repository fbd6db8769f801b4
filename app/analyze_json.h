#pragma once

#include <string>

#include "analysis/analysis.h"

namespace copse {

// docs/analysis.md has the fields.
std::string json_report(const Analysis& analysis);

}  // namespace copse
