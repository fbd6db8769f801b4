#pragma once

#include "training/train_command.h"

namespace copse {

// While one of these exists, the listener hears what the runs of this thread would tell the terminal, and
// signals are not for them. Everything that a run says, it says in the thread that it was started in.
class Listening {
 public:
  explicit Listening(RunListener& listener);
  ~Listening();
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
};

// Of this thread; null for the terminal.
RunListener* current_listener();

}  // namespace copse
