#include "team_start.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <thread>
#include <utility>

#include "console.h"
#include "current_team.h"
#include "io/output_file.h"
#include "numeric/simd_name.h"
#include "parallel/team_values.h"
#include "parse_folder.h"
#include "status_line.h"
#ifdef COPSE_MPI
#include "cluster/mpi_session.h"
#endif

namespace copse {
namespace {

// The commands that are done by several processes, and what N copies would do without knowing of each other.
bool is_for_teams(const CLI::App& command) {
  const std::string& name = command.get_name();
  if (name == "train" || name == "pretrain") return true;
  if (name == "tag" || name == "segment") return command.count("--train") > 0;
  return name == "parse" && command.count("--output") > 0 &&
         is_folder_name(command.get_option("--output")->as<std::string>());
}

std::string copies(const Launch& launch, const CLI::App& command) {
  return fmt::format("{} copies of the same {} would overwrite each other", launch.size,
                     command.get_name() == "parse" ? "parses" : "training");
}

#ifdef COPSE_MPI

std::unique_ptr<MpiSession> session;

// Options that processes may have different ones of: they change no result.
std::string compared_options(const std::vector<std::string>& arguments) {
  std::string compared;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    if (argument.starts_with("--threads=") || argument.starts_with("--memory=")) continue;
    if (argument == "--threads" || argument == "--memory") {
      ++k;
      continue;
    }
    compared += " " + argument;
  }
  return compared;
}

std::size_t hash_of_program() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return std::hash<std::string>()({std::istreambuf_iterator<char>(file), {}});
}

// What a process is, to compare with the others.
enum Fact : std::size_t { kHost, kProgram, kOptions, kInstructions };

std::vector<std::string> facts_of_process(const std::vector<std::string>& arguments) {
  const std::string program = fmt::format("copse {} ({:016x})", COPSE_VERSION, hash_of_program());
  return {host_name(), program, compared_options(arguments), simd_name()};
}

// Throws BadLaunch, in all processes, if they would not do the same.
void compare_processes(Team& team, const std::vector<std::string>& arguments) {
  const auto all = gather_texts(team, facts_of_process(arguments));
  const std::vector<std::string>& first = all.front();
  const auto different = [&](Fact fact) -> std::optional<std::size_t> {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& other) { return other[fact] != first[fact]; });
    if (found == all.end()) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
  };
  if (const auto rank = different(kProgram)) {
    throw BadLaunch(
        fmt::format("rank {} on {} runs another program than rank 0 on {}: {} and {}; install the "
                    "same one on all machines",
                    *rank, all[*rank][kHost], first[kHost], all[*rank][kProgram], first[kProgram]));
  }
  if (const auto rank = different(kOptions)) {
    throw BadLaunch(fmt::format("rank {} on {} has other options than rank 0 on {}:{}; and not:{}", *rank,
                                all[*rank][kHost], first[kHost], all[*rank][kOptions], first[kOptions]));
  }
  const auto rank = different(kInstructions);
  if (rank && team.leads()) {
    StatusLine().print(
        fmt::format("copse: rank {} on {} computes with {}, rank 0 on {} with {}: the model can differ in "
                    "its last digits from "
                    "one that machines of one kind make",
                    *rank, all[*rank][kHost], all[*rank][kInstructions], first[kHost], first[kInstructions]));
  }
}

// The cores that this process may use, by those that share them.
int own_cores(Team& team) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  const auto* first = reinterpret_cast<const char*>(&cores);
  const std::vector<std::string> own = {host_name(), std::string(first, sizeof(cores))};
  int sharers = 0;
  for (const std::vector<std::string>& other : gather_texts(team, own)) {
    if (other[0] != own[0]) continue;
    cpu_set_t common;
    std::copy(other[1].begin(), other[1].end(), reinterpret_cast<char*>(&common));
    CPU_AND(&common, &common, &cores);
    if (CPU_COUNT(&common) > 0) ++sharers;
  }
  return std::max(1, CPU_COUNT(&cores) / std::max(1, sharers));
}

#endif

}  // namespace

bool is_mpi_compiled_in() {
#ifdef COPSE_MPI
  return true;
#else
  return false;
#endif
}

TeamStart::TeamStart(std::vector<std::string> arguments)
    : arguments_(std::move(arguments)), launch_(find_launch()) {
  if (launch_ && launch_->by == Launch::By::mpirun) find_launcher();
}

void TeamStart::say_once(const std::string& message) const {
  if (!launch_ || launch_->rank == 0) {
    report_error(message);
  } else if (!is_started_) {  // otherwise end() waits for all
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }
}

void TeamStart::start(CLI::App& command) {
  if (!launch_) return;
  if (is_for_teams(command)) {
    if (is_mpi_compiled_in()) return start_mpi(command);
    if (!has_copies(launch_)) return;
    throw BadLaunch(
        fmt::format("{} has started {} copies of this program, which is built without MPI: {}; build it with "
                    "-DCOPSE_MPI=ON, or run one",
                    launch_->launcher(), launch_->size, copies(*launch_, command)));
  }
  if (!has_copies(launch_)) return;
  throw BadLaunch(
      fmt::format("{} has started {} copies of `copse {}`, which is work for one process; run it without {} "
                  "(or, if each copy has work of its own, set COPSE_ALONE=1)",
                  launch_->launcher(), launch_->size, command.get_name(), launch_->launcher()));
}

void TeamStart::start_mpi([[maybe_unused]] CLI::App& command) {
#ifdef COPSE_MPI
  const bool has_dealer = command.get_name() == "parse";
  session = std::make_unique<MpiSession>(has_dealer ? MpiSession::Callers::all_threads
                                                    : MpiSession::Callers::one_thread);
  is_started_ = true;
  Team& team = session->team();
  if (team.is_alone() && has_copies(launch_)) {
    throw BadLaunch(
        fmt::format("{0} has started {1} copies of this program, but they do not find each other: "
                    "{2}; with srun, try --mpi=pmix, or use the mpirun of the MPI that copse is "
                    "built with",
                    launch_->launcher(), launch_->size, copies(*launch_, command)));
  }
  set_current_team(team, [](std::size_t tasks) { return session->make_dealer(tasks); });
  compare_processes(team, arguments_);
  CLI::Option* threads = command.get_option_no_throw("--threads");
  if (threads != nullptr && threads->count() == 0) {
    threads->add_result(std::to_string(own_cores(team)));
    threads->run_callback();
  }
#endif
}

void TeamStart::end() {
#ifdef COPSE_MPI
  if (is_started_) session->end();
#endif
  is_started_ = false;
}

void TeamStart::fail([[maybe_unused]] int status, [[maybe_unused]] const std::string& message) const {
#ifdef COPSE_MPI
  if (!is_started_ || current_team().is_alone()) return;
  const Team& team = current_team();
  remove_temporary_files();
  // Whatever has happened to all is said by rank 0, which ends the others meanwhile.
  constexpr std::chrono::milliseconds kHeadStart(1000);  // on a busy machine, all may take their time
  constexpr std::chrono::milliseconds kTurn(200);
  constexpr int kMostTurns = 20;
  if (!team.leads()) std::this_thread::sleep_for(kHeadStart + kTurn * std::min(team.rank(), kMostTurns));
  report_error(fmt::format("rank {} of {} on {}: {}", team.rank(), team.size(), host_name(), message));
  session->abort(status);
#endif
}

}  // namespace copse
