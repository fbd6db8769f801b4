#include "run_report/team_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "parallel/team_values.h"
#include "render/number_text.h"

namespace copse {

using Clock = std::chrono::steady_clock;

TrafficMeter::TrafficMeter(Team& team) : team_(&team), last_(team.traffic()), last_time_(Clock::now()) {}

nlohmann::ordered_json TrafficMeter::read() {
  if (team_->is_alone()) return nlohmann::ordered_json::object();
  const TeamTraffic now = team_->traffic();
  const Clock::time_point time = Clock::now();
  const double seconds = std::chrono::duration<double>(time - last_time_).count();
  nlohmann::ordered_json json = {
      {"sent_bytes", now.bytes - last_.bytes},
      {"waiting_share", seconds > 0.0 ? (now.seconds - last_.seconds) / seconds : 0.0}};
  last_ = now;
  last_time_ = time;
  return json;
}

TeamReport team_report(Team& team, double seconds) {
  TeamReport report;
  report.processes = team.size();
  if (team.is_alone()) return report;
  const TeamTraffic own = team.traffic();
  const std::vector<TeamTraffic> all = gather_values(team, std::span(&own, 1));
  const auto share = [seconds](const TeamTraffic& traffic) { return traffic.seconds / seconds; };
  report.waiting_share = report.least_waiting_share = share(all.front());
  for (const TeamTraffic& traffic : all) {
    report.sent_bytes += traffic.bytes;
    report.most_sent_bytes = std::max(report.most_sent_bytes, traffic.bytes);
    report.least_waiting_share = std::min(report.least_waiting_share, share(traffic));
    report.most_waiting_share = std::max(report.most_waiting_share, share(traffic));
  }
  return report;
}

nlohmann::ordered_json team_json(const TeamReport& report) {
  if (report.processes == 1) return nlohmann::ordered_json::object();
  return {{"processes", report.processes},
          {"sent_bytes", report.sent_bytes},
          {"most_sent_bytes", report.most_sent_bytes},
          {"waiting_share", report.waiting_share},
          {"least_waiting_share", report.least_waiting_share},
          {"most_waiting_share", report.most_waiting_share}};
}

std::string team_text(const TeamReport& report) {
  if (report.processes == 1) return "";
  return fmt::format("{} processes: {:.1f} MB sent, {} of the time spent waiting and sending ({} to {})\n",
                     report.processes, static_cast<double>(report.sent_bytes) / 1e6,
                     percent_text(report.waiting_share), percent_text(report.least_waiting_share),
                     percent_text(report.most_waiting_share));
}

}  // namespace copse
