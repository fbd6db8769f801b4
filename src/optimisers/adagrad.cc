#include "optimisers/adagrad.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "optimisers/fixed_point.h"
#include "optimisers/orderless_sum.h"
#include "optimisers/restore_numbers.h"
#include "optimisers/shuffled_order.h"
#include "optimisers/workspaces.h"
#include "parallel/team_values.h"

namespace copse {

Adagrad::Adagrad(const Objective& objective, std::span<const float> start, double l2, double step,
                 std::uint64_t seed, TaskPool& pool)
    : seed_(seed),
      pool_(&pool),
      weights_(start_weights(objective, start), l2, step),
      losses_(objective.examples()) {
  find_examples(objective);
  for (int worker = 0; worker < pool.threads(); ++worker)
    workers_.push_back({objective.make_workspace(), {}, {}});
  count_examples();
  // Not before: counting takes memory, too.
  for (Worker& worker : workers_) worker.gradient.resize(objective.weights());
}

void Adagrad::find_examples(const Objective& objective) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(objective.examples());
  for (std::size_t k = 0; k < objective.examples(); ++k) numbers.push_back(objective.number(k));
  const Places places = find_places(team(), numbers);
  own_.assign(places.all, kNotHere);
  for (std::size_t k = 0; k < places.own.size(); ++k) own_[places.own[k]] = k;
}

void Adagrad::count_examples() {
  std::vector<std::uint32_t> counts(weights_.values().size());
  std::vector<std::uint32_t> last_example(counts.size());
  std::vector<std::uint32_t> used;
  for (std::size_t k = 0; k < losses_.size(); ++k) {
    const auto number = static_cast<std::uint32_t>(k + 1);
    used.clear();
    workers_.front().examples->append_weights(k, used);
    for (const std::uint32_t weight : used) {
      if (std::exchange(last_example[weight], number) != number) ++counts[weight];
    }
  }
  if (!team().is_alone()) {
    std::vector<std::int64_t> all(counts.begin(), counts.end());
    team().add_up(all);
    for (std::size_t k = 0; k < all.size(); ++k) counts[k] = static_cast<std::uint32_t>(all[k]);
  }
  weights_.set_example_counts(counts, own_.size(), kBatch);
}

bool Adagrad::iterate() {
  const std::vector<std::size_t> order = shuffled_order(own_.size(), seed_, passes_++);
  for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
    learn(std::span(order).subspan(begin, std::min(kBatch, order.size() - begin)));
  }
  objective_ = orderless_sum(team(), losses_) + weights_.penalty();
  return true;
}

void Adagrad::learn(std::span<const std::size_t> batch) {
  batch_.clear();
  for (const std::size_t example : batch) {
    if (own_[example] != kNotHere) batch_.push_back(own_[example]);
  }
  pool_->for_each(batch_.size(), [&](std::size_t k, int number) {
    Worker& worker = workers_[static_cast<std::size_t>(number)];
    losses_[batch_[k]] = worker.examples->loss(batch_[k], weights_.values());
    worker.examples->add_gradient(worker.gradient.data(), &worker.touched);
  });
  if (!team().is_alone()) add_changes_of_others();
  const double share = static_cast<double>(batch.size()) / static_cast<double>(own_.size());
  for (Worker& worker : workers_) {
    for (const std::uint32_t weight : worker.touched) step(weight, share);
    worker.touched.clear();
  }
}

// Tells the others what was added up here, and makes the first worker's gradient that of all processes.
void Adagrad::add_changes_of_others() {
  changes_.clear();
  for (Worker& worker : workers_) {
    for (const std::uint32_t weight : worker.touched) {
      const std::int64_t sum = take_sum(weight);
      if (sum == 0) continue;
      changes_.push_back({weight, static_cast<std::uint32_t>(sum), static_cast<std::uint32_t>(sum >> 32)});
    }
    worker.touched.clear();
  }
  Worker& first = workers_.front();
  for (const std::vector<std::byte>& parcel : team().gather(std::as_bytes(std::span(changes_)))) {
    for (std::size_t at = 0; at < parcel.size(); at += sizeof(Change)) {
      Change change;
      std::memcpy(&change, parcel.data() + at, sizeof(Change));
      std::int64_t& sum = first.gradient[change.weight];
      if (sum == 0) first.touched.push_back(change.weight);
      sum += static_cast<std::int64_t>(std::uint64_t{change.high} << 32 | change.low);
    }
  }
}

std::int64_t Adagrad::take_sum(std::uint32_t weight) {
  std::int64_t sum = 0;
  for (Worker& worker : workers_) sum += std::exchange(worker.gradient[weight], 0);
  return sum;
}

void Adagrad::step(std::uint32_t weight, double share_of_data) {
  const std::int64_t sum = take_sum(weight);
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
