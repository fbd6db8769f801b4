#include "learning/adagrad.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "optimisation/shuffled_order.h"

namespace copse {

Adagrad::Adagrad(const TrainingProblem& problem, double l2, double step, std::uint64_t seed, TaskPool& pool,
                 double margin)
    : problem_(problem),
      seed_(seed),
      pool_(&pool),
      weights_(problem.start_weights(), l2, step),
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
    example.for_each_weight([&](std::uint32_t feature) {
      if (std::exchange(last_sentence[feature], number) != number) ++sentences[feature];
    });
  }
  weights_.set_sentence_counts(sentences, problem_.sentences(), kBatch);
}

bool Adagrad::iterate() {
  const std::vector<std::size_t> order = shuffled_order(problem_.sentences(), seed_, passes_++);
  for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
    learn(std::span(order).subspan(begin, std::min(kBatch, order.size() - begin)));
  }
  objective_ = std::accumulate(losses_.begin(), losses_.end(), 0.0) + weights_.penalty();
  return true;
}

void Adagrad::learn(std::span<const std::size_t> batch) {
  pool_->for_each(batch.size(), [&](std::size_t k, int number) {
    Worker& worker = workers_[static_cast<std::size_t>(number)];
    const std::size_t sentence = batch[k];
    worker.example.assign(sentence);
    worker.example.score(weights_.values());
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
  weights_.step(feature, from_fixed_point(sum), share_of_data);
}

LearnerProgress Adagrad::progress() const { return {objective_, std::numeric_limits<double>::quiet_NaN()}; }

void Adagrad::save(SectionFileWriter& file) const {
  ByteWriter state;
  state.u64(passes_);
  state.f64(objective_);
  file.add("learner", state.take());
  file.add_numbers("weights", weights_.values());
  file.add_numbers("squares", weights_.squares());
}

void Adagrad::restore(std::span<const SectionFile> files) {
  const SectionFile& file = files.back();
  ByteReader state = file.reader("learner");
  passes_ = state.u64();
  objective_ = state.f64();
  state.expect_end();
  restore_numbers(file, "weights", weights_.values());
  restore_numbers(file, "squares", weights_.squares());
}

}  // namespace copse
