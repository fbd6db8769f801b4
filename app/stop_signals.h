#pragma once

namespace copse {

// From now on, signals that end the program leave no temporary files behind, unless they are ignored. Those
// of schedulers, SIGTERM and SIGUSR1, end it with kRunAgain; SIGINT and SIGHUP as they end other programs.
void clean_up_on_signals();

// While one of these exists, the first SIGINT (Ctrl-C), SIGTERM or SIGUSR1 only leaves a note, so that long
// work can be stopped at a good place. A second SIGINT or SIGTERM ends the program at once, as always; so
// does a SIGTERM of mpirun, which has begun to end all processes then.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // The signal that came, or 0.
  static int received();
  // The one that came to any process of the team, the same for all of them. Collective.
  static int received_by_any();
};

}  // namespace copse
