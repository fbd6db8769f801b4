// Steps of learning to guess hidden words, on a GPU.
#include "pretraining/masked_steps.h"

#include <algorithm>

#include "cuda/encoder.h"
#include "cuda/guesses.h"
#include "network/input_layer.h"
#include "network/random.h"

namespace copse {
namespace cuda {
namespace {

class MaskedSteps : public NetworkSteps {
 public:
  MaskedSteps(const NetworkShape& shape, std::span<const MaskedBatch> batches, float dropout,
              std::vector<float> weights, const NetworkStepsOptions& options)
      : shape_(&shape),
        batches_(batches),
        dropout_(dropout),
        blocks_(shape),
        products_(options.precision),
        weights_(blocks_, options.rates, products_),
        encoder_(shape, blocks_, nullptr, products_),
        guesses_(shape, blocks_, products_) {
    weights_.restore(begin_state(std::move(weights)));
  }

  NetworkStepReport step(const NetworkStep& step) override {
    arrange(step);
    sequences_on_device_.assign(sequences_, products_.stream());
    weights_.clear_gradient();
    const DeviceMatrix output = encoder_.forward(inputs_, sequences_on_device_, weights_.weights(), noise_);
    output_gradient_.resize(static_cast<std::size_t>(output.rows) * static_cast<std::size_t>(output.columns));
    const DeviceMatrix gradient(output_gradient_.data(), sequences_.rows(), shape_->encoder_size());
    guesses_.run(output, hidden_rows_, gold_, weights_, gradient);
    encoder_.backward(sequences_on_device_, weights_.weights(), gradient, weights_.gradient(), weights_.tables());
    return weights_.update(step, 0.0);
  }
  const NetworkState& state() override { return weights_.state(); }
  void restore(NetworkState state) override { weights_.restore(std::move(state)); }

 private:
  // A sentence, and the states of the random numbers that drop something of it, by layer.
  struct Member {
    const MaskedBatch* batch = nullptr;
    std::size_t sequence = 0;
    std::size_t rows = 0;
    std::vector<std::uint64_t> states;
  };

  // Puts the sentences of all parts into one batch, the longest first, with the random numbers that processors
  // take.
  void arrange(const NetworkStep& step) {
    members_.clear();
    const std::size_t width = shape_->encoder_size();
    for (std::size_t part = 0; part < step.parts.size(); ++part) {
      Random random(step.seed + part);
      for (const std::size_t number : step.parts[part]) {
        const MaskedBatch& batch = batches_[number];
        const std::size_t count = batch.sequences.count();
        for (std::size_t s = 0; s < count; ++s) {
          Member member{&batch, s, batch.sequences.length(s), {}};
          for (std::size_t layer = 0; layer < shape_->layers; ++layer) {
            Random own = random;
            own.skip((layer * count + s) * width);
            member.states.push_back(own.state());
          }
          members_.push_back(std::move(member));
        }
        if (dropout_ > 0.0F) random.skip(shape_->layers * count * width);
      }
    }
    std::stable_sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) { return a.rows > b.rows; });
    inputs_.clear();
    sequences_.clear();
    hidden_rows_.clear();
    gold_.clear();
    factors_.clear();
    noise_.states.assign(dropout_ > 0.0F ? shape_->layers + 1 : 0, std::vector<std::uint64_t>(members_.size()));
    noise_.layer_rate = dropout_;
    for (std::size_t k = 0; k < members_.size(); ++k) append(k);
    noise_.group_factors = factors_;
  }

  void append(std::size_t k) {
    const Member& member = members_[k];
    const MaskedBatch& batch = *member.batch;
    const std::size_t begin = batch.sequences.begin(member.sequence);
    const std::size_t to = inputs_.rows();
    inputs_.append(batch.inputs, begin, member.rows);
    sequences_.add(member.rows);
    for (std::size_t row = begin; row < begin + member.rows; ++row) {
      factors_.insert(factors_.end(), kInputGroups, batch.kept[row]);
    }
    auto hidden = std::lower_bound(batch.hidden_rows.begin(), batch.hidden_rows.end(), begin);
    for (; hidden != batch.hidden_rows.end() && *hidden < begin + member.rows; ++hidden) {
      hidden_rows_.push_back(static_cast<std::uint32_t>(*hidden - begin + to));
      gold_.push_back(batch.gold[static_cast<std::size_t>(hidden - batch.hidden_rows.begin())]);
    }
    for (std::size_t site = 1; site < noise_.states.size(); ++site) {
      noise_.states[site][k] = member.states[site - 1];
    }
  }

  const NetworkShape* shape_;
  std::span<const MaskedBatch> batches_;
  float dropout_;
  NetworkBlocks blocks_;
  Products products_;
  DeviceWeights weights_;
  DeviceEncoder encoder_;
  DeviceGuesses guesses_;

  std::vector<Member> members_;
  WordInputs inputs_;
  Sequences sequences_;
  std::vector<std::uint32_t> hidden_rows_;
  std::vector<std::uint32_t> gold_;
  std::vector<float> factors_;
  EncoderNoise noise_;
  DeviceSequences sequences_on_device_;
  DeviceArray<float> output_gradient_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<NetworkSteps> make_cuda_masked_steps(const NetworkShape& shape, std::span<const MaskedBatch> batches,
                                                     float dropout, std::vector<float> weights,
                                                     const NetworkStepsOptions& options, TaskPool& /*pool*/) {
  return std::make_unique<cuda::MaskedSteps>(shape, batches, dropout, std::move(weights), options);
}

}  // namespace copse
