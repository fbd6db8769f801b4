#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/value_writer.h"

namespace copse {

// Appends `text` between double quotes, as JSON. Invalid bytes are replaced by U+FFFD.
void append_json_string(std::string_view text, std::string& out);

// Writes JSON at the end of a string, without spaces: the writer puts the commas and checks nothing.
class JsonWriter final : public ValueWriter {
 public:
  // Borrows the string.
  explicit JsonWriter(std::string& out) : out_(&out) {}

  using ValueWriter::number;
  void begin_object() override { open('{'); }
  void end_object() override { close('}'); }
  void begin_array() override { open('['); }
  void end_array() override { close(']'); }

  void key(std::string_view name) override {
    separate();
    *out_ += '"';
    out_->append(name).append("\":");
    needs_comma_ = false;
  }

  void string(std::string_view text) override {
    value();
    append_json_string(text, *out_);
  }
  void number(std::int64_t number) override;
  // As short as reads back as the same number; null for what JSON has no number for.
  void number(double number) override;
  // In single precision: seven digits. Rounding may have left it outside of [0, 1].
  void probability(double probability) override;
  void boolean(bool is_true) override { raw(is_true ? "true" : "false"); }
  void null() override { raw("null"); }
  // A value that is JSON already.
  void raw(std::string_view json) {
    value();
    *out_ += json;
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
