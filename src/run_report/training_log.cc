#include "run_report/training_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <system_error>

#include "copse/error.h"

namespace copse {

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

void TrainingLog::open(const std::string& path, bool goes_on) {
  path_ = path;
  file_.open(path, std::ios::binary | (goes_on ? std::ios::app : std::ios::trunc));
  if (!file_) {
    throw DataError(fmt::format("{}: cannot write: {}; check the path and its permissions", path_,
                                std::generic_category().message(errno)));
  }
}

double TrainingLog::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

nlohmann::ordered_json TrainingLog::write(std::string_view event, const nlohmann::ordered_json& details) {
  if (!file_.is_open()) return nullptr;
  nlohmann::ordered_json line = {{"event", event}, {"time", seconds()}};
  line.update(details);
  file_ << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
  if (!file_) throw DataError(path_ + ": cannot write the log; check the free space");
  return line;
}

}  // namespace copse
