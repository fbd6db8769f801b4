#pragma once

#include <memory>
#include <vector>

#include "copse/pipeline.h"
#include "serving/deadline.h"
#include "serving/model_set.h"

namespace copse {

// What one worker of a server needs to parse: a pipeline for each model that it has had to do with, which
// keeps its memory from request to request.
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;  // pipelines know where it is
  Workspace& operator=(const Workspace&) = delete;

  // That the pipelines keep, even in the middle of a long sentence.
  void set_deadline(const Deadline& deadline) { deadline_ = deadline; }

  // With these options until the next call.
  Pipeline& pipeline(const NamedModel& model, const ParseOptions& options);

  // After a request whose longest sentence had so many words: memory that only such sentences need is given
  // back.
  void give_back(int longest_sentence);

 private:
  struct Entry {
    const NamedModel* model;
    std::unique_ptr<Pipeline> pipeline;
  };
  std::vector<Entry> entries_;
  Deadline deadline_;
};

}  // namespace copse
