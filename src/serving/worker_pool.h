#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "serving/workspace.h"

namespace copse {

// A few threads that parse, each with its workspace, and a queue of bounded length in front of them.
class WorkerPool {
 public:
  // A job is done on one of the threads, and throws nothing. It answers with the length of the longest
  // sentence that it had to do with.
  using Job = std::function<int(Workspace&)>;

  WorkerPool(int threads, std::size_t max_waiting);
  // Does all jobs that have been added.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False, and nothing happens, if too many are waiting.
  bool add(Job job);

  int threads() const { return static_cast<int>(threads_.size()); }
  int busy() const { return busy_; }
  std::size_t waiting() const;

 private:
  void work();

  std::size_t max_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<Job> jobs_;
  std::size_t idle_ = 0;
  bool is_ending_ = false;
  std::atomic<int> busy_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace copse
