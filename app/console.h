#pragma once

#include <stdexcept>
#include <string_view>

namespace copse {

enum ExitStatus : int { kSuccess = 0, kBadData = 1, kBadUsage = 2 };

// Whoever read the standard output has gone (as `head` does when it has seen enough). No error: the program
// has nothing left to do.
class ReaderGone : public std::runtime_error {
 public:
  ReaderGone() : std::runtime_error("the reader of the standard output has gone") {}
};

// Writes to the standard output at once; in a team, the process that leads does. Throws ReaderGone or
// DataError.
void write_output(std::string_view text);

// One line "copse: MESSAGE" on the standard error. The program goes on, but ends with kBadData.
void report_error(std::string_view message);
bool has_reported_errors();

}  // namespace copse
