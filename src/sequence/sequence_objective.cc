#include "sequence/sequence_objective.h"

#include <stdexcept>
#include <vector>

#include "optimisers/fixed_point.h"
#include "sequence/sequence_example.h"

namespace copse {
namespace {

class SequenceWorkspace : public ExampleWorkspace {
 public:
  SequenceWorkspace(std::span<const SequenceList> lists, int order, double margin)
      : lists_(lists), example_(order, margin) {}

  double loss(std::size_t sequence, std::span<const float> weights) override {
    example_.assign(lists_[sequence], weights);
    return example_.log_loss();
  }

  void add_gradient(std::int64_t* sums, std::vector<std::uint32_t>* touched) override {
    add_coefficients(example_, sums, touched);
  }

  std::span<const Rival> rivals(std::size_t sequence, std::span<const float> weights, int count) override {
    if (count != 1) throw std::invalid_argument("of sequences, only the best labels can be compared");
    example_.assign(lists_[sequence], weights);
    rival_.errors = example_.wrong_labels();
    rival_.score_gap = example_.gold_score() - example_.best_score();
    return {&rival_, 1};
  }

  void append_difference(std::size_t /*rival*/, SparseVector& difference) override {
    example_.compare_with_best();
    example_.for_each_coefficient([&](std::uint32_t weight, std::int64_t amount) {
      difference.emplace_back(weight, from_fixed_point(amount));
    });
  }

  void append_weights(std::size_t sequence, std::vector<std::uint32_t>& numbers) override {
    const SequenceList& list = lists_[sequence];
    numbers.insert(numbers.end(), list.features.begin(), list.features.end());
    for (const std::vector<std::uint32_t>* transitions : {&list.pairs, &list.triples}) {
      for (const std::uint32_t weight : *transitions) {
        if (weight != SequenceList::kNone) numbers.push_back(weight);
      }
    }
  }

 private:
  std::span<const SequenceList> lists_;
  SequenceExample example_;
  Rival rival_;
};

}  // namespace

std::unique_ptr<ExampleWorkspace> SequenceObjective::make_workspace() const {
  return std::make_unique<SequenceWorkspace>(lists_, order_, margin_);
}

}  // namespace copse
