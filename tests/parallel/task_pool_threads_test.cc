#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "inference/test_settings.h"
#include "parallel/task_pool.h"

namespace copse {
namespace {

constexpr int kMostThreads = 4;

class Thrown : public std::runtime_error {
 public:
  explicit Thrown(std::size_t index) : std::runtime_error(std::to_string(index)), index_(index) {}
  std::size_t index() const { return index_; }

 private:
  std::size_t index_;
};

// Plain numbers, each written by whoever gets the index: the thread sanitizer sees if two do.
std::vector<int> calls_per_index(TaskPool& pool, std::size_t count) {
  std::vector<int> calls(count);
  pool.for_each(count, [&](std::size_t index, int) { ++calls.at(index); });
  return calls;
}

class TaskPoolThreads : public ::testing::TestWithParam<int> {
 protected:
  TaskPool pool_{GetParam()};
};

TEST_P(TaskPoolThreads, EveryIndexComesOnce) {
  EXPECT_EQ(pool_.threads(), GetParam());
  for (const std::size_t count : {1, 2, 3, 4, 5, 100, 5000}) {
    EXPECT_EQ(calls_per_index(pool_, count), std::vector<int>(count, 1)) << count;
  }
}

TEST_P(TaskPoolThreads, NoIndexMeansNoCall) {
  pool_.for_each(0, [](std::size_t, int) { FAIL() << "there is nothing to do"; });
  EXPECT_EQ(calls_per_index(pool_, 3), std::vector<int>(3, 1));
}

TEST_P(TaskPoolThreads, AWorkerIsAThreadAndTheCallerIsTheFirst) {
  const auto threads = static_cast<std::size_t>(GetParam());
  std::mutex mutex;
  std::vector<std::set<std::thread::id>> ids(threads);
  for (int loop = 0; loop < 3; ++loop) {
    std::latch all_have_one(GetParam());
    pool_.for_each(threads, [&](std::size_t, int worker) {
      all_have_one.arrive_and_wait();  // would never return if the threads did not work at the same time
      const std::scoped_lock lock(mutex);
      ids.at(static_cast<std::size_t>(worker)).insert(std::this_thread::get_id());
    });
  }
  std::set<std::thread::id> all;
  for (const auto& ids_of_worker : ids) {
    EXPECT_EQ(ids_of_worker.size(), 1u);
    all.insert(ids_of_worker.begin(), ids_of_worker.end());
  }
  EXPECT_EQ(all.size(), threads);
  EXPECT_EQ(*ids[0].begin(), std::this_thread::get_id());
}

TEST_P(TaskPoolThreads, TheExceptionOfTheLowestIndexComesBack) {
  const auto threads = static_cast<std::size_t>(GetParam());
  for (int loop = 0; loop < testing::scaled(200); ++loop) {
    std::latch all_have_one(GetParam());
    std::atomic<std::size_t> calls = 0;
    try {
      pool_.for_each(1000, [&](std::size_t index, int) {
        ++calls;
        all_have_one.arrive_and_wait();
        throw Thrown(index);
      });
      FAIL() << "no exception";
    } catch (const Thrown& thrown) {
      EXPECT_EQ(thrown.index(), 0u);
    }
    EXPECT_EQ(calls, threads) << "calls started after one had thrown";
  }
}

TEST_P(TaskPoolThreads, OfChanceExceptionsTheLowestComesBack) {
  for (int number = 0; number < testing::scaled(200); ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    std::vector<int> throws(50);
    for (int& it : throws) it = random() % 10 == 0 ? 1 : 0;
    std::vector<std::atomic<int>> has_thrown(throws.size());
    std::size_t thrown_index = throws.size();
    try {
      pool_.for_each(throws.size(), [&](std::size_t index, int) {
        if (throws[index] == 0) return;
        has_thrown[index] = 1;
        throw Thrown(index);
      });
    } catch (const Thrown& thrown) {
      thrown_index = thrown.index();
    }
    const auto lowest = std::find(has_thrown.begin(), has_thrown.end(), 1) - has_thrown.begin();
    EXPECT_EQ(thrown_index, static_cast<std::size_t>(lowest));
    if (GetParam() == 1) {  // nothing is left to chance
      EXPECT_EQ(lowest, std::find(throws.begin(), throws.end(), 1) - throws.begin());
    }
    EXPECT_EQ(calls_per_index(pool_, 20), std::vector<int>(20, 1)) << "after an exception";
  }
}

TEST_P(TaskPoolThreads, ManySmallLoops) {
  std::vector<std::size_t> results(8);
  std::size_t sum = 0;
  std::size_t expected = 0;
  for (int loop = 0; loop < testing::scaled(5000); ++loop) {
    const auto count = static_cast<std::size_t>(loop) % (results.size() + 1);
    pool_.for_each(count, [&](std::size_t index, int) { results[index] = index + 1; });
    // Without any further synchronisation: what the workers did is there when the loop has ended.
    for (std::size_t index = 0; index < count; ++index) sum += std::exchange(results[index], 0);
    expected += count * (count + 1) / 2;
  }
  EXPECT_EQ(sum, expected);
}

INSTANTIATE_TEST_SUITE_P(Threads, TaskPoolThreads, ::testing::Range(1, kMostThreads + 1));

TEST(TaskPool, OneThreadWorksInOrderUpToTheException) {
  TaskPool pool(1);
  std::vector<std::size_t> indices;
  const auto work = [&](std::size_t index, int worker) {
    EXPECT_EQ(worker, 0);
    indices.push_back(index);
    if (index == 3) throw Thrown(index);
  };
  EXPECT_THROW(pool.for_each(6, work), Thrown);
  EXPECT_EQ(indices, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(TaskPool, IsMadeAndUnmadeWithoutWork) {
  for (int threads = 1; threads <= kMostThreads; ++threads) const TaskPool pool(threads);
}

TEST(TaskPool, HasAtLeastOneThread) {
  EXPECT_THROW(TaskPool(0), std::invalid_argument);
  EXPECT_THROW(TaskPool(-1), std::invalid_argument);
  EXPECT_GE(TaskPool::default_threads(), 1);
}

}  // namespace
}  // namespace copse
