#pragma once

#include <csignal>
#include <stdexcept>
#include <string>

namespace copse {

// What was stopped by a scheduler (SIGTERM, SIGUSR1) can be run again, with --resume where there is one: the
// status that sysexits.h has for that. Ctrl-C has what shells make of it.
inline constexpr int kRunAgain = 75;
inline int status_of_stop(int signal) { return signal == SIGINT ? 128 + SIGINT : kRunAgain; }

// The user stopped the program, which ends with this status.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(int status, const std::string& message) : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace copse
