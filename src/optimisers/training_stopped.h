#pragma once

#include <stdexcept>

namespace copse {

// Thrown when an observer stopped a training run.
class TrainingStopped : public std::runtime_error {
 public:
  TrainingStopped() : std::runtime_error("training was stopped") {}
};

}  // namespace copse
