#pragma once

namespace copse {

// From now on, signals that end the program (SIGINT, SIGTERM, SIGHUP) leave no temporary files behind, unless
// they are ignored.
void clean_up_on_signals();

// While one of these exists, the first SIGINT (Ctrl-C) or SIGTERM only leaves a note, so that long work can
// be stopped at a good place. The second ends the program at once, as always.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // The signal that came, or 0. Runs that somebody listens to (run_listener.h) are stopped by him instead.
  static int received();
};

}  // namespace copse
