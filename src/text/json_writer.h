#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace copse {

// Appends `text` between double quotes, as JSON. Invalid bytes are replaced by U+FFFD.
void append_json_string(std::string_view text, std::string& out);

// Writes JSON at the end of a string, without spaces. What is opened must be closed, and members of objects
// need keys: the writer puts the commas and checks nothing.
class JsonWriter {
 public:
  // Borrows the string.
  explicit JsonWriter(std::string& out) : out_(&out) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  // Of the value that comes next; plain ASCII that needs no escapes.
  void key(std::string_view name) {
    separate();
    *out_ += '"';
    out_->append(name).append("\":");
    needs_comma_ = false;
  }

  void string(std::string_view text) {
    value();
    append_json_string(text, *out_);
  }
  void number(std::int64_t number);
  void number(int value) { number(std::int64_t{value}); }
  // As short as reads back as the same number; null for what JSON has no number for.
  void number(double number);
  // Of single precision: seven digits, which is what a probability needs to be told from all others.
  void number(float number);
  void boolean(bool is_true) { raw(is_true ? "true" : "false"); }
  void null() { raw("null"); }
  // A value that is JSON already.
  void raw(std::string_view json) {
    value();
    *out_ += json;
  }

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

 private:
  void separate() {
    if (needs_comma_) *out_ += ',';
  }
  void value() {
    separate();
    needs_comma_ = true;
  }
  void open(char bracket) {
    separate();
    *out_ += bracket;
    needs_comma_ = false;
  }
  void close(char bracket) {
    *out_ += bracket;
    needs_comma_ = true;
  }

  std::string* out_;
  bool needs_comma_ = false;
};

}  // namespace copse
