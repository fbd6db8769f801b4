// Sequences that are divided among the processes of a team: the model of one process, whoever has which.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "copse/error.h"
#include "parallel/common_result.h"
#include "sequence/toy_sequences.h"

namespace copse::testing {
namespace {

// Those of all sequences that are a process's own.
class OwnSequences : public SequenceSource {
 public:
  OwnSequences(const SequenceSource& all, const std::function<bool(std::size_t)>& is_own) : all_(&all) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (is_own(k)) own_.push_back(k);
    }
  }

  std::size_t size() const override { return own_.size(); }
  // Only their order counts.
  std::uint64_t number(std::size_t k) const override { return 1000 + 3 * own_[k]; }
  void observe(std::size_t k, int worker, SequenceObservations& observations) const override {
    all_->observe(own_[k], worker, observations);
  }
  std::span<const Label> gold(std::size_t k) const override { return all_->gold(own_[k]); }

 private:
  const SequenceSource* all_;
  std::vector<std::size_t> own_;
};

class Heard : public SequenceObserver {
 public:
  std::vector<double> figures;

  void on_candidates(const CandidateReport& report) override {
    figures.insert(figures.end(), {report.per_position, report.lost});
    if (std::isnan(report.dev_lost)) return;  // no development data
    figures.insert(figures.end(), {report.dev_per_position, report.dev_lost});
  }
  void on_features(std::int64_t label_weights, std::int64_t transition_weights) override {
    figures.insert(figures.end(),
                   {static_cast<double>(label_weights), static_cast<double>(transition_weights)});
  }
  void on_iteration(const IterationReport& report) override {
    figures.insert(figures.end(), {report.objective, report.dev_score.value_or(-1.0)});
  }
};

struct Outcome {
  std::vector<std::byte> model;
  std::vector<double> figures;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const SequenceSource& training, const SequenceSource* dev,
                const SequenceTrainingOptions& options, int threads, Team& team) {
  TaskPool pool(threads, team);
  Heard heard;
  ByteWriter writer;
  train_sequence_model(training, dev, options, pool, heard).save(writer);
  return {writer.take(), heard.figures};
}

// Who has a sequence.
using Deal = std::function<bool(const Team&, std::size_t)>;

// A process has every so manieth, or nearly all of them.
std::vector<Deal> deals() {
  return {[](const Team& team, std::size_t k) { return is_own(team, k); },
          [](const Team& team, std::size_t k) { return team.rank() == (k % 10 == 0 ? 0 : team.size() - 1); }};
}

class SequencesInTeams : public ::testing::TestWithParam<int> {
 protected:
  static void expect_same(int sequences, SequenceTrainingOptions options, bool has_dev = true) {
    const ToySequences training(sequences, 3, 10);
    const ToySequences dev(20, 4, 10);
    const Outcome alone = outcome(training, has_dev ? &dev : nullptr, options, 1, Team::alone());
    for (const Deal& deal : deals()) {
      const Outcome together = common_result(GetParam(), [&](Team& team) {
        const auto has = [&](std::size_t k) { return deal(team, k); };
        const OwnSequences own(training, has);
        const OwnSequences own_dev(dev, has);
        return outcome(own, has_dev ? &own_dev : nullptr, options, team.rank() % 2 + 1, team);
      });
      EXPECT_TRUE(alone == together);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Sizes, SequencesInTeams, ::testing::Values(1, 2, 3, 7));

TEST_P(SequencesInTeams, SameModelAsOneProcess) {
  for (const LearnerKind learner : {LearnerKind::lbfgs, LearnerKind::adagrad}) {
    SequenceTrainingOptions options = toy_options(2, learner);
    options.candidate_cutoff = 2;
    options.iterations = 6;
    options.coarse_folds = 3;  // which need 96 sequences
    expect_same(120, options);
  }
}

TEST_P(SequencesInTeams, WithoutCoarsePassAndDevelopmentData) {
  SequenceTrainingOptions options = toy_options(1, LearnerKind::adagrad);
  options.coarse_threshold = 0.0;
  options.iterations = 3;
  expect_same(60, options, false);
}

TEST_P(SequencesInTeams, FewerSequencesThanProcesses) {
  SequenceTrainingOptions options = toy_options(2, LearnerKind::lbfgs);
  options.iterations = 3;
  expect_same(2, options);
}

TEST_P(SequencesInTeams, NothingToLearnFrom) {
  const ToySequences nothing(0, 1);
  EXPECT_THROW(
      run_team(GetParam(),
               [&](Team& team) { outcome(nothing, nullptr, toy_options(1, LearnerKind::adagrad), 1, team); }),
      DataError);
}

}  // namespace
}  // namespace copse::testing
