#pragma once

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "copse/error.h"

namespace copse {

// A part that a model may have or not. To use one that is not there is an error with a message, not
// undefined.
template <class T>
class Component {
 public:
  Component() = default;
  Component(T value) : value_(std::move(value)) {}                 // NOLINT(google-explicit-constructor)
  Component(std::optional<T> value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return value_.has_value(); }
  bool has_value() const { return value_.has_value(); }

  const T& operator*() const {
    if (!value_) {
      throw DataError(
          fmt::format("the model has no {}; use one that has, such as `copse train --pipeline` makes",
                      T::kComponentName));
    }
    return *value_;
  }
  const T* operator->() const { return &**this; }

 private:
  std::optional<T> value_;
};

}  // namespace copse
