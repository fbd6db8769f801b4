// What threads of the server share: workers and their queue, replies that pass from one to the other.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "serving/piped_reply.h"
#include "serving/worker_pool.h"

namespace copse::testing {
namespace {

TEST(WorkerPool, RefusesWhatWouldWaitTooLong) {
  std::promise<void> gate;
  std::shared_future<void> open(gate.get_future());
  std::atomic<int> started = 0;
  std::atomic<int> done = 0;
  {
    WorkerPool pool(2, 3);
    const auto job = [&, open](Workspace&) {
      ++started;
      open.wait();
      ++done;
      return 0;
    };
    while (pool.busy() < 2) {
      if (started < 2 && pool.waiting() == 0) pool.add(job);
      std::this_thread::yield();
    }
    int accepted = 0;
    while (pool.add(job)) ++accepted;
    EXPECT_LE(accepted, 3);
    EXPECT_EQ(pool.waiting(), 3U);
    EXPECT_FALSE(pool.add(job));
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
          if (!pool.add([&](Workspace&) {
                ++done;
                return 0;
              })) {
            ++refusals;
          }
        }
      });
    }
    for (std::thread& client : clients) client.join();
    refused = refusals;
  }
  EXPECT_EQ(done + refused, 2000);
}

TEST(PipedReply, PiecesComeInOrder) {
  PipedReply reply{Deadline()};
  std::string expected;
  for (int k = 0; k < 20'000; ++k) expected += std::to_string(k) + ",";
  std::thread worker([&] {
    reply.start({.status = 200});
    for (int k = 0; k < 20'000; ++k) reply.write(std::to_string(k) + ",");
    reply.finish();
  });
  EXPECT_EQ(reply.wait_for_head().status, 200);
  EXPECT_TRUE(reply.is_streaming());
  std::string all;
  for (std::string piece; reply.wait_for_piece(piece);) all += piece;
  worker.join();
  EXPECT_EQ(all, expected);
}

TEST(PipedReply, TheWholeOfAStream) {
  PipedReply reply{Deadline()};
  std::thread worker([&] {
    reply.start({.status = 200});
    for (int k = 0; k < 10; ++k) reply.write(std::string(100'000, 'x'));
    reply.finish();
  });
  EXPECT_EQ(reply.wait_for_head().status, 200);
  EXPECT_EQ(reply.wait_for_all().size(), 1'000'000U);
  worker.join();
}

TEST(PipedReply, AClientThatHasGone) {
  PipedReply reply{Deadline()};
  std::atomic<bool> has_noticed = false;
  std::thread worker([&] {
    reply.start({.status = 200});
    try {
      while (true) reply.write(std::string(100'000, 'x'));
    } catch (const ClientGone&) {
      has_noticed = true;
    }
    reply.finish();
  });
  std::string piece;
  EXPECT_TRUE(reply.wait_for_piece(piece));
  reply.give_up();
  reply.wait_for_end();
  worker.join();
  EXPECT_TRUE(has_noticed);
}

TEST(PipedReply, AClientThatDoesNotRead) {
  PipedReply reply{Deadline(std::chrono::milliseconds(150))};
  reply.start({.status = 200});
  EXPECT_THROW(while (true) reply.write(std::string(100'000, 'x')), ClientGone);
}

TEST(PipedReply, NoAnswerAtAll) {
  PipedReply reply{Deadline()};
  reply.finish();
  EXPECT_EQ(reply.wait_for_head().status, 0);
  EXPECT_FALSE(reply.has_begun());
}

}  // namespace
}  // namespace copse::testing
