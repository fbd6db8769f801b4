#include "watched_input.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <utility>

namespace copse {

namespace {

// Nothing if it is no regular file.
std::optional<int64_t> regular_file_size(const std::string& path) {
  struct stat status {};
  const int result = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  if (result != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return status.st_size;
}

}  // namespace

int64_t input_size(const std::string& path) { return regular_file_size(path).value_or(0); }

WatchedInput::WatchedInput(const std::string& path, InputPosition& position,
                           std::function<void()> before_waiting)
    : source_(open_file(path)),
      position_(position),
      before_waiting_(std::move(before_waiting)),
      is_standard_input_(path == "-"),
      is_regular_file_(regular_file_size(path).has_value()) {}

// Of a named pipe the descriptor is not known here; it is taken for one that always makes us wait.
bool WatchedInput::may_wait() const {
  if (is_regular_file_) return false;
  if (!is_standard_input_) return true;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) == 0;
}

size_t WatchedInput::read(std::span<char> out) {
  if (may_wait()) before_waiting_();
  const size_t count = source_->read(out);
  position_.bytes_read += static_cast<int64_t>(count);
  return count;
}

}  // namespace copse
