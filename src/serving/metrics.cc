#include "serving/metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace copse {
namespace {

void append_head(std::string& text, const char* name, const char* kind, const char* help) {
  text += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, kind, help);
}

void append_single(std::string& text, const char* name, const char* kind, const char* help,
                   std::int64_t value) {
  append_head(text, name, kind, help);
  text += fmt::format("{} {}\n", name, value);
}

}  // namespace

void Metrics::count_request(const std::string& path, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{path, status}];
  Latency& latency = latencies_[path];
  const auto bucket = std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin();
  ++latency.counts[static_cast<std::size_t>(bucket)];
  latency.seconds += seconds;
}

void Metrics::count_parsed(std::int64_t sentences, std::int64_t words) {
  const std::lock_guard lock(mutex_);
  sentences_ += sentences;
  words_ += words;
}

std::string Metrics::text(const ServerLoad& load) const {
  const std::lock_guard lock(mutex_);
  std::string text;
  append_head(text, "copse_requests_total", "counter", "Requests answered, by path and status.");
  for (const auto& [key, count] : requests_) {
    text +=
        fmt::format("copse_requests_total{{path=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
  }
  append_single(text, "copse_sentences_total", "counter", "Sentences of requests.", sentences_);
  append_single(text, "copse_words_total", "counter", "Words of requests.", words_);
  append_head(text, "copse_request_seconds", "histogram",
              "Time from the last byte of a request to the last of its answer.");
  for (const auto& [path, latency] : latencies_) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < kBounds.size(); ++k) {
      sum += latency.counts[k];
      text +=
          fmt::format("copse_request_seconds_bucket{{path=\"{}\",le=\"{}\"}} {}\n", path, kBounds[k], sum);
    }
    sum += latency.counts.back();
    text += fmt::format("copse_request_seconds_bucket{{path=\"{}\",le=\"+Inf\"}} {}\n", path, sum);
    text += fmt::format("copse_request_seconds_sum{{path=\"{}\"}} {:.6f}\n", path, latency.seconds);
    text += fmt::format("copse_request_seconds_count{{path=\"{}\"}} {}\n", path, sum);
  }
  append_single(text, "copse_workers", "gauge", "Threads that parse.", load.workers);
  append_single(text, "copse_workers_busy", "gauge", "Threads that are parsing now.", load.busy_workers);
  append_single(text, "copse_queue_length", "gauge", "Requests that wait for a worker.",
                static_cast<std::int64_t>(load.waiting_requests));
  append_single(text, "copse_connections", "gauge", "Open connections.",
                static_cast<std::int64_t>(load.connections));
  append_single(text, "copse_resident_bytes", "gauge", "Memory of the program.",
                static_cast<std::int64_t>(load.resident_bytes));
  return text;
}

}  // namespace copse
