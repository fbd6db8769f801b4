#include "serving/worker_pool.h"

#include <algorithm>
#include <utility>

namespace copse {
namespace {

// Two for each thread, so that one can be done while the client of the other reads slowly.
constexpr std::size_t kLargeJobsPerThread = 2;

}  // namespace

WorkerPool::WorkerPool(int threads, std::size_t max_waiting)
    : max_jobs_(static_cast<std::size_t>(threads) + max_waiting),
      max_large_(kLargeJobsPerThread * static_cast<std::size_t>(threads)) {
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

bool WorkerPool::add(std::unique_ptr<Job> job) {
  {
    const std::lock_guard lock(mutex_);
    if (jobs_ >= max_jobs_) return false;
    ++jobs_;
    if (job->is_large()) {
      large_jobs_.push_back(std::move(job));
      begin_large_jobs();
    } else {
      new_jobs_.push_back(std::move(job));
    }
  }
  has_work_.notify_one();
  return true;
}

void WorkerPool::wake() {
  // A thread that has just found the job not ready is waiting when this has got the lock.
  { const std::lock_guard lock(mutex_); }
  has_work_.notify_all();
}

std::size_t WorkerPool::waiting() const {
  const std::lock_guard lock(mutex_);
  return new_jobs_.size() + begun_jobs_.size() + large_jobs_.size();
}

void WorkerPool::begin_large_jobs() {
  while (begun_large_ < max_large_ && !large_jobs_.empty()) {
    ++begun_large_;
    begun_jobs_.push_back(std::move(large_jobs_.front()));
    large_jobs_.pop_front();
  }
}

// New jobs go first, since most of them need a single step; but every second step is for the others. Null if
// no job is ready.
std::unique_ptr<WorkerPool::Job> WorkerPool::take() {
  const auto begun =
      std::find_if(begun_jobs_.begin(), begun_jobs_.end(), [](const auto& job) { return job->is_ready(); });
  const bool has_begun = begun != begun_jobs_.end();
  std::unique_ptr<Job> job;
  if (has_begun && (is_turn_of_begun_ || new_jobs_.empty())) {
    job = std::move(*begun);
    begun_jobs_.erase(begun);
    is_turn_of_begun_ = false;
  } else if (!new_jobs_.empty()) {
    job = std::move(new_jobs_.front());
    new_jobs_.pop_front();
    is_turn_of_begun_ = true;
  }
  return job;
}

void WorkerPool::put_back(std::unique_ptr<Job> job) { begun_jobs_.push_back(std::move(job)); }

void WorkerPool::end(const Job& job) {
  --jobs_;
  if (!job.is_large()) return;
  --begun_large_;
  begin_large_jobs();
}

void WorkerPool::work() {
  Workspace workspace;
  bool is_busy = false;
  const auto set_busy = [&](bool value) {
    if (value != is_busy) busy_ += value ? 1 : -1;
    is_busy = value;
  };
  std::unique_lock lock(mutex_);
  while (true) {
    std::unique_ptr<Job> job = take();
    if (job == nullptr) {
      if (is_ending_ && jobs_ == 0) return;
      set_busy(false);
      lock.unlock();
      workspace.give_back();
      lock.lock();
      has_work_.wait(lock, [&] { return (job = take()) != nullptr || (is_ending_ && jobs_ == 0); });
      if (job == nullptr) return;
    }
    set_busy(true);
    lock.unlock();
    const bool has_more = job->step(workspace);
    if (!has_more) workspace.give_back();
    lock.lock();
    if (has_more) {
      put_back(std::move(job));
      continue;
    }
    end(*job);
    lock.unlock();
    job.reset();  // which may take a while
    has_work_.notify_all();
    lock.lock();
  }
}

}  // namespace copse
