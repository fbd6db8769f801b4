#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"

namespace copse {

enum class LineEnd { lf, crlf, none };

// Cuts a stream into lines. The buffer grows to the longest line, up to a limit.
class LineReader {
 public:
  LineReader(std::unique_ptr<ByteSource> source, std::string name, size_t max_line_bytes,
             size_t buffer_bytes = size_t{128} << 10);

  // Moves on to the next line; false at the end. A line over the limit is a DataError.
  bool next();

  // Of the line that next() found: valid until the next call.
  std::string_view text() const { return text_; }
  LineEnd end() const { return end_; }
  size_t number() const { return number_; }  // counted from 1

  // Throws DataError "name:line: reason".
  [[noreturn]] void fail(const std::string& reason) const { fail_at(number_, reason); }
  [[noreturn]] void fail_at(size_t line, const std::string& reason) const;
  // The same as a SettingError.
  [[noreturn]] void fail_for(const char* setting, const std::string& reason) const;

 private:
  bool fill();

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  size_t max_line_bytes_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of the bytes that are read but not yet part of a line
  size_t filled_ = 0;
  std::string_view text_;
  LineEnd end_ = LineEnd::none;
  size_t number_ = 0;
};

}  // namespace copse
