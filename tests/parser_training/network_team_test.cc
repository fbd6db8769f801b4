// Steps of networks that processes do together: the same weights, bit by bit, as one process finds.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "copse/error.h"
#include "parallel/thread_team.h"
#include "parser_training/describe_network.h"
#include "parser_training/preparation.h"
#include "parser_training/tree_steps.h"
#include "toy_treebank.h"
#include "treebank/conll_helpers.h"

namespace copse {
namespace {

class NetworkTeam : public ::testing::Test {
 protected:
  NetworkTeam() {
    TrainingOptions options;
    options.root = RootMode::single;
    PreparationReport report;
    training_ = prepare_training_set(sentences_, options, report);
    NetworkShape shape;
    shape.word_size = shape.spelling_size = shape.arc_size = shape.rank = 16;
    shape.layers = 2;
    shape.hidden = 96;  // more segments than processes
    shape.label_size = 8;
    shape.tag_hidden = 16;
    network_ = describe_network(training_, shape, {});
    for (const TrainingSentence& sentence : training_) {
      examples_.push_back(make_network_example(sentence, network_));
    }
    loss_.trees = RootMode::single;
    const NetworkBlocks blocks(network_.shape);
    // One that begins and ends amid segments, one amid rows of a table.
    rates_ = {{kSegment - 100, 3 * kSegment + 7, 0.5F},
              {blocks.affix_table.offset + 7, blocks.affix_table.offset + blocks.affix_table.size() / 2 + 3,
               0.25F}};
  }

  std::unique_ptr<NetworkSteps> make_steps(std::size_t parts, Precision precision, TaskPool& pool) const {
    return make_tree_steps(Device::cpu, network_, examples_, loss_, initial_weights(network_.shape, 1),
                           {parts, precision, rates_}, pool);
  }

  // Steps first to last - 1, of so many parts, the last one smaller.
  std::vector<NetworkStepReport> run(NetworkSteps& steps, std::size_t parts, std::size_t first,
                                     std::size_t last) const {
    std::vector<NetworkStepReport> reports;
    for (std::size_t number = first; number < last; ++number) {
      const std::size_t count = number + 1 == last ? std::max<std::size_t>(parts - 1, 1) : parts;
      std::vector<std::vector<std::size_t>> batch(count);
      for (std::size_t part = 0; part < count; ++part) {
        for (std::size_t k = 0; k < 2; ++k)
          batch[part].push_back((number * 7 + part * 3 + k) % training_.size());
      }
      NetworkStep step;
      step.parts = batch;
      step.seed = 100 + number;
      step.scale = 0.05;
      step.adam.set_time(static_cast<long>(number) + 1);
      reports.push_back(steps.step(step));
    }
    return reports;
  }

  static void expect_same(const NetworkState& a, const NetworkState& b) {
    EXPECT_TRUE(a.weights == b.weights);
    EXPECT_TRUE(a.first_moments == b.first_moments);
    EXPECT_TRUE(a.second_moments == b.second_moments);
    EXPECT_TRUE(a.average == b.average);
  }

  // What one process finds, compared with what teams find.
  void compare(std::size_t parts, Precision precision) const {
    constexpr std::size_t kSteps = 4;
    TaskPool pool(1);
    const auto expected = make_steps(parts, precision, pool);
    const std::vector<NetworkStepReport> expected_reports = run(*expected, parts, 0, kSteps);
    ASSERT_FALSE(expected->state().weights == initial_weights(network_.shape, 1));
    for (const int size : {2, 3, 7}) {
      SCOPED_TRACE(size);
      run_team(size, [&](Team& team) {
        TaskPool own_pool(1 + team.rank() % 2, team);
        const auto steps = make_steps(parts, precision, own_pool);
        const std::vector<NetworkStepReport> reports = run(*steps, parts, 0, kSteps);
        for (std::size_t k = 0; k < reports.size(); ++k) {
          EXPECT_EQ(reports[k].loss, expected_reports[k].loss);
          EXPECT_EQ(reports[k].gradient_norm, expected_reports[k].gradient_norm);
        }
        const std::span<const float> average = steps->average();
        EXPECT_TRUE(std::equal(average.begin(), average.end(), expected->state().average.begin(),
                               expected->state().average.end()));
        steps->state();
        if (team.leads()) expect_same(steps->state(), expected->state());  // nobody else is needed any more
      });
    }
  }

