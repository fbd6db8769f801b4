// Learners whose examples and vectors are divided among the processes of a team: the same bits for every
// number of processes and threads, also when a run is stopped and goes on with another number of them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <mutex>
#include <vector>

#include "copse/error.h"
#include "io/temporary_folder.h"
#include "optimisers/learner.h"
#include "optimisers/linear_examples.h"
#include "optimisers/orderless_sum.h"
#include "optimisers/sharded_counts.h"
#include "optimisers/training_loop.h"
#include "optimisers/training_stopped.h"
#include "parallel/thread_team.h"

namespace copse {
namespace {

using testing::LinearExamples;

constexpr std::size_t kExamples = 150;
constexpr std::size_t kWeights = 100'000;  // several chunks

// What all processes of a team come back with; that they agree is checked.
template <class Result>
Result result_of_team(int size, const std::function<Result(Team&)>& work) {
  std::mutex mutex;
  std::vector<Result> results;
  run_team(size, [&](Team& team) {
    Result result = work(team);
    const std::scoped_lock lock(mutex);
    results.push_back(std::move(result));
  });
  for (const Result& result : results) EXPECT_EQ(result, results.front());
  return results.front();
}

struct Outcome {
  std::vector<float> weights;
  double objective = 0.0;
  bool operator==(const Outcome&) const = default;
};

Outcome learn(const LearnerOptions& options, int iterations, int threads, Team& team) {
  TaskPool pool(threads, team);
  const LinearExamples examples(team, kExamples, kWeights);
  const auto learner = make_learner(examples, options, {}, pool);
  for (int k = 0; k < iterations; ++k) learner->iterate();
  const std::span<const float> weights = learner->weights();
  return {{weights.begin(), weights.end()}, learner->progress().objective};
}

class LearnersInTeams : public TemporaryFolderTest, public ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, LearnersInTeams, ::testing::Values(2, 3, 7));

TEST_P(LearnersInTeams, SameWeightsAsOneProcess) {
  const std::vector<LearnerOptions> kinds = {
      {LearnerKind::lbfgs, 0.5, 0.0}, {LearnerKind::lbfgs, 0.1, 0.05}, {LearnerKind::adagrad, 0.5, 0.0}};
  for (const LearnerOptions& options : kinds) {
    const Outcome expected = learn(options, 8, 1, Team::alone());
    double moved = 0.0;
    for (const float weight : expected.weights) moved += std::abs(weight);
    EXPECT_GT(moved, 1.0);
    for (const int threads : {1, 3}) {
      const Outcome found =
          result_of_team<Outcome>(GetParam(), [&](Team& team) { return learn(options, 8, threads, team); });
      EXPECT_EQ(found, expected) << name(options.kind) << ", l1 " << options.l1 << ", threads " << threads;
    }
  }
}

class StopsAfter : public IterationObserver {
 public:
  explicit StopsAfter(int iteration) : iteration_(iteration) {}
  void on_iteration(const IterationReport& report) override {
    last_ = report.iteration;
    sent_ += report.traffic.bytes;
  }
  bool should_stop() override { return last_ == iteration_; }
  std::int64_t sent() const { return sent_; }

