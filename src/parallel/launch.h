#pragma once

#include <optional>
#include <string>

namespace copse {

// How a program that starts others (mpirun, srun) has started this one: as one of several.
struct Launch {
  enum class By { mpirun, srun, other };
  By by = By::other;
  int rank = 0;
  int size = 1;

  std::string launcher() const;  // its name, for messages
};

// From the environment; nothing if this program was started by itself, or if the user says that each copy has
// work of its own (COPSE_ALONE=1).
std::optional<Launch> find_launch();

// Whether there are copies of this program that would write the same files.
bool has_copies(const std::optional<Launch>& launch);

// "node7".
std::string host_name();

// When mpirun ends all processes, each gets a SIGTERM from the process of mpirun on its machine, which may
// have started it through a script. find_launcher() looks for it.
void find_launcher();
bool is_launcher(int process);

}  // namespace copse