  std::vector<Sentence> sentences_ = read_text(testing::toy_treebank(30, 1));
  std::vector<TrainingSentence> training_;
  NetworkDescription network_;
  std::vector<NetworkExample> examples_;
  NetworkLossOptions loss_;
  std::vector<RateRange> rates_;
};

TEST_F(NetworkTeam, TheNetworkHasSomethingToDivide) {
  const NetworkBlocks blocks(network_.shape);
  EXPECT_GT(blocks.dense, 3 * kSegment);
  EXPECT_GT(blocks.size - blocks.dense, 2 * kSegment);
}

TEST_F(NetworkTeam, FindsTheWeightsOfOneProcess) { compare(4, Precision::float32); }
TEST_F(NetworkTeam, SoWithMorePartsThanProcesses) { compare(9, Precision::float32); }
TEST_F(NetworkTeam, SoWithFewerPartsThanProcesses) { compare(1, Precision::float32); }
TEST_F(NetworkTeam, SoInBfloat16) {
  if (!has_bfloat16()) GTEST_SKIP() << "no bfloat16 on this processor";
  compare(4, Precision::bfloat16);
}

TEST_F(NetworkTeam, GoesOnWithAnotherNumberOfProcesses) {
  TaskPool pool(1);
  const auto expected = make_steps(4, Precision::float32, pool);
  run(*expected, 4, 0, 2);
  run(*expected, 4, 2, 5);
  NetworkState state;
  run_team(3, [&](Team& team) {
    TaskPool own_pool(1, team);
    const auto steps = make_steps(4, Precision::float32, own_pool);
    run(*steps, 4, 0, 2);
    steps->state();
    if (team.leads()) state = steps->state();
  });
  for (const int size : {1, 2, 5}) {
    SCOPED_TRACE(size);
    run_team(size, [&](Team& team) {
      TaskPool own_pool(1, team);
      const auto steps = make_steps(4, Precision::float32, own_pool);
      steps->restore(state);
      run(*steps, 4, 2, 5);
      steps->state();
      if (team.leads()) expect_same(steps->state(), expected->state());
    });
  }
}

TEST_F(NetworkTeam, AllBeginWithTheWeightsOfRank0) {
  run_team(3, [&](Team& team) {
    TaskPool pool(1, team);
    const std::vector<float> expected = initial_weights(network_.shape, 1);
    std::vector<float> weights = expected;
    if (!team.leads()) weights.assign(weights.size(), 1.0F);
    const auto steps = make_tree_steps(Device::cpu, network_, examples_, loss_, std::move(weights), {}, pool);
    const std::span<const float> average = steps->average();
    EXPECT_TRUE(std::equal(average.begin(), average.end(), expected.begin(), expected.end()));
  });
}

TEST_F(NetworkTeam, AStepWithoutAFiniteLossChangesNothingAnywhere) {
  const std::size_t size = initial_weights(network_.shape, 1).size();
  run_team(3, [&](Team& team) {
    TaskPool pool(1, team);
    const auto steps = make_steps(4, Precision::float32, pool);
    steps->restore(begin_state(std::vector<float>(size, 1e30F)));
    for (const NetworkStepReport& report : run(*steps, 2, 0, 1)) EXPECT_FALSE(std::isfinite(report.loss));
    steps->state();
    if (team.leads()) expect_same(steps->state(), begin_state(std::vector<float>(size, 1e30F)));
  });
}

TEST_F(NetworkTeam, SendsGradientsOfItsPartsAndItsShareOfTheWeights) {
  const std::size_t dense = NetworkBlocks(network_.shape).dense;
  run_team(3, [&](Team& team) {
    TaskPool pool(1, team);
    const auto steps = make_steps(4, Precision::float32, pool);
    const std::vector<std::size_t> bounds = even_bounds(team, dense, kSegment);
    const auto rank = static_cast<std::size_t>(team.rank());
    const std::size_t share = bounds[rank + 1] - bounds[rank];
    const std::size_t own_parts = team.leads() ? 2 : 1;
    const std::size_t numbers = own_parts * (dense - share) + 2 * share;
    const std::int64_t before = team.traffic().bytes;
    run(*steps, 5, 0, 1);  // the last step of a run has a part less
    const auto sent = static_cast<std::size_t>(team.traffic().bytes - before);
    EXPECT_GE(sent, numbers * sizeof(float));
    EXPECT_LT(sent, numbers * sizeof(float) + 200'000);  // rows of tables, losses, squares
  });
}

TEST_F(NetworkTeam, GpusLearnInOneProcessOnly) {
  run_team(2, [&](Team& team) {
    TaskPool pool(1, team);
    try {
      make_tree_steps(Device::cuda, network_, examples_, loss_, {}, {}, pool);
      ADD_FAILURE() << "a GPU in a team";
    } catch (const DataError& error) {
      EXPECT_NE(std::string(error.what()).find("one process only"), std::string::npos) << error.what();
    }
  });
}

}  // namespace
}  // namespace copse
