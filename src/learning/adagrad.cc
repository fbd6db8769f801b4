#include "learning/adagrad.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "learning/shuffled_order.h"

namespace copse {

Adagrad::Adagrad(const TrainingProblem& problem, double l2, double step, std::uint64_t seed, TaskPool& pool,
                 double margin)
    : problem_(problem),
      l2_(l2),
      step_(step),
      seed_(seed),
      pool_(&pool),
      weights_(problem.start_weights()),
      squares_(problem.features()),
      penalty_factors_(problem.features()),
      losses_(problem.sentences()) {
  for (int worker = 0; worker < pool.threads(); ++worker) {
    workers_.push_back(
        {Example(*problem.lists, problem.trees, margin), std::vector<std::int64_t>(problem.features()), {}});
  }
  count_sentences();
}

void Adagrad::count_sentences() {
  std::vector<std::uint32_t> sentences(problem_.features());
  std::vector<std::uint32_t> last_sentence(problem_.features());
  Example& example = workers_.front().example;
  for (std::size_t k = 0; k < problem_.sentences(); ++k) {
    const auto number = static_cast<std::uint32_t>(k + 1);
    example.assign(k);
    for (const std::uint32_t feature : example.list().features) {
      if (std::exchange(last_sentence[feature], number) != number) ++sentences[feature];
    }
  }
  std::vector<float> factors(problem_.sentences() + 1);
  for (std::size_t k = 1; k < factors.size(); ++k) {
    factors[k] = static_cast<float>(1.0 / expected_charge(static_cast<double>(k)));
  }
  for (std::size_t k = 0; k < sentences.size(); ++k) penalty_factors_[k] = factors[sentences[k]];
}

// Of the penalty of a feature that so many sentences have, the share that a pass would charge if every batch
// that contains the feature charged its own share.
double Adagrad::expected_charge(double sentences) const {
  const auto all = static_cast<double>(problem_.sentences());
  const auto charge_of = [&](double batch) {
    double chance_of_none = 1.0;
    for (double k = 0.0; k < batch; ++k) chance_of_none *= std::max(0.0, all - sentences - k) / (all - k);
    return batch / all * (1.0 - chance_of_none);
  };
  const double full = std::min(static_cast<double>(kBatch), all);
  const double full_batches = std::floor(all / full);
  return full_batches * charge_of(full) + charge_of(all - full_batches * full);
}

bool Adagrad::iterate() {
  const std::vector<std::size_t> order = shuffled_order(problem_.sentences(), seed_, passes_++);
  for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
    learn(std::span(order).subspan(begin, std::min(kBatch, order.size() - begin)));
  }
  const double square = std::inner_product(weights_.begin(), weights_.end(), weights_.begin(), 0.0);
  objective_ = std::accumulate(losses_.begin(), losses_.end(), 0.0) + 0.5 * l2_ * square;
  return true;
}

void Adagrad::learn(std::span<const std::size_t> batch) {
  pool_->for_each(batch.size(), [&](std::size_t k, int number) {
    Worker& worker = workers_[static_cast<std::size_t>(number)];
    const std::size_t sentence = batch[k];
    worker.example.assign(sentence);
    worker.example.score(weights_);
    losses_[sentence] = worker.example.log_loss();
    worker.example.for_each_coefficient([&](std::uint32_t feature, std::int64_t coefficient) {
      if (worker.gradient[feature] == 0) worker.touched.push_back(feature);
      worker.gradient[feature] += coefficient;
    });
  });
  const double share = static_cast<double>(batch.size()) / static_cast<double>(problem_.sentences());
  for (Worker& worker : workers_) {
    for (const std::uint32_t feature : worker.touched) step(feature, share);
    worker.touched.clear();
  }
}

void Adagrad::step(std::uint32_t feature, double share_of_data) {
  std::int64_t sum = 0;
  for (Worker& worker : workers_) sum += std::exchange(worker.gradient[feature], 0);
  if (sum == 0) return;
  // The penalty belongs to every batch. It is charged to those that contain the feature, and so much more of
  // it as they are rare: the same on average, and only features of the batch need to be looked at.
  const double penalty = l2_ * weights_[feature] * share_of_data * penalty_factors_[feature];
  const double gradient = from_fixed_point(sum) + penalty;
  squares_[feature] += static_cast<float>(gradient * gradient);
  constexpr double kSmallest = 1e-3;
  weights_[feature] -=
      static_cast<float>(step_ * gradient / (std::sqrt(static_cast<double>(squares_[feature])) + kSmallest));
}

LearnerProgress Adagrad::progress() const { return {objective_, std::numeric_limits<double>::quiet_NaN()}; }

void Adagrad::save(SectionFileWriter& file) const {
  ByteWriter state;
  state.u64(passes_);
  state.f64(objective_);
  file.add("learner", state.take());
  file.add_numbers("weights", weights_);
  file.add_numbers("squares", squares_);
}

void Adagrad::restore(std::span<const SectionFile> files) {
  const SectionFile& file = files.back();
  ByteReader state = file.reader("learner");
  passes_ = state.u64();
  objective_ = state.f64();
  state.expect_end();
  restore_numbers(file, "weights", weights_);
  restore_numbers(file, "squares", squares_);
}

}  // namespace copse
