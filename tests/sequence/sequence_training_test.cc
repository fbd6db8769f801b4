#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "copse/error.h"
#include "optimisers/regularised_loss.h"
#include "optimisers/training_stopped.h"
#include "sequence/sequence_example.h"
#include "sequence/sequence_labeller.h"
#include "sequence/sequence_objective.h"
#include "sequence/toy_sequences.h"

namespace copse::testing {
namespace {

struct Prepared {
  WeightIndex index;
  std::vector<SequenceList> lists;
};

Prepared prepare(const SequenceSource& source, int order, TaskPool& pool) {
  SequenceModel model;
  model.labels = ToySequences::kLabels;
  model.candidates.others = {0, 1, 2, 3};
  LatticeSet set{&source, {}, {}};
  for (std::size_t k = 0; k < source.size(); ++k) set.sequences.push_back(k);
  choose_candidates(model, true, set, pool);
  SequenceTrainingOptions options = toy_options(order, LearnerKind::lbfgs);
  options.candidate_cutoff = 1;
  Prepared result;
  result.index = index_weights(set, order, FeatureRange::all, options, pool);
  result.lists = list_weights(std::move(set), order, FeatureRange::all, result.index, pool);
  return result;
}

TEST(SequenceObjective, GradientIsFiniteDifference) {
  TaskPool pool(1);
  for (int order = 0; order <= 2; ++order) {
    for (const double margin : {0.0, 0.7}) {
      SCOPED_TRACE(order);
      const ToySequences source(15, 7, 3);
      const Prepared prepared = prepare(source, order, pool);
      const SequenceObjective objective(prepared.lists, prepared.index.size(), order, margin);
      RegularisedLoss likelihood(objective, 0.3, pool);
      Generator random = case_generator(order);
      std::normal_distribution<float> normal(0.0F, 0.5F);
      std::vector<float> weights(likelihood.dimension());
      for (float& weight : weights) weight = normal(random);
      std::vector<float> gradient(weights.size());
      likelihood.evaluate(weights, gradient);
      std::vector<float> ignored(weights.size());
      for (std::size_t k = 0; k < weights.size(); k += 1 + weights.size() / 60) {
        constexpr float kStep = 1.0F / 128;
        const float middle = weights[k];
        weights[k] = middle + kStep;
        const double above = likelihood.evaluate(weights, ignored);
        weights[k] = middle - kStep;
        const double below = likelihood.evaluate(weights, ignored);
        weights[k] = middle;
        EXPECT_NEAR((above - below) / (2 * kStep), gradient[k], 2e-3 * std::max(1.0F, std::abs(gradient[k])))
            << k;
      }
    }
  }
}

// The sum over all label sequences of exp(-loss without penalty) is one.
TEST(SequenceObjective, ProbabilitiesOfAllSequencesSumUpToOne) {
  TaskPool pool(1);
  const ToySequences source(3, 11, 2);
  for (int order = 0; order <= 2; ++order) {
    Prepared prepared = prepare(source, order, pool);
    std::vector<float> weights(prepared.index.size());
    Generator random = case_generator(order);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    for (float& weight : weights) weight = normal(random);
    SequenceList& list = prepared.lists.front();
    ASSERT_LE(list.lattice.counts.size(), 7U);
    double sum = 0.0;
    SequenceExample example(order);
    for_each_sequence(list.lattice.counts, [&](const std::vector<int>& labels) {
      list.lattice.gold = labels;
      example.assign(list, weights);
      sum += std::exp(-example.log_loss());
    });
    EXPECT_NEAR(sum, 1.0, 1e-9);
  }
}

double accuracy(const SequenceModel& model, const SequenceSource& source) {
  SequenceLabeller labeller(model);
  SequenceObservations observations;
  double right = 0.0;
  double all = 0.0;
  for (std::size_t k = 0; k < source.size(); ++k) {
    source.observe(k, 0, observations);
    labeller.assign(observations);
    const std::span<const Label> best = labeller.best();
    for (std::size_t t = 0; t < best.size(); ++t) {
      right += best[t] == source.gold(k)[t] ? 1.0 : 0.0;
      all += 1.0;
    }
  }
  return right / all;
}

class SequenceTraining : public ::testing::TestWithParam<LearnerKind> {};
INSTANTIATE_TEST_SUITE_P(EveryLearner, SequenceTraining,
                         ::testing::Values(LearnerKind::lbfgs, LearnerKind::adagrad, LearnerKind::perceptron),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST_P(SequenceTraining, LearnsWhatOnlySecondOrderCan) {
  TaskPool pool(1);
  SequenceObserver observer;
  const ToySequences training(400, 1);
  const ToySequences test(100, 2);
  const auto train = [&](int order) {
    return train_sequence_model(training, nullptr, toy_options(order, GetParam()), pool, observer);
  };
  EXPECT_GT(accuracy(train(2), test), 0.995);
  EXPECT_LT(accuracy(train(0), test), 0.97);
}

// Probabilities given some labels are those of all sequences that have them.
TEST(SequenceLabeller, KnownLabelsConditionTheOthers) {
  TaskPool pool(1);
  SequenceObserver observer;
  const ToySequences training(200, 5, 5);
  Generator random(11);
  for (int order = 0; order <= 2; ++order) {
    SequenceModel model =
        train_sequence_model(training, nullptr, toy_options(order, LearnerKind::adagrad), pool, observer);
    model.coarse_threshold = 1e-9;
    SequenceLabeller free(model);
    SequenceLabeller given(model);
    SequenceObservations observations;
    for (std::size_t k = 0; k < 30; ++k) {
      training.observe(k, 0, observations);
      if (observations.size() > 6) continue;
      free.assign(observations);
      std::vector<int> counts;
      for (int t = 0; t < free.size(); ++t) counts.push_back(static_cast<int>(free.candidates(t).size()));
      // Any of the candidates, several of them, or one that is none (which leaves nothing to compare with).
      std::vector<std::vector<Label>> known(counts.size());
      for (std::size_t t = 0; t < known.size(); ++t) {
        const auto candidates = free.candidates(static_cast<int>(t));
        for (int several = uniform(random, 0, 2); several > 0; --several) {
          known[t].push_back(candidates[static_cast<std::size_t>(uniform(random, 0, counts[t] - 1))]);
        }
      }
      given.assign(observations, std::vector<std::span<const Label>>(known.begin(), known.end()));
      const auto is_allowed = [&](std::size_t t, Label label) {
        return known[t].empty() || std::find(known[t].begin(), known[t].end(), label) != known[t].end();
      };
      double sum = 0.0;
      std::map<std::pair<int, Label>, double> sums;
      for_each_sequence(counts, [&](const std::vector<int>& labels) {
        const double weight =
            std::exp(free.distribution().score(labels) - free.distribution().log_partition());
        const auto label = [&](std::size_t t) {
          return free.candidates(static_cast<int>(t))[static_cast<std::size_t>(labels[t])];
        };
        for (std::size_t t = 0; t < labels.size(); ++t) {
          if (!is_allowed(t, label(t))) return;
        }
        sum += weight;
        for (std::size_t t = 0; t < labels.size(); ++t) sums[{static_cast<int>(t), label(t)}] += weight;
      });
      for (int t = 0; t < given.size(); ++t) {
        for (std::size_t c = 0; c < given.candidates(t).size(); ++c) {
          EXPECT_NEAR(given.probabilities(t)[c], (sums[{t, given.candidates(t)[c]}] / sum), 1e-9);
        }
      }
    }
    // A label that is no candidate becomes one.
    model.candidates.others = {0, 1};
    model.candidates.lists = LabelRows::of_labels({});
    training.observe(0, 0, observations);
    const Label no_candidate[] = {3};
    std::vector<std::span<const Label>> known(static_cast<std::size_t>(observations.size()));
    known.back() = no_candidate;
    given.assign(observations, known);
    EXPECT_EQ(given.best().back(), 3);
    EXPECT_EQ(given.probabilities(given.size() - 1)[0], 1.0);
  }
}

// What the labeller computes with the packed model is what follows from its weights.
TEST(SequenceLabeller, EqualsEnumerationOverItsCandidates) {
  TaskPool pool(1);
  SequenceObserver observer;
  const ToySequences training(200, 5, 5);
  for (int order = 0; order <= 2; ++order) {
    SequenceModel model =
        train_sequence_model(training, nullptr, toy_options(order, LearnerKind::adagrad), pool, observer);
    model.coarse_threshold = 1e-9;
    SequenceLabeller labeller(model);
    SequenceObservations observations;
    for (std::size_t k = 0; k < 30; ++k) {
      training.observe(k, 0, observations);
      if (observations.size() > 6) continue;
      labeller.assign(observations);
      std::vector<int> counts;
      for (int t = 0; t < labeller.size(); ++t)
        counts.push_back(static_cast<int>(labeller.candidates(t).size()));
      const auto label_at = [&](const std::vector<int>& labels, int t) {
        return t < 0 ? kBoundaryLabel
                     : labeller.candidates(t)[static_cast<std::size_t>(labels[static_cast<std::size_t>(t)])];
      };
      double best_score = -1e300;
      std::vector<int> best;
      double sum = 0.0;
      for_each_sequence(counts, [&](const std::vector<int>& labels) {
        double score = 0.0;
        for (int t = 0; t < labeller.size(); ++t) {
          const Label label = label_at(labels, t);
          for (const std::uint64_t feature : observations.features(t)) {
            const std::uint32_t row = model.weights.find(feature);
            if (row == LabelRows::kAbsent) continue;
            std::vector<std::uint32_t> sums(ToySequences::kLabels);
            model.weights.add_to(row, sums.data());
            score += model.weights.unit() * static_cast<std::int32_t>(sums[label]);
          }
          if (order >= 1) score += model.transitions.pair(label_at(labels, t - 1), label);
          if (order >= 2)
            score += model.transitions.triple(label_at(labels, t - 2), label_at(labels, t - 1), label);
        }
        sum += std::exp(score);
        if (score > best_score) {
          best_score = score;
          best = labels;
        }
      });
      // Equal scores are possible with rounded weights: compare scores.
      std::vector<int> found(counts.size());
      EXPECT_NEAR(labeller.distribution().best(found), best_score, 1e-9);
      EXPECT_NEAR(labeller.distribution().log_partition(), std::log(sum), 1e-9);
    }
  }
}

TEST(SequenceModel, SurvivesSavingAndLoading) {
  TaskPool pool(1);
  SequenceObserver observer;
  const ToySequences training(200, 6, 10);
  const SequenceModel model =
      train_sequence_model(training, nullptr, toy_options(2, LearnerKind::adagrad), pool, observer);
  ByteWriter writer;
  model.save(writer);
  const std::vector<std::byte> bytes = writer.take();
  ByteReader reader(bytes, "model");
  const SequenceModel loaded = SequenceModel::load(reader);
  reader.expect_end();
  ByteWriter again;
  loaded.save(again);
  EXPECT_TRUE(bytes == again.bytes());
  EXPECT_EQ(accuracy(model, training), accuracy(loaded, training));
}

TEST(SequenceModel, DamagedBytesAreRefusedOrHarmless) {
  TaskPool pool(1);
  SequenceObserver observer;
  const ToySequences training(100, 8, 10);
  ByteWriter writer;
  train_sequence_model(training, nullptr, toy_options(2, LearnerKind::adagrad), pool, observer).save(writer);
  const std::vector<std::byte> good = writer.take();
  for (int number = 0; number < scaled(1500); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    std::vector<std::byte> bytes = good;
    for (int changes = uniform(random, 1, 3); changes > 0; --changes) {
      bytes[static_cast<std::size_t>(uniform(random, 0, static_cast<int>(bytes.size()) - 1))] =
          static_cast<std::byte>(uniform(random, 0, 255));
    }
    try {
      ByteReader reader(bytes, "model");
      const SequenceModel model = SequenceModel::load(reader);
      SequenceLabeller labeller(model);
      SequenceObservations observations;
      for (std::size_t k = 0; k < 3; ++k) {
        training.observe(k, 0, observations);
        labeller.assign(observations);
        labeller.best();
        labeller.probabilities(0);
      }
    } catch (const DataError&) {
    }
  }
}

// Where there are many labels, only features that can come often enough are counted beside them: the model is
// the same.
TEST(SequenceTrainer, ManyLabelsMakeNoOtherModel) {
  TaskPool pool(2);
  const ToySequences training(300, 1, 10);
  std::vector<std::byte> bytes[2];
  for (const bool are_many : {false, true}) {
    SequenceTrainingOptions options = toy_options(2, LearnerKind::adagrad);
    options.candidate_cutoff = 3;
    if (are_many) options.labels = kManySequenceLabels + 1;
    SequenceObserver observer;
    SequenceModel model = train_sequence_model(training, nullptr, options, pool, observer);
    model.labels = ToySequences::kLabels;
    ByteWriter writer;
    model.save(writer);
    bytes[are_many ? 1 : 0] = writer.take();
  }
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

TEST(SequenceTrainer, ReportsAndStops) {
  struct Observer : SequenceObserver {
    void on_candidates(const CandidateReport& report) override { candidates = report; }
    void on_iteration(const IterationReport& report) override { iterations = report.iteration; }
    bool should_stop() override { return iterations == 2; }
    CandidateReport candidates;
    int iterations = 0;
  } observer;
  TaskPool pool(1);
  const ToySequences training(200, 1);
  const ToySequences dev(50, 2);
  EXPECT_THROW(train_sequence_model(training, &dev, toy_options(2, LearnerKind::adagrad), pool, observer),
               TrainingStopped);
  EXPECT_EQ(observer.iterations, 2);
  EXPECT_GE(observer.candidates.per_position, 1.0);
  EXPECT_LT(observer.candidates.dev_per_position, 4.0);
  EXPECT_LT(observer.candidates.dev_lost, 0.05);
  const ToySequences nothing(0, 1);
  EXPECT_THROW(train_sequence_model(nothing, nullptr, toy_options(2, LearnerKind::adagrad), pool, observer),
               DataError);
}

}  // namespace
}  // namespace copse::testing
