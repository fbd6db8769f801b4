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

}  // namespace copse
