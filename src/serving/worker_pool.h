#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "serving/workspace.h"

namespace copse {

// A few threads that parse, each with its workspace, and jobs that share them: every job is done in short
// steps, and after each of them it is the turn of the next job. So small jobs do not wait for large ones.
class WorkerPool {
 public:
  class Job {
   public:
    virtual ~Job() = default;
    // Does the next step on one of the threads, never two at the same time; whether there is another one.
    // Throws nothing.
    virtual bool step(Workspace& workspace) = 0;
    // Whether a step can be done now; else the job waits until wake() is called.
    virtual bool is_ready() const { return true; }
    // Whether what it keeps between its steps is so much that only a few such jobs may have begun.
    virtual bool is_large() const { return false; }
  };

  // Besides one job for each thread, `max_waiting` may have been added and not be done.
  WorkerPool(int threads, std::size_t max_waiting);
  // Does all jobs that have been added.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False, and nothing happens, if too many are waiting.
  bool add(std::unique_ptr<Job> job);
  // A job that was not ready may be so now.
  void wake();

  int threads() const { return static_cast<int>(threads_.size()); }
  int busy() const { return busy_; }
  std::size_t waiting() const;

 private:
  using Queue = std::deque<std::unique_ptr<Job>>;

  void work();
  std::unique_ptr<Job> take();
  void put_back(std::unique_ptr<Job> job);
  void end(const Job& job);
  void begin_large_jobs();

  std::size_t max_jobs_;
  std::size_t max_large_;
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  Queue new_jobs_;    // small ones whose first step is to come
  Queue begun_jobs_;  // those that have had their turn, and large ones
  Queue large_jobs_;  // that may not begin yet
  std::size_t begun_large_ = 0;
  std::size_t jobs_ = 0;  // those that are being done included
  bool is_turn_of_begun_ = false;
  bool is_ending_ = false;
  std::atomic<int> busy_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace copse
