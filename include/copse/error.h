#pragma once

#include <stdexcept>
#include <string>

namespace copse {

// Bad input: something the user gave cannot be used. The message is one line that names the place and says
// what is wrong; programs print it and leave with status 1.
class DataError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// There is no tree under the candidate arcs, constraints and root mode, or every tree has probability zero.
class InfeasibleError : public DataError {
 public:
  using DataError::DataError;
};

}  // namespace copse
