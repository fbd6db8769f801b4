#pragma once

#include <algorithm>
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

  // To be told of every sentence that is to be parsed.
  void expect_sentence(int words) { longest_ = std::max(longest_, words); }
  // Between requests: memory that only long sentences need is given back, if there have been any.
  void give_back();

 private:
  struct Entry {
    const NamedModel* model;
    std::unique_ptr<Pipeline> pipeline;
  };
  std::vector<Entry> entries_;
  int longest_ = 0;  // sentence since the last give_back()
};

}  // namespace copse
