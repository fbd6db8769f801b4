#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "copse/model.h"
#include "copse/parse_options.h"
#include "parallel/task_pool.h"
#include "pipeline/parallel_pipeline.h"

namespace copse::python {

// What a call needs beside the model: threads, and memory that is used again.
class Workspace {
 public:
  Workspace(const Model& model, int threads);

  int threads() const { return pool_.threads(); }
  TaskPool& pool() { return pool_; }
  void parse(const ParseOptions& options, std::span<PipelineItem> items);
  // Threads do not go along into a forked process.
  bool is_of_this_process() const;

 private:
  const Model& model_;
  TaskPool pool_;
  std::optional<ParallelPipeline> pipeline_;
  Device device_ = Device::cpu;
  pid_t process_;
};

// A model and its workspaces: as many as calls run at a time.
class Workspaces {
 public:
  explicit Workspaces(Model model) : model_(std::move(model)) {}
  ~Workspaces();
  Workspaces(const Workspaces&) = delete;
  Workspaces& operator=(const Workspaces&) = delete;

  const Model& model() const { return model_; }

  // Calls f(workspace) with one that nobody else uses meanwhile.
  template <class F>
  void with(int threads, F&& f) {
    std::unique_ptr<Workspace> workspace = take(threads);
    try {
      f(*workspace);
    } catch (...) {
      give_back(std::move(workspace));
      throw;
    }
    give_back(std::move(workspace));
  }

 private:
  std::unique_ptr<Workspace> take(int threads);
  void give_back(std::unique_ptr<Workspace> workspace);

  Model model_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

}  // namespace copse::python
