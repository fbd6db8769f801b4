// What threads of the server share: workers and their queue, replies that pass from one to the other.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "serving/piped_reply.h"
#include "serving/worker_pool.h"

namespace copse::testing {
namespace {

// A job that consists of what it is given, as long as that says that there is more.
class FunctionJob : public WorkerPool::Job {
 public:
  explicit FunctionJob(std::function<bool()> step, bool is_large = false)
      : step_(std::move(step)), is_large_(is_large) {}
  bool step(Workspace&) override { return step_(); }
  bool is_large() const override { return is_large_; }

 private:
  std::function<bool()> step_;
  bool is_large_;
};

std::unique_ptr<WorkerPool::Job> single_step(std::function<void()> work) {
  return std::make_unique<FunctionJob>([work = std::move(work)] {
    work();
    return false;
  });
}

// Something that another thread does.
class Signal {
 public:
  void set() {
    const std::lock_guard lock(mutex_);
    is_set_ = true;
    changed_.notify_all();
  }
  // Whether it happens soon.
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [this] { return is_set_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
};

TEST(WorkerPool, RefusesWhatWouldWaitTooLong) {
  std::promise<void> gate;
  std::shared_future<void> open(gate.get_future());
  std::atomic<int> started = 0;
  std::atomic<int> done = 0;
  {
    WorkerPool pool(2, 3);
    const auto job = [&, open] {
      return single_step([&, open] {
        ++started;
        open.wait();
        ++done;
      });
    };
    while (pool.busy() < 2) {
      if (started < 2 && pool.waiting() == 0) pool.add(job());
      std::this_thread::yield();
    }
    int accepted = 0;
    while (pool.add(job())) ++accepted;
    EXPECT_LE(accepted, 3);
    EXPECT_EQ(pool.waiting(), 3U);
    EXPECT_FALSE(pool.add(job()));
    gate.set_value();
  }
  EXPECT_EQ(done, started);
  EXPECT_EQ(done, 5);  // the pool does what it has accepted before it ends
}

TEST(WorkerPool, ManyJobsFromManyThreads) {
  std::atomic<int> done = 0;
  int refused = 0;
  {
    WorkerPool pool(3, 10);
    std::vector<std::thread> clients;
    std::atomic<int> refusals = 0;
    for (int client = 0; client < 4; ++client) {
      clients.emplace_back([&] {
        for (int k = 0; k < 500; ++k) {
          if (!pool.add(single_step([&] { ++done; }))) ++refusals;
        }
      });
    }
    for (std::thread& client : clients) client.join();
    refused = refusals;
  }
  EXPECT_EQ(done + refused, 2000);
}

// More large jobs than threads, none of which ends by itself: a small one is done all the same.
TEST(WorkerPool, SmallJobsDoNotWaitForLargeOnes) {
  std::atomic<bool> may_end = false;
  WorkerPool pool(2, 10);
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(pool.add(std::make_unique<FunctionJob>([&] { return !may_end; }, true)));
  }
  for (int k = 0; k < 20; ++k) {
    const auto done = std::make_shared<Signal>();
    ASSERT_TRUE(pool.add(single_step([done] { done->set(); })));
    EXPECT_TRUE(done->wait());
  }
  may_end = true;
}

// Nor do large ones wait for an endless row of small ones.
TEST(WorkerPool, EverySecondStepIsForThoseThatHaveBegun) {
  Signal done;
  std::atomic<bool> may_end = false;
  std::function<void()> next;
  WorkerPool pool(1, 10);
  next = [&] {
    if (!may_end) pool.add(single_step(next));
  };
  for (int k = 0; k < 3; ++k) pool.add(single_step(next));
  pool.add(std::make_unique<FunctionJob>(
      [&, steps = 0]() mutable {
        if (++steps < 100) return true;
        done.set();
        return false;
      },
      true));
  EXPECT_TRUE(done.wait());
  may_end = true;
}

TEST(WorkerPool, OnlyAFewLargeJobsHaveBegun) {
  std::mutex mutex;
  int begun = 0;
  int most = 0;
  int done = 0;
  {
    WorkerPool pool(2, 100);
    for (int k = 0; k < 50; ++k) {
      pool.add(std::make_unique<FunctionJob>(
          [&, steps = 0]() mutable {
            const std::lock_guard lock(mutex);
            if (steps == 0) most = std::max(most, ++begun);
            if (++steps < 10) return true;
            --begun;
            ++done;
            return false;
          },
          true));
    }
  }
  EXPECT_EQ(done, 50);
  EXPECT_LE(most, 4);
  EXPECT_GE(most, 2);
}

// A job whose reply is full leaves its thread to others, and goes on when somebody takes.
TEST(WorkerPool, AJobThatIsNotReadyHoldsNoThread) {
  struct StreamJob : WorkerPool::Job {
    explicit StreamJob(std::shared_ptr<PipedReply> where) : reply(std::move(where)) {}
    bool is_ready() const override { return !reply->is_full(); }
    bool step(Workspace&) override {
      if (!reply->has_begun()) reply->start({});
      reply->write(std::string(100'000, 'x'));
      if (++written < 20) return true;
      reply->finish();
      return false;
    }
    std::shared_ptr<PipedReply> reply;
    int written = 0;
  };
  WorkerPool pool(1, 10);
  const auto reply = std::make_shared<PipedReply>([] {}, [&pool] { pool.wake(); });
  pool.add(std::make_unique<StreamJob>(reply));
  while (!reply->is_full()) std::this_thread::yield();
  Signal done;
  pool.add(single_step([&] { done.set(); }));
  EXPECT_TRUE(done.wait());
  std::size_t size = 0;
  for (bool has_more = true; has_more;) {
    std::string piece;
    has_more = reply->take(piece);
    EXPECT_LE(piece.size(), 400'000U);
    size += piece.size();
    std::this_thread::yield();
  }
  EXPECT_EQ(size, 2'000'000U);
}

TEST(PipedReply, PiecesComeInOrder) {
  std::atomic<int> calls = 0;
  PipedReply reply([&] { ++calls; }, [] {});
  std::string expected;
  for (int k = 0; k < 20'000; ++k) expected += std::to_string(k) + ",";
  std::thread worker([&] {
    reply.start({.status = 200});
    for (int k = 0; k < 20'000; ++k) reply.write(std::to_string(k) + ",");
    reply.finish();
  });
  std::string all;
  for (bool has_more = true; has_more;) {
    std::string piece;
    has_more = reply.take(piece);
    all += piece;
  }
  worker.join();
  EXPECT_EQ(reply.head().status, 200);
  EXPECT_TRUE(reply.is_streaming());
  EXPECT_EQ(all, expected);
  EXPECT_EQ(calls, 20'001);
}

TEST(PipedReply, TheWholeOfAStream) {
  PipedReply reply([] {}, [] {});
  reply.expect_whole();
  reply.start({.status = 200});
  for (int k = 0; k < 10; ++k) {
    EXPECT_FALSE(reply.is_full());
    reply.write(std::string(100'000, 'x'));
  }
  EXPECT_FALSE(reply.is_complete());
  reply.finish();
  EXPECT_TRUE(reply.is_complete());
  std::string all;
  EXPECT_FALSE(reply.take(all));
  EXPECT_EQ(all.size(), 1'000'000U);
}

TEST(PipedReply, AClientThatHasGone) {
  int woken = 0;
  PipedReply reply([] {}, [&] { ++woken; });
  reply.start({.status = 200});
  while (!reply.is_full()) reply.write(std::string(100'000, 'x'));
  EXPECT_EQ(woken, 0);
  reply.give_up();
  EXPECT_EQ(woken, 1);
  EXPECT_FALSE(reply.is_full());  // so that the worker goes on, and hears of it
  EXPECT_THROW(reply.write("x"), ClientGone);
  EXPECT_THROW(reply.expect_client(), ClientGone);
}

TEST(PipedReply, NoAnswerAtAll) {
  PipedReply reply([] {}, [] {});
  reply.finish();
  EXPECT_EQ(reply.head().status, 0);
  EXPECT_FALSE(reply.has_begun());
}

}  // namespace
}  // namespace copse::testing
