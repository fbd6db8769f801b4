// Steps of learning to guess hidden words, on a GPU.
#include "pretraining/masked_steps.h"

#include <algorithm>

#include "cuda/device_back_end.h"
#include "cuda/guesses.h"
#include "network/encoder.h"

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
        back_end_(products_),
        encoder_(shape, nullptr, back_end_),
        guesses_(shape, blocks_, products_) {
    weights_.restore(begin_state(std::move(weights)));
  }

  NetworkStepReport step(const NetworkStep& step) override {
    arrange(step);
    weights_.clear_gradient();
    const WeightSet<DeviceForm> weights = weights_.weights_by_layer();
    const DeviceMatrix output = encoder_.forward(inputs_, sequences_, weights, plan_).all();
    const DeviceMatrix gradient = output_gradient_.resize(sequences_.rows(), shape_->encoder_size());
    guesses_.run(output, hidden_rows_, gold_, weights_, gradient);
    encoder_.backward(weights, gradient, weights_.gradient_by_layer());
    return weights_.update(step, 0.0);
  }
  const NetworkState& state() override { return weights_.state(); }
  void restore(NetworkState state) override { weights_.restore(std::move(state)); }

 private:
  // A sentence, and what is dropped of the batch that it comes from.
  struct Member {
    const MaskedBatch* batch = nullptr;
    std::size_t plan = 0;
    std::size_t sequence = 0;
    std::size_t rows = 0;
  };

  // Puts the sentences of all parts into one batch, the longest first. What is dropped of each is planned for
  // its part, as on processors.
  void arrange(const NetworkStep& step) {
    members_.clear();
    batch_plans_.clear();
    for (std::size_t part = 0; part < step.parts.size(); ++part) {
      Random random(step.seed + part);
      for (const std::size_t number : step.parts[part]) {
        const MaskedBatch& batch = batches_[number];
        for (std::size_t s = 0; s < batch.sequences.count(); ++s) {
          members_.push_back({&batch, batch_plans_.size(), s, batch.sequences.length(s)});
        }
        batch_plans_.emplace_back().draw(*shape_, batch.sequences, dropout_, random, batch.kept);
      }
    }
    std::stable_sort(members_.begin(), members_.end(),
                     [](const Member& a, const Member& b) { return a.rows > b.rows; });
    inputs_.clear();
    sequences_.clear();
    hidden_rows_.clear();
    gold_.clear();
    plan_.clear();
    for (const Member& member : members_) append(member);
  }

  void append(const Member& member) {
    const MaskedBatch& batch = *member.batch;
    const std::size_t begin = batch.sequences.begin(member.sequence);
    const std::size_t to = inputs_.rows();
    inputs_.append(batch.inputs, begin, member.rows);
    sequences_.add(member.rows);
    plan_.append(batch_plans_[member.plan], member.sequence, begin, member.rows);
    auto hidden = std::lower_bound(batch.hidden_rows.begin(), batch.hidden_rows.end(), begin);
    for (; hidden != batch.hidden_rows.end() && *hidden < begin + member.rows; ++hidden) {
      hidden_rows_.push_back(static_cast<std::uint32_t>(*hidden - begin + to));
      gold_.push_back(batch.gold[static_cast<std::size_t>(hidden - batch.hidden_rows.begin())]);
    }
  }

  const NetworkShape* shape_;
  std::span<const MaskedBatch> batches_;
  float dropout_;
  NetworkBlocks blocks_;
  Products products_;
  DeviceWeights weights_;
  DeviceBackEnd back_end_;
  Encoder<DeviceBackEnd> encoder_;
  DeviceGuesses guesses_;

  std::vector<Member> members_;
  WordInputs inputs_;
  Sequences sequences_;
  std::vector<std::uint32_t> hidden_rows_;
  std::vector<std::uint32_t> gold_;
  std::vector<DropoutPlan> batch_plans_;
  DropoutPlan plan_;
  DeviceBackEnd::Values output_gradient_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<NetworkSteps> make_cuda_masked_steps(const NetworkShape& shape,
                                                     std::span<const MaskedBatch> batches, float dropout,
                                                     std::vector<float> weights,
                                                     const NetworkStepsOptions& options, TaskPool& /*pool*/) {
  return std::make_unique<cuda::MaskedSteps>(shape, batches, dropout, std::move(weights), options);
}

}  // namespace copse
