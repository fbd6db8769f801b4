#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
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
  const Deadline& deadline;  // to be checked between sentences, or small batches of them
  std::int64_t max_words;    // of a request
  // What the request turned out to be, for metrics and the access log.
  std::int64_t sentences = 0;
  std::int64_t words = 0;

  // To be called for every sentence before it is parsed. Throws RequestError 413.
  void count_sentence(int length) {
    ++sentences;
    words += length;
    if (words > max_words) {
      throw RequestError(
          413, "more than " + std::to_string(max_words) + " words; send less at a time, or raise max_words");
    }
  }
};

// Parses what a request asks for. It takes turns with other requests on workers, of which there are few.
class ParseTask {
 public:
  virtual ~ParseTask() = default;
  // Does the next piece of the work, in a workspace that may be another one each time; whether there is more.
  // A piece has at most so many sentences and words, but for a single sentence of more, or so much reading:
  // together they take some 20 ms.
  virtual bool step(Workspace& workspace) = 0;

  static constexpr std::size_t kMostSentences = 32;
  static constexpr int kMostWords = 300;
  static constexpr std::chrono::milliseconds kReading{10};
};

// Reads a request, and says how it is answered: with the reply that is given. The task borrows the context
// and the reply, but not the request. No task: all has been done.
using ParseHandler = std::function<std::unique_ptr<ParseTask>(const Request&, RequestContext&, Reply&)>;
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
