#pragma once

#include <chrono>
#include <cstddef>
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
  // More are refused; also fewer, if the system does not allow so many.
  std::size_t max_connections = 10'000;
};

// Whether a server can listen there: it is an address, or a name that has one.
bool is_host(const std::string& host);

// HTTP/1.1 in front of a service. All connections are served by one thread, which never waits for any of them
// (nor for a worker), so that none can hold up another.
class HttpServer {
 public:
  // Borrows the service and the log, which may be null.
  HttpServer(Service& service, AccessLog* log, const HttpOptions& options);
  ~HttpServer();

  // Takes the port, and says which. Throws DataError if it cannot be had.
  int bind();
  // How many connections may be open: fewer than the options say if the system allows no more.
  std::size_t max_connections() const;
  // Answers until stop() has been called, and everything that had begun has been answered. Throws DataError
  // if the system takes the port away.
  void run();
  // From any thread, once bind() has been called: lets run() finish what has begun, and refuse what is new.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
