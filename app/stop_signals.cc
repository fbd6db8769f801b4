#include "stop_signals.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <span>
#include <string_view>
#include <vector>

#include "current_team.h"
#include "interrupted.h"
#include "io/output_file.h"
#include "parallel/launch.h"
#include "parallel/team_values.h"

namespace copse {
namespace {

volatile std::sig_atomic_t received_signal = 0;
bool is_terminal = false;  // these do not change while handlers are set
bool is_speaking = true;

constexpr std::string_view kMessage =
    "\ncopse: stopping when this iteration is done; the same signal again stops at once\n";

// Only what is allowed in a signal handler, here and below.
void clean_up_and_end(int signal) {
  remove_temporary_files();
  if (signal == SIGTERM || signal == SIGUSR1) ::_exit(kRunAgain);  // from a scheduler
  std::signal(signal, SIG_DFL);
  ::raise(signal);  // takes effect when this function returns
}

void note(int signal, siginfo_t* info, void* /*context*/) {
  if (signal == SIGTERM && info->si_code == SI_USER && is_launcher(info->si_pid)) {
    return clean_up_and_end(signal);
  }
  const bool is_first = received_signal == 0;
  if (is_first || signal != SIGUSR1) received_signal = signal;
  std::signal(SIGINT, clean_up_and_end);
  std::signal(SIGTERM, clean_up_and_end);
  // Schedulers may send theirs to the launcher and to all that it has started, who get it twice then.
  if (!is_first || !is_speaking) return;
  // On a terminal, something may stand in the last line.
  const std::string_view message = kMessage.substr(is_terminal ? 0 : 1);
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, message.data(), message.size());
}

void set_action(int signal, const struct sigaction& action) {
  struct sigaction current {};
  ::sigaction(signal, nullptr, &current);
  if (current.sa_handler == SIG_IGN) return;  // whoever started the program wants it so
  ::sigaction(signal, &action, nullptr);
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  set_action(signal, action);
}

void set_handler(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  set_action(signal, action);
}

}  // namespace

void clean_up_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) set_handler(signal, clean_up_and_end);
}

StopSignals::StopSignals() {
  received_signal = 0;
  is_terminal = ::isatty(STDERR_FILENO) == 1;
  is_speaking = current_team().leads();
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) set_handler(signal, note);
}

StopSignals::~StopSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) set_handler(signal, clean_up_and_end);
}

int StopSignals::received() { return received_signal; }

int StopSignals::received_by_any() {
  const int own = received();
  const std::vector<int> all = gather_values(current_team(), std::span(&own, 1));
  return *std::max_element(all.begin(), all.end());
}

}  // namespace copse
