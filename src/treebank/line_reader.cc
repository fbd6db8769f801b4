#include "treebank/line_reader.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "copse/error.h"
#include "copse/setting_error.h"

namespace copse {

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::string name, size_t max_line_bytes,
                       size_t buffer_bytes)
    : source_(std::move(source)),
      name_(std::move(name)),
      max_line_bytes_(max_line_bytes),
      buffer_(std::max<size_t>(buffer_bytes, 1)) {}

bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
    filled_ -= std::exchange(begin_, 0);
  }
  if (filled_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const size_t count = source_->read(std::span(buffer_).subspan(filled_));
  filled_ += count;
  return count > 0;
}

bool LineReader::next() {
  const char* newline = nullptr;
  size_t searched = 0;  // bytes after begin_ that hold no newline
  while (true) {
    const size_t available = filled_ - begin_;
    newline =
        static_cast<const char*>(std::memchr(buffer_.data() + begin_ + searched, '\n', available - searched));
    if (newline != nullptr) break;
    searched = available;
    if (searched > max_line_bytes_ + 1 || !fill()) break;
  }
  const char* start = buffer_.data() + begin_;
  text_ = {start, newline == nullptr ? filled_ - begin_ : static_cast<size_t>(newline - start)};
  if (newline == nullptr && text_.empty()) return false;
  ++number_;
  begin_ += text_.size() + (newline == nullptr ? 0 : 1);
  end_ = newline == nullptr ? LineEnd::none : LineEnd::lf;
  if (newline != nullptr && text_.ends_with('\r')) {
    text_.remove_suffix(1);
    end_ = LineEnd::crlf;
  }
  if (text_.size() > max_line_bytes_) {
    fail("the line is longer than " + std::to_string(max_line_bytes_) +
         " bytes; check that this is a CoNLL file");
  }
  return true;
}

void LineReader::fail_at(size_t line, const std::string& reason) const {
  throw DataError(name_ + ":" + std::to_string(line) + ": " + reason);
}

void LineReader::fail_for(const char* setting, const std::string& reason) const {
  throw SettingError(name_ + ":" + std::to_string(number_) + ": " + reason, setting);
}

}  // namespace copse
