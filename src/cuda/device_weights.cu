#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_reduce.cuh>

#include <cmath>

#include "cuda/device_weights.h"
#include "cuda/launch.h"

namespace copse::cuda {
namespace {

// Room for the losses of a step: rows of a batch, its arcs, and its tags.
constexpr std::size_t kMostLosses = std::size_t{1} << 22;

struct Square {
  __host__ __device__ double operator()(float x) const {
    return static_cast<double>(x) * static_cast<double>(x);
  }
};

// See adam_kernels.h.
struct Adam {
  AdamStep step;
  float* weights;
  float* first_moments;
  float* second_moments;
  const float* rates;  // null: the same for all
  __device__ float update(std::size_t at, float given) const {
    const float gradient = given * step.gradient_scale;
    const float rate = step.rate * (rates == nullptr ? 1.0F : rates[at]);
    const float first = step.beta1 * first_moments[at] + (1.0F - step.beta1) * gradient;
    const float second = step.beta2 * second_moments[at] + (1.0F - step.beta2) * gradient * gradient;
    const float before = weights[at];
    const float change =
        rate * step.first_correction * first / (sqrtf(second * step.second_correction) + step.epsilon);
    const float after = before - change - rate * step.weight_decay * before;
    first_moments[at] = first;
    second_moments[at] = second;
    weights[at] = after;
    return after;
  }
};

struct UpdateDense {
  Adam adam;
  const float* gradient;
  float* average;
  __device__ void operator()(std::size_t k) const {
    const float after = adam.update(k, gradient[k]);
    average[k] += (1.0F - adam.step.average_decay) * (after - average[k]);
  }
};

struct UpdateRows {
  Adam adam;
  std::size_t offset;
  int columns;
  const std::uint32_t* numbers;
  const std::int32_t* count;
  const float* values;
  __device__ void operator()(std::size_t k) const {
    const std::size_t run = k / columns;
    if (run >= static_cast<std::size_t>(*count)) return;
    adam.update(offset + static_cast<std::size_t>(numbers[run]) * columns + k % columns, values[k]);
  }
};

struct AddRows {
  int columns;
  const std::uint32_t* numbers;
  const std::int32_t* count;
  const float* values;
  float* gradient;
  __device__ void operator()(std::size_t k) const {
    const std::size_t run = k / columns;
    if (run >= static_cast<std::size_t>(*count)) return;
    gradient[static_cast<std::size_t>(numbers[run]) * columns + k % columns] += values[k];
  }
};

struct Average {
  const float* weights;
  float* average;
  float decay;
  __device__ void operator()(std::size_t k) const {
    average[k] += (1.0F - decay) * (weights[k] - average[k]);
  }
};

}  // namespace

DeviceWeights::DeviceWeights(const NetworkBlocks& blocks, std::span<const RateRange> rates,
                             Products& products)
    : blocks_(&blocks), products_(&products), stream_(products.stream()), tables_(blocks) {
  gradient_.resize(blocks.dense);
  losses_.resize(kMostLosses);
  results_.resize(blocks.tables().size() + 3);
  if (rates.empty()) return;
  std::vector<float> factors(blocks.size, 1.0F);
  for (const RateRange& range : rates) {
    for (std::size_t k = range.begin; k < range.end; ++k) factors[k] = range.factor;
  }
  rates_.upload(factors, stream_);
}

void DeviceWeights::clear_gradient() {
  gradient_.clear_values(stream_);
  tables_.clear();
  loss_count_ = 0;
}

double* DeviceWeights::take_losses(std::size_t count) {
  if (loss_count_ + count > kMostLosses) {
    throw DataError("batches of this size are too large for a GPU; make them smaller");
  }
  double* taken = losses_.data() + loss_count_;
  loss_count_ += count;
  return taken;
}

// Where the table of words is used by every sentence, what its rows have at the input joins the rest.
void DeviceWeights::add_dense_tables() {
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    TableGradients::Rows& table = tables_[k];
    if (table.offset >= blocks_->dense) continue;
    run_for(table.most * static_cast<std::size_t>(table.columns), stream_,
            AddRows{table.columns, table.numbers.data(), table.count.data(), table.values.data(),
                    gradient_.data() + table.offset});
  }
}

// The square of the gradient's length.
double DeviceWeights::measure(double& loss) {
  std::size_t results = 0;
  const auto reduce = [&](auto begin, std::size_t count) {
    std::size_t bytes = 0;
    double* to = results_.data() + results++;
    check_cuda(cub::DeviceReduce::Sum(nullptr, bytes, begin, to, static_cast<int>(count), stream_),
               "adding up");
    room_.resize(std::max<std::size_t>(bytes, 1));
    check_cuda(cub::DeviceReduce::Sum(room_.data(), bytes, begin, to, static_cast<int>(count), stream_),
               "adding up");
  };
  reduce(losses_.data(), loss_count_);
  reduce(thrust::make_transform_iterator(gradient_.data(), Square()), blocks_->dense);
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    TableGradients::Rows& table = tables_[k];
    if (table.offset < blocks_->dense) continue;
    reduce(thrust::make_transform_iterator(table.values.data(), Square()),
           table.most * static_cast<std::size_t>(table.columns));
  }
  std::vector<double> values(results);
  results_.download(values, stream_);
  loss += values[0];
  double square = 0.0;
  for (std::size_t k = 1; k < values.size(); ++k) square += values[k];
  return square;
}

NetworkStepReport DeviceWeights::update(const NetworkStep& step, double host_loss) {
  add_dense_tables();
  NetworkStepReport report{host_loss, 0.0};
  report.gradient_norm = std::sqrt(measure(report.loss)) * step.scale;
  if (!std::isfinite(report.gradient_norm) || !std::isfinite(report.loss)) return report;
  AdamStep adam = step.adam;
  adam.gradient_scale =
      static_cast<float>(step.scale * std::min(1.0, static_cast<double>(step.norm) / report.gradient_norm));
  const Adam update{adam, weights_.data(), first_moments_.data(), second_moments_.data(),
                    rates_.size() == 0 ? nullptr : rates_.data()};
  run_for(blocks_->dense, stream_, UpdateDense{update, gradient_.data(), average_.data()});
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    TableGradients::Rows& table = tables_[k];
    if (table.offset < blocks_->dense) continue;
    run_for(table.most * static_cast<std::size_t>(table.columns), stream_,
            UpdateRows{update, table.offset, table.columns, table.numbers.data(), table.count.data(),
                       table.values.data()});
  }
  run_for(blocks_->size - blocks_->dense, stream_,
          Average{weights_.data() + blocks_->dense, average_.data() + blocks_->dense, adam.average_decay});
  is_state_current_ = false;
  return report;
}

const NetworkState& DeviceWeights::state() {
  if (!is_state_current_) {
    const auto take = [&](std::vector<float>& to, const DeviceArray<float>& from) {
      to.resize(from.size());
      from.download(to, stream_);
    };
    take(state_.weights, weights_);
    take(state_.first_moments, first_moments_);
    take(state_.second_moments, second_moments_);
    take(state_.average, average_);
    is_state_current_ = true;
  }
  return state_;
}

void DeviceWeights::restore(NetworkState state) {
  state_ = std::move(state);
  weights_.upload(state_.weights, stream_);
  first_moments_.upload(state_.first_moments, stream_);
  second_moments_.upload(state_.second_moments, stream_);
  average_.upload(state_.average, stream_);
  check_cuda(cudaStreamSynchronize(stream_), "copying to the GPU");
  is_state_current_ = true;
}

}  // namespace copse::cuda
