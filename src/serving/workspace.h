#pragma once

#include <memory>
#include <vector>

#include "copse/pipeline.h"
#include "serving/model_set.h"

namespace copse {

// What one worker of a server needs to parse: a pipeline for each model that it has had to do with, which
// keeps its memory from request to request.
class Workspace {
 public:
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
};

}  // namespace copse
