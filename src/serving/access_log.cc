#include "serving/access_log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "copse/error.h"

namespace copse {
namespace {

// So that a line is not more than what a pipe takes at once.
constexpr std::size_t kLongestText = 500;

// Whoever reads the log from a pipe must not stop the server by reading no more.
bool can_be_written(int file) {
  pollfd waiting{file, POLLOUT, 0};
  return ::poll(&waiting, 1, 0) == 1 && (waiting.revents & POLLOUT) != 0;
}

}  // namespace

AccessLog::AccessLog(std::string path) : path_(std::move(path)) {
  open();
  if (file_ < 0) throw DataError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
}

AccessLog::~AccessLog() {
  if (path_ != "-" && file_ >= 0) ::close(file_);
}

void AccessLog::open() {
  file_ =
      path_ == "-" ? STDERR_FILENO : ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
}

void AccessLog::add(const AccessRecord& record) {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  const std::string line = access_line(record, now.count()) + "\n";
  const std::lock_guard lock(mutex_);
  struct stat there {};
  struct stat ours {};
  const bool has_moved =
      path_ != "-" && (file_ < 0 || ::stat(path_.c_str(), &there) != 0 || ::fstat(file_, &ours) != 0 ||
                       there.st_ino != ours.st_ino || there.st_dev != ours.st_dev);
  if (has_moved) {
    if (file_ >= 0) ::close(file_);
    open();
  }
  if (file_ < 0 || !can_be_written(file_)) return;
  // One call, so that lines of several programs do not mix. A disk that is full must not stop the server.
  [[maybe_unused]] const ssize_t ignored = ::write(file_, line.data(), line.size());
}

std::string access_line(const AccessRecord& record, double time) {
  const auto seconds = static_cast<std::time_t>(std::floor(time));
  const int milliseconds = static_cast<int>((time - std::floor(time)) * 1000.0);
  nlohmann::ordered_json line;
  line["time"] = fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds), milliseconds);
  line["client"] = record.client;
  line["method"] = record.method.substr(0, kLongestText);
  line["path"] = record.path.substr(0, kLongestText);
  line["status"] = record.status;
  line["bytes_in"] = record.bytes_in;
  line["bytes_out"] = record.bytes_out;
  line["sentences"] = record.sentences;
  line["words"] = record.words;
  line["ms"] = std::round(record.seconds * 1e6) / 1e3;
  if (!record.error.empty()) line["error"] = record.error.substr(0, kLongestText);
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace copse
