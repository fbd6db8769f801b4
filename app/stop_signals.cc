#include "stop_signals.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "io/output_file.h"
#include "run_listener.h"

namespace copse {
namespace {

volatile std::sig_atomic_t received_signal = 0;
bool is_terminal = false;  // does not change while handlers are set

constexpr std::string_view kMessage =
    "\ncopse: stopping when this iteration is done; the same signal again stops at once\n";

// Only what is allowed in a signal handler, here and below.
void clean_up_and_end(int signal) {
  remove_temporary_files();
  std::signal(signal, SIG_DFL);
  ::raise(signal);  // takes effect when this function returns
}

void note(int signal) {
  received_signal = signal;
  std::signal(SIGINT, clean_up_and_end);
  std::signal(SIGTERM, clean_up_and_end);
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

void clean_up_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) set_handler(signal, clean_up_and_end);
}

StopSignals::StopSignals() {
  if (current_listener() != nullptr) return;
  received_signal = 0;
  is_terminal = ::isatty(STDERR_FILENO) == 1;
  set_handler(SIGINT, note);
  set_handler(SIGTERM, note);
}

StopSignals::~StopSignals() {
  if (current_listener() != nullptr) return;
  set_handler(SIGINT, clean_up_and_end);
  set_handler(SIGTERM, clean_up_and_end);
}

int StopSignals::received() {
  if (RunListener* listener = current_listener()) return listener->should_stop() ? SIGINT : 0;
  return received_signal;
}

}  // namespace copse
