#include "parallel/task_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace copse {

struct TaskPool::Shared {
  using Work = std::function<void(std::size_t, int)>;

  // Takes indices until there are none left.
  void work_through(int worker) {
    for (;;) {
      const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= count) return;
      try {
        (*work)(index, worker);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure || index < failed_index) {
          failure = std::current_exception();
          failed_index = index;
        }
        next.store(count, std::memory_order_relaxed);
      }
    }
  }

  void run_worker(int worker) {
    std::uint64_t seen_loop = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      loop_started.wait(lock, [&] { return stopping || loop != seen_loop; });
      if (stopping) return;
      seen_loop = loop;
      lock.unlock();
      work_through(worker);
      lock.lock();
      if (--busy == 0) loop_ended.notify_one();
    }
  }

  std::mutex mutex;
  std::condition_variable loop_started;
  std::condition_variable loop_ended;
  std::uint64_t loop = 0;  // number of loops started
  int busy = 0;            // other threads still in the loop
  bool stopping = false;

  const Work* work = nullptr;
  std::size_t count = 0;
  alignas(64) std::atomic<std::size_t> next{0};

  std::exception_ptr failure;
  std::size_t failed_index = 0;

  std::vector<std::thread> workers;
};

TaskPool::TaskPool(int threads, Team& team)
    : threads_(threads), team_(&team), shared_(std::make_unique<Shared>()) {
  if (threads < 1) throw std::invalid_argument("a task pool has at least one thread");
  try {
    for (int worker = 1; worker < threads; ++worker) {
      shared_->workers.emplace_back([shared = shared_.get(), worker] { shared->run_worker(worker); });
    }
  } catch (...) {
    join();
    throw;
  }
}

TaskPool::~TaskPool() { join(); }

void TaskPool::join() noexcept {
  {
    const std::scoped_lock lock(shared_->mutex);
    shared_->stopping = true;
  }
  shared_->loop_started.notify_all();
  for (std::thread& worker : shared_->workers) worker.join();
}

void TaskPool::for_each(std::size_t count, const std::function<void(std::size_t, int)>& work) {
  Shared& shared = *shared_;
  {
    const std::scoped_lock lock(shared.mutex);
    shared.work = &work;
    shared.count = count;
    shared.next.store(0, std::memory_order_relaxed);
    shared.failure = nullptr;
    shared.busy = threads_ - 1;
    ++shared.loop;
  }
  if (threads_ > 1) shared.loop_started.notify_all();
  shared.work_through(0);
  std::unique_lock lock(shared.mutex);
  shared.loop_ended.wait(lock, [&] { return shared.busy == 0; });
  if (shared.failure) std::rethrow_exception(std::exchange(shared.failure, nullptr));
}

int TaskPool::default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace copse
