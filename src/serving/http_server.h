#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "serving/access_log.h"
#include "serving/service.h"

namespace copse {

struct HttpOptions {
  std::string host = "127.0.0.1";
  int port = 8001;                              // 0: any that is free
  std::size_t max_body = std::size_t{4} << 20;  // bytes
  // From the first byte of a request to its last one; also until an answer is written.
  std::chrono::milliseconds timeout{30'000};
  std::chrono::milliseconds idle{15'000};  // between requests
  std::size_t max_connections = 512;
};

// HTTP/1.1 in front of a service.
class HttpServer {
 public:
  // Borrows the service and the log, which may be null.
  HttpServer(Service& service, AccessLog* log, const HttpOptions& options);
  ~HttpServer();

  // Takes the port, and says which. Throws DataError if it cannot be had.
  int bind();
  // Answers until stop() has been called, and everything that had begun has been answered. Throws DataError
  // if the system takes the port away.
  void run();
  // From any thread, once run() has been called or will be: finishes what runs, refuses what is new.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
