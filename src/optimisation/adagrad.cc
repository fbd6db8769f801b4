#include "optimisation/adagrad.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "optimisation/fixed_point.h"
#include "optimisation/restore_numbers.h"
#include "optimisation/shuffled_order.h"
#include "optimisation/workspaces.h"

namespace copse {

Adagrad::Adagrad(const Objective& objective, std::span<const float> start, double l2, double step,
                 std::uint64_t seed, TaskPool& pool)
    : examples_(objective.examples()),
      seed_(seed),
      pool_(&pool),
      weights_(start_weights(objective, start), l2, step),
      losses_(examples_) {
  for (int worker = 0; worker < pool.threads(); ++worker)
    workers_.push_back({objective.make_workspace(), {}, {}});
  count_examples();
  // Not before: counting takes memory, too.
  for (Worker& worker : workers_) worker.gradient.resize(objective.weights());
}

void Adagrad::count_examples() {
  std::vector<std::uint32_t> counts(weights_.values().size());
  std::vector<std::uint32_t> last_example(counts.size());
  std::vector<std::uint32_t> used;
  for (std::size_t k = 0; k < examples_; ++k) {
    const auto number = static_cast<std::uint32_t>(k + 1);
    used.clear();
    workers_.front().examples->append_weights(k, used);
    for (const std::uint32_t weight : used) {
      if (std::exchange(last_example[weight], number) != number) ++counts[weight];
    }
  }
  weights_.set_example_counts(counts, examples_, kBatch);
}

bool Adagrad::iterate() {
  const std::vector<std::size_t> order = shuffled_order(examples_, seed_, passes_++);
  for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
    learn(std::span(order).subspan(begin, std::min(kBatch, order.size() - begin)));
  }
  objective_ = std::accumulate(losses_.begin(), losses_.end(), 0.0) + weights_.penalty();
  return true;
}

void Adagrad::learn(std::span<const std::size_t> batch) {
  pool_->for_each(batch.size(), [&](std::size_t k, int number) {
    Worker& worker = workers_[static_cast<std::size_t>(number)];
    losses_[batch[k]] = worker.examples->loss(batch[k], weights_.values());
    worker.examples->add_gradient(worker.gradient.data(), &worker.touched);
  });
  const double share = static_cast<double>(batch.size()) / static_cast<double>(examples_);
  for (Worker& worker : workers_) {
    for (const std::uint32_t weight : worker.touched) step(weight, share);
    worker.touched.clear();
  }
}

void Adagrad::step(std::uint32_t weight, double share_of_data) {
  std::int64_t sum = 0;
  for (Worker& worker : workers_) sum += std::exchange(worker.gradient[weight], 0);
  if (sum == 0) return;
  weights_.step(weight, from_fixed_point(sum), share_of_data);
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
