#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "serving/reply.h"
#include "serving/request.h"
#include "serving/request_error.h"

namespace copse {

class Deadline;
class ModelSet;
class Workspace;

// What every handler may use while it answers a request. All of it is borrowed.
struct RequestContext {
  const ModelSet& models;
  Workspace& workspace;      // of the worker that the handler runs on
  const Deadline& deadline;  // to be checked between sentences, or small batches of them
  std::int64_t max_words;    // of a request
  // What the request turned out to be, for metrics, the access log and the memory of the workspace.
  std::int64_t sentences = 0;
  std::int64_t words = 0;
  int longest_sentence = 0;

  // To be called for every sentence before it is parsed. Throws RequestError 413.
  void count_sentence(int length) {
    ++sentences;
    words += length;
    longest_sentence = std::max(longest_sentence, length);
    if (words > max_words) {
      throw RequestError(413, "more than " + std::to_string(max_words) +
                                  " words; send less at a time, or raise --max-words");
    }
  }
};

// Parses: runs on a worker, of which there are few, and may wait in the queue before.
using ParseHandler = std::function<void(const Request&, RequestContext&, Reply&)>;
// Knows the answer without parsing, and is asked at once.
using QuickHandler = std::function<void(const Request&, Reply&)>;

// How errors are written that a handler throws: as a line of text (UDPipe's protocol), or as the JSON object
// of /v1: {"error": {"message": "..."}}.
enum class ErrorStyle : std::uint8_t { text, json };

// What answers a path. One of the two handlers is set.
struct Route {
  std::string path;
  std::vector<std::string> methods;  // GET means HEAD, too
  ParseHandler parse = nullptr;
  QuickHandler quick = nullptr;
  ErrorStyle errors = ErrorStyle::text;
};

}  // namespace copse
