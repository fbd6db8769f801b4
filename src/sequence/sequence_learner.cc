#include "sequence/sequence_learner.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "optimisation/adagrad_weights.h"
#include "optimisation/averaged_weights.h"
#include "optimisation/shuffled_order.h"

namespace copse {
namespace {

constexpr double kAdagradStep = 0.1;
constexpr std::size_t kAdagradBatch = 16;

std::vector<SequenceExample> one_per_worker(const SequenceProblem& problem, double margin, TaskPool& pool) {
  return std::vector<SequenceExample>(static_cast<std::size_t>(pool.threads()),
                                      SequenceExample(problem.order, margin));
}

class LbfgsSequenceLearner : public SequenceLearner {
 public:
  LbfgsSequenceLearner(const SequenceProblem& problem, TaskPool& pool)
      : likelihood_(problem, pool), pool_(&pool) {
    options_.decrease_tolerance = 1e-4;
  }

  bool iterate() override {
    if (!minimiser_) {
      minimiser_.emplace(likelihood_, *pool_, options_, std::vector<float>(likelihood_.dimension()));
    }
    return minimiser_->iterate() == Lbfgs::Status::running;
  }
  double objective() const override { return minimiser_->progress().value; }
  std::span<const float> weights() override { return minimiser_->x(); }

 private:
  SequenceLikelihood likelihood_;
  TaskPool* pool_;
  LbfgsOptions options_;
  std::optional<Lbfgs> minimiser_;  // made by the first iteration
};

class AdagradSequenceLearner : public SequenceLearner {
 public:
  AdagradSequenceLearner(const SequenceProblem& problem, std::uint64_t seed, TaskPool& pool)
      : problem_(problem),
        seed_(seed),
        pool_(&pool),
        weights_(std::vector<float>(problem.weights), problem.l2, kAdagradStep),
        losses_(problem.lists.size()),
        examples_(one_per_worker(problem, problem.margin, pool)),
        gradients_(static_cast<std::size_t>(pool.threads()), std::vector<std::int64_t>(problem.weights)),
        touched_(static_cast<std::size_t>(pool.threads())) {
    count_sequences();
  }

  bool iterate() override {
    const std::vector<std::size_t> order = shuffled_order(problem_.lists.size(), seed_, passes_++);
    for (std::size_t begin = 0; begin < order.size(); begin += kAdagradBatch) {
      learn(std::span(order).subspan(begin, std::min(kAdagradBatch, order.size() - begin)));
    }
    objective_ = std::accumulate(losses_.begin(), losses_.end(), 0.0) + weights_.penalty();
    return true;
  }
  double objective() const override { return objective_; }
  std::span<const float> weights() override { return weights_.values(); }

 private:
  void count_sequences() {
    std::vector<std::uint32_t> sequences(problem_.weights);
    std::vector<std::uint32_t> last_sequence(problem_.weights);
    for (std::size_t k = 0; k < problem_.lists.size(); ++k) {
      const auto number = static_cast<std::uint32_t>(k + 1);
      const auto count = [&](std::span<const std::uint32_t> weights) {
        for (const std::uint32_t weight : weights) {
          if (weight == SequenceList::kNone) continue;
          if (std::exchange(last_sequence[weight], number) != number) ++sequences[weight];
        }
      };
      count(problem_.lists[k].features);
      count(problem_.lists[k].pairs);
      count(problem_.lists[k].triples);
    }
    weights_.set_sentence_counts(sequences, problem_.lists.size(), kAdagradBatch);
  }

  void learn(std::span<const std::size_t> batch) {
    pool_->for_each(batch.size(), [&](std::size_t k, int number) {
      const auto worker = static_cast<std::size_t>(number);
      SequenceExample& example = examples_[worker];
      std::vector<std::int64_t>& gradient = gradients_[worker];
      example.assign(problem_.lists[batch[k]], weights_.values());
      losses_[batch[k]] = example.log_loss();
      example.for_each_coefficient([&](std::uint32_t weight, std::int64_t coefficient) {
        if (gradient[weight] == 0) touched_[worker].push_back(weight);
        gradient[weight] += coefficient;
      });
    });
    const double share = static_cast<double>(batch.size()) / static_cast<double>(problem_.lists.size());
    for (std::vector<std::uint32_t>& touched : touched_) {
      for (const std::uint32_t weight : touched) {
        std::int64_t sum = 0;
        for (std::vector<std::int64_t>& gradient : gradients_) sum += std::exchange(gradient[weight], 0);
        if (sum != 0) weights_.step(weight, from_fixed_point(sum), share);
      }
      touched.clear();
    }
  }

