#include "serving/worker_pool.h"

#include <utility>

namespace copse {

WorkerPool::WorkerPool(int threads, std::size_t max_waiting) : max_waiting_(max_waiting) {
  threads_.reserve(static_cast<std::size_t>(threads));
  for (int k = 0; k < threads; ++k) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkerPool::add(Job job) {
  {
    const std::lock_guard lock(mutex_);
    // What somebody takes at once does not wait.
    if (jobs_.size() >= max_waiting_ + idle_) return false;
    jobs_.push_back(std::move(job));
  }
  has_work_.notify_one();
  return true;
}

std::size_t WorkerPool::waiting() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

void WorkerPool::work() {
  Workspace workspace;
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    has_work_.wait(lock, [this] { return !jobs_.empty() || is_ending_; });
    --idle_;
    if (jobs_.empty()) return;
    {
      const Job job = std::move(jobs_.front());
      jobs_.pop_front();
      ++busy_;
      lock.unlock();
      workspace.give_back(job(workspace));
    }
    lock.lock();
    --busy_;
  }
}

}  // namespace copse