 private:
  int iteration_;
  int last_ = 0;
  std::int64_t sent_ = 0;
};

// A run of ten iterations, up to `stop` of them.
std::vector<float> run_loop(const LearnerOptions& options, const std::string& folder, int stop,
                            int stopping_rank, Team& team) {
  TaskPool pool(1, team);
  const LinearExamples examples(team, kExamples, kWeights);
  const auto learner = make_learner(examples, options, {}, pool);
  StopsAfter observer(team.rank() == stopping_rank ? stop : 0);
  const CheckpointFolder checkpoints(folder, 77, team);
  TrainingLoop loop(*learner, kExamples, {10, 1, {}}, observer);
  std::vector<float> weights = loop.run(checkpoints, true).weights;
  EXPECT_EQ(observer.sent() > 0, !team.is_alone());
  return weights;
}

TEST_P(LearnersInTeams, GoOnWithAnotherNumberOfProcesses) {
  for (const LearnerOptions& options :
       {LearnerOptions{LearnerKind::lbfgs, 0.5, 0.0}, LearnerOptions{LearnerKind::adagrad, 0.5, 0.0}}) {
    const std::vector<float> expected = run_loop(
        options, path(std::string("undisturbed-") + std::string(name(options.kind))), 0, 0, Team::alone());
    const std::string folder = path(std::string("stopped-") + std::string(name(options.kind)));
    int sizes[] = {1, GetParam(), 2};
    for (int part = 0; part < 2; ++part) {
      const int last = sizes[part] - 1;  // the one who wants to stop
      EXPECT_THROW(run_team(sizes[part],
                            [&](Team& team) { run_loop(options, folder, part == 0 ? 2 : 9, last, team); }),
                   TrainingStopped);
    }
    const auto found = result_of_team<std::vector<float>>(
        sizes[2], [&](Team& team) { return run_loop(options, folder, 0, 0, team); });
    EXPECT_EQ(found, expected) << name(options.kind);
  }
}

TEST_P(LearnersInTeams, MoreProcessesThanExamples) {
  for (const LearnerKind kind : {LearnerKind::lbfgs, LearnerKind::adagrad}) {
    const auto learn_few = [kind](Team& team) {
      TaskPool pool(1, team);
      const LinearExamples examples(team, 1, 3);
      const auto learner = make_learner(examples, {kind, 0.5, 0.0}, {}, pool);
      learner->iterate();
      const std::span<const float> weights = learner->weights();
      return std::vector<float>(weights.begin(), weights.end());
    };
    EXPECT_EQ(result_of_team<std::vector<float>>(GetParam(), learn_few), learn_few(Team::alone()));
  }
}

TEST_P(LearnersInTeams, LearnersOfSingleExamplesAreRefused) {
  run_team(GetParam(), [](Team& team) {
    TaskPool pool(1, team);
    const LinearExamples examples(team, 5, 5);
    EXPECT_THROW(make_learner(examples, {LearnerKind::perceptron}, {}, pool), DataError);
    EXPECT_THROW(make_learner(examples, {LearnerKind::mira}, {}, pool), DataError);
  });
}

TEST_P(LearnersInTeams, CountsAreThoseOfAllProcesses) {
  using Counts = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
  const auto count = [](Team& team) {
    TaskPool pool(2, team);
    ShardedCounts<std::uint64_t> counts(pool);
    std::mt19937_64 random(5);
    std::vector<std::uint64_t> keys(300);
    for (std::uint64_t& key : keys) key = random();
    for (std::size_t number = 0; number < 2000; ++number) {
      if (is_own(team, number)) counts.add(0, keys[number * number % 300]);
      if (number == 1000) counts.count();
    }
    counts.count();
    Counts found;
    for (const auto& counted : counts.take(3)) found.emplace_back(counted.key, counted.count);
    return found;
  };
  const Counts expected = count(Team::alone());
  EXPECT_GT(expected.size(), 10U);
  EXPECT_EQ(result_of_team<Counts>(GetParam(), count), expected);
}

TEST(OrderlessSum, IsExactAndKnowsNoOrder) {
  EXPECT_EQ(orderless_sum(Team::alone(), std::vector<double>{0.5, -3.25, 1e6, 0.0}), 1e6 - 2.75);
  EXPECT_EQ(orderless_sum(Team::alone(), std::vector<double>{}), 0.0);
  std::vector<double> numbers;
  std::mt19937_64 random(3);
  for (int k = 0; k < 10'000; ++k) numbers.push_back(std::ldexp(static_cast<double>(random()), -50) - 3000.0);
  const double sum = orderless_sum(Team::alone(), numbers);
  EXPECT_NEAR(sum, std::accumulate(numbers.begin(), numbers.end(), 0.0), 1e-4);
  std::shuffle(numbers.begin(), numbers.end(), random);
  EXPECT_EQ(orderless_sum(Team::alone(), numbers), sum);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300}) {
    EXPECT_FALSE(std::isfinite(orderless_sum(Team::alone(), std::vector<double>{1.0, bad, -bad})));
  }
}

}  // namespace
}  // namespace copse
