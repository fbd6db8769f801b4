#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel/launch.h"

namespace copse {

// Why this command is not for several processes, or not for these.
class BadLaunch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

bool is_mpi_compiled_in();

// What mpirun and srun are to the program: makes the team of a command that is for several processes, and
// ends it. Where nobody has started several copies, it does nothing.
class TeamStart {
 public:
  explicit TeamStart(std::vector<std::string> arguments);

  // Between the reading of a command's options and its work. Throws BadLaunch for what N copies would do to
  // each other, and where the processes do not fit together.
  void start(CLI::App& command);
  // After the work.
  void end();

  // Says what all processes know, in one of them. The others wait a moment: a launcher ends all as soon as
  // one has failed, and that must not come before the message.
  void say_once(const std::string& message) const;

  // This process has failed. If others wait for it, says so as one of them, "rank 2 of 4 on node7: MESSAGE",
  // ends all of them, and does not return. If several fail at once, one speaks.
  void fail(int status, const std::string& message) const;

 private:
  void start_mpi(CLI::App& command);

  std::vector<std::string> arguments_;
  std::optional<Launch> launch_;
  bool is_started_ = false;
};

}  // namespace copse
