#pragma once

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace copse {

// A file with one JSON object per line and event. Each line is there as soon as the event has happened, so
// that a run that was killed leaves its story. In a team, the process that leads writes it: the logs of the
// others have no file.
class TrainingLog {
 public:
  using Clock = std::chrono::steady_clock;

  // The time that the events are counted from.
  explicit TrainingLog(Clock::time_point start) : start_(start) {}

  // Starts a new file, or goes on in an old one. DataError if it cannot be written.
  void open(const std::string& path, bool goes_on);
  bool is_open() const { return file_.is_open(); }

  // Adds the seconds since the start, and returns the whole record; null without a file.
  nlohmann::ordered_json write(std::string_view event, const nlohmann::ordered_json& details);
  double seconds() const;

 private:
  std::string path_;
  std::ofstream file_;
  Clock::time_point start_;
};

// What cannot be a JSON number becomes null.
nlohmann::ordered_json number_or_null(double value);

}  // namespace copse
