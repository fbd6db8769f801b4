#pragma once

#include <string_view>

namespace copse {

// Where lines for people go: a terminal, or a program that shows them in its own way.
class MessageLines {
 public:
  virtual ~MessageLines() = default;
  // Whether there is a last line, which shows how things stand right now.
  virtual bool is_live() const { return false; }
  // Replaces that line.
  virtual void show(std::string_view /*text*/) {}
  // A line that stays.
  virtual void print(std::string_view message) = 0;
};

}  // namespace copse
