#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "serving/reply.h"
#include "serving/request.h"

namespace copse {

class Deadline;
class ModelSet;
class Workspace;

// What every handler may use while it answers a request. All of it is borrowed.
struct RequestContext {
  const ModelSet& models;
  Workspace& workspace;      // of the worker that the handler runs on
  const Deadline& deadline;  // to be checked between sentences, or small batches of them
  std::int64_t max_words;    // of a request; more are refused by a RequestError 413
  // Counted by the handler as it goes, for metrics and the access log.
  std::int64_t sentences = 0;
  std::int64_t words = 0;
};

using Handler = std::function<void(const Request&, RequestContext&, Reply&)>;

// How errors are written that a handler throws: as a line of text (UDPipe's protocol), or as the JSON object
// of /v1.
enum class ErrorStyle : std::uint8_t { text, json };

struct Route {
  std::string path;
  std::vector<std::string> methods;
  Handler handler;
  ErrorStyle errors = ErrorStyle::text;
};

}  // namespace copse
