#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace copse {

// What is true at the moment, rather than counted.
struct ServerLoad {
  int workers = 0;
  int busy_workers = 0;
  std::size_t waiting_requests = 0;
  std::size_t connections = 0;
  std::size_t resident_bytes = 0;  // of the program's memory
};

// Counts what a server does, for GET /metrics. Any thread may call any function.
class Metrics {
 public:
  // `path` is one of few: that of a route, never what a client has written.
  void count_request(const std::string& path, int status, double seconds);
  void count_parsed(std::int64_t sentences, std::int64_t words);

  // In the text format of Prometheus.
  std::string text(const ServerLoad& load) const;

 private:
  // Upper bounds of latencies in seconds; the last bucket has none.
  static constexpr std::array kBounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                         0.25,  0.5,    1.0,   2.5,  5.0,   10.0, 30.0};
  struct Latency {
    std::array<std::int64_t, kBounds.size() + 1> counts = {};
    double seconds = 0.0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::int64_t> requests_;
  std::map<std::string, Latency> latencies_;
  std::int64_t sentences_ = 0;
  std::int64_t words_ = 0;
};

}  // namespace copse