  SequenceProblem problem_;
  std::uint64_t seed_;
  TaskPool* pool_;
  std::uint64_t passes_ = 0;
  double objective_ = 0.0;
  AdagradWeights weights_;
  std::vector<double> losses_;
  std::vector<SequenceExample> examples_;             // by worker
  std::vector<std::vector<std::int64_t>> gradients_;  // by worker; all zero between batches
  std::vector<std::vector<std::uint32_t>> touched_;   // by worker: weights whose gradient may not be zero
};

// Collins 2002: towards the right labels, away from the best ones. One thread: each step needs the one
// before.
class PerceptronSequenceLearner : public SequenceLearner {
 public:
  PerceptronSequenceLearner(const SequenceProblem& problem, std::uint64_t seed)
      : problem_(problem), seed_(seed), example_(problem.order), weights_(problem.weights) {}

  bool iterate() override {
    wrong_labels_ = 0.0;
    for (const std::size_t k : shuffled_order(problem_.lists.size(), seed_, passes_++)) {
      example_.assign(problem_.lists[k], weights_.now());
      const int wrong = example_.wrong_labels();
      if (wrong > 0) {
        wrong_labels_ += wrong;
        example_.compare_with_best();
        example_.for_each_coefficient([&](std::uint32_t weight, std::int64_t change) {
          weights_.add(weight, from_fixed_point(change));
        });
      }
      weights_.next_moment();
    }
    average_ = weights_.average();
    return wrong_labels_ > 0.0;
  }
  double objective() const override { return wrong_labels_; }
  std::span<const float> weights() override { return average_; }

 private:
  SequenceProblem problem_;
  std::uint64_t seed_;
  std::uint64_t passes_ = 0;
  double wrong_labels_ = 0.0;
  SequenceExample example_;
  AveragedWeights weights_;
  std::vector<float> average_;
};

}  // namespace

SequenceLikelihood::SequenceLikelihood(const SequenceProblem& problem, TaskPool& pool)
    : problem_(problem),
      pool_(&pool),
      penalties_(problem.weights, static_cast<float>(problem.l2)),
      order_(problem.lists.size()),
      losses_(problem.lists.size()),
      examples_(one_per_worker(problem, problem.margin, pool)),
      gradients_(pool.threads(), problem.weights) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return problem_.lists[a].features.size() > problem_.lists[b].features.size();
  });
}

double SequenceLikelihood::evaluate(std::span<const float> weights, std::span<float> gradient) {
  try {
    pool_->for_each(order_.size(), [&](std::size_t k, int worker) {
      SequenceExample& example = examples_[static_cast<std::size_t>(worker)];
      std::int64_t* sums = gradients_.of(worker);
      example.assign(problem_.lists[order_[k]], weights);
      losses_[order_[k]] = example.log_loss();
      example.for_each_coefficient(
          [sums](std::uint32_t weight, std::int64_t coefficient) { sums[weight] += coefficient; });
    });
  } catch (...) {
    gradients_.clear();
    throw;
  }
  const double penalty = gradients_.finish(weights, penalties_, gradient, *pool_);
  return std::accumulate(losses_.begin(), losses_.end(), 0.0) + penalty;
}

std::unique_ptr<SequenceLearner> make_sequence_learner(LearnerKind learner, const SequenceProblem& problem,
                                                       std::uint64_t seed, TaskPool& pool) {
  switch (learner) {
    case LearnerKind::lbfgs:
      return std::make_unique<LbfgsSequenceLearner>(problem, pool);
    case LearnerKind::adagrad:
      return std::make_unique<AdagradSequenceLearner>(problem, seed, pool);
    case LearnerKind::perceptron:
      return std::make_unique<PerceptronSequenceLearner>(problem, seed);
    case LearnerKind::mira:
      break;
  }
  throw std::invalid_argument("sequences are learnt by lbfgs, adagrad or perceptron");
}

}  // namespace copse
