#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace copse {

// A line of the access log. Nothing of what a client has sent to be parsed is in it: no body, no query.
struct AccessRecord {
  std::string client = {};
  std::string method = {};
  std::string path = {};
  int status = 0;
  std::int64_t bytes_in = 0;   // of the body
  std::int64_t bytes_out = 0;  // with the head
  std::int64_t sentences = 0;
  std::int64_t words = 0;
  double seconds = 0.0;
  std::string error = {};  // what went wrong; empty if nothing did
};

// JSON lines at the end of a file.
class AccessLog {
 public:
  // "-" is the standard error. Throws DataError if the file cannot be written. It is opened again for every
  // line if it has been moved away (as logrotate does).
  explicit AccessLog(std::string path);
  ~AccessLog();

  // Lines that nobody takes from a pipe are lost.
  void add(const AccessRecord& record);

 private:
  void open();

  std::string path_;
  std::mutex mutex_;
  int file_ = -1;
};

// Without the line break; `time` in seconds since 1970.
std::string access_line(const AccessRecord& record, double time);

}  // namespace copse
