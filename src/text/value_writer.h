#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace copse {

// Where the values of a JSON document go, one after the other: into text (JsonWriter), or into the objects of
// an interpreter. What is opened must be closed, and members of objects need keys.
class ValueWriter {
 public:
  virtual ~ValueWriter() = default;

  virtual void begin_object() = 0;
  virtual void end_object() = 0;
  virtual void begin_array() = 0;
  virtual void end_array() = 0;
  // Of the value that comes next; plain ASCII that needs no escapes.
  virtual void key(std::string_view name) = 0;

  virtual void string(std::string_view text) = 0;
  virtual void number(std::int64_t number) = 0;
  void number(int value) { number(std::int64_t{value}); }
  virtual void number(double number) = 0;
  // With as many digits as tell a probability from all others.
  virtual void probability(double probability) = 0;
  virtual void boolean(bool is_true) = 0;
  virtual void null() = 0;

  template <class Value>
  void member(std::string_view name, const Value& value) {
    key(name);
    if constexpr (std::is_same_v<Value, bool>) {
      boolean(value);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      number(value);
    } else {
      string(value);
    }
  }
};

}  // namespace copse
