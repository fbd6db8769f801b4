#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace copse {

// Why a request is not answered: a status of HTTP, and one line for people.
class RequestError : public std::runtime_error {
 public:
  RequestError(int status, const std::string& message, std::string where = "")
      : std::runtime_error(message), status_(status), where_(std::move(where)) {}

  int status() const { return status_; }
  // The part of the request that is meant, such as "constraints[2].head"; empty for all of it.
  const std::string& where() const { return where_; }

 private:
  int status_;
  std::string where_;
};

}  // namespace copse
