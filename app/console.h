#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "copse/error.h"

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

// The message of an error, with the option that its advice is about.
std::string message_of(const DataError& error);

// One line "copse: MESSAGE" on the standard error. The program goes on, but ends with kBadData.
void report_error(std::string_view message);
bool has_reported_errors();

}  // namespace copse
