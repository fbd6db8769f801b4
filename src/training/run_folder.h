#pragma once

#include <string>

#include "parallel/team.h"

namespace copse {

// Where a long run writes: what it makes, and beside it a folder with checkpoints.
struct RunFolder {
  std::string output;
  const char* setting;  // that names the output, for messages: a literal
  bool resume = false;

  std::string checkpoints() const { return output + ".checkpoint"; }
  bool has_checkpoints() const;
};

// Hours of work must not end in a message that nothing can be written, nor be thrown away because an option
// was forgotten: DataError, in the process that leads, if output or checkpoints cannot be made, or if there
// are checkpoints that are not to be gone on with.
void expect_place_for(const RunFolder& run, const Team& team);

}  // namespace copse
