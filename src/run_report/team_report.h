#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "parallel/team.h"

namespace copse {

// What this process has sent to others of its team, and how long it has waited for them: since the meter was
// made or read last.
class TrafficMeter {
 public:
  // Borrows the team.
  explicit TrafficMeter(Team& team);

  // "sent_bytes" and "waiting_share" (of the time), or nothing where one process works alone.
  nlohmann::ordered_json read();

 private:
  Team* team_;
  TeamTraffic last_;
  std::chrono::steady_clock::time_point last_time_;
};

// Of a whole run that took so many seconds.
struct TeamReport {
  int processes = 1;
  std::int64_t sent_bytes = 0;  // by all of them
  std::int64_t most_sent_bytes = 0;
  double waiting_share = 0.0;  // of rank 0
  double least_waiting_share = 0.0;
  double most_waiting_share = 0.0;
};
// Collective.
TeamReport team_report(Team& team, double seconds);
nlohmann::ordered_json team_json(const TeamReport& report);
// A line, or nothing for one process.
std::string team_text(const TeamReport& report);

}  // namespace copse
