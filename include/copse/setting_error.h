#pragma once

#include <string>

#include "copse/error.h"

namespace copse {

// A DataError that another value of a setting may avoid, which is what the advice at the end of its message
// is about.
class SettingError : public DataError {
 public:
  // `setting` is a literal: the name that it has among options of the library (max_words).
  SettingError(const std::string& message, const char* setting) : DataError(message), setting_(setting) {}

  // Programs may add what they call it.
  const char* setting() const noexcept { return setting_; }

 private:
  const char* setting_;
};

}  // namespace copse
