#include "parallel/launch.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace copse {
namespace {

std::optional<int> number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::optional<Launch> launch_by(Launch::By by, const char* rank_name, const char* size_name) {
  const std::optional<int> rank = number_in_environment(rank_name);
  const std::optional<int> size = number_in_environment(size_name);
  if (!rank || !size) return std::nullopt;
  return Launch{by, *rank, *size};
}

std::atomic<int> launcher_process = 0;  // signal handlers ask for it

// What /proc says of a process: its name, and who started it.
std::string name_of(int process) {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/comm"), name);
  return name;
}

int parent_of(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string word; file >> word;) {
    int parent = 0;
    if (word == "PPid:" && file >> parent) return parent;
  }
  return 0;
}

}  // namespace

std::string Launch::launcher() const {
  switch (by) {
    case By::mpirun:
      return "mpirun";
    case By::srun:
      return "srun";
    case By::other:
      break;
  }
  return "a launcher of MPI programs";
}

std::optional<Launch> find_launch() {
  const char* alone = std::getenv("COPSE_ALONE");
  if (alone != nullptr && std::string_view(alone) == "1") return std::nullopt;
  // mpirun comes first: what it starts by srun has the variables of both. A script of sbatch, which runs
  // once, has SLURM_PROCID, but no step.
  for (const auto& launch : {launch_by(Launch::By::mpirun, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
                             launch_by(Launch::By::srun, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
                             launch_by(Launch::By::other, "PMI_RANK", "PMI_SIZE")}) {
    if (launch) return launch;
  }
  // How many there are, only MPI can tell; there are more than one if this is not the first.
  if (const std::optional<int> rank = number_in_environment("PMIX_RANK")) {
    return Launch{Launch::By::other, *rank, *rank + 1};
  }
  return std::nullopt;
}

bool has_copies(const std::optional<Launch>& launch) { return launch && launch->size > 1; }

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "an unknown machine";
  return name.data();
}

bool is_launcher(int process) { return process > 0 && process == launcher_process; }

void find_launcher() {
  for (int process = ::getppid(); process > 1; process = parent_of(process)) {
    const std::string name = name_of(process);
    const auto starts_with = [&name](std::string_view beginning) { return name.starts_with(beginning); };
    if (starts_with("mpirun") || starts_with("mpiexec") || starts_with("orte") || starts_with("prte")) {
      launcher_process = process;
      return;
    }
  }
}

}  // namespace copse
