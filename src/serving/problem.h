#pragma once

#include <exception>
#include <string>

#include "serving/reply.h"
#include "serving/route.h"

namespace copse {

// Why a request is not answered, as its client is told.
struct Problem {
  int status = 500;
  std::string message;
  std::string where = {};  // the part of the request that is meant, if there is one
};

// What an exception of a handler means.
Problem describe(const std::exception_ptr& error);

ReplyHead error_head(const Problem& problem, ErrorStyle style);
std::string error_body(const Problem& problem, ErrorStyle style);

// The style of paths that no route answers.
ErrorStyle style_of(const std::string& path);

}  // namespace copse
