#include "stop_signals.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace copse {
namespace {

volatile std::sig_atomic_t received_signal = 0;
bool is_terminal = false;  // does not change while handlers are set

constexpr std::string_view kMessage =
    "\ncopse: stopping when this iteration is done; the same signal again stops at once\n";

// Only what is allowed in a signal handler.
void note(int signal) {
  received_signal = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  // On a terminal, something may stand in the last line.
  const std::string_view message = kMessage.substr(is_terminal ? 0 : 1);
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, message.data(), message.size());
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;  // whoever started the program wants it so
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  received_signal = 0;
  is_terminal = ::isatty(STDERR_FILENO) == 1;
  set_handler(SIGINT, note);
  set_handler(SIGTERM, note);
}

StopSignals::~StopSignals() {
  set_handler(SIGINT, SIG_DFL);
  set_handler(SIGTERM, SIG_DFL);
}

int StopSignals::received() { return received_signal; }

}  // namespace copse
