#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimisers/fixed_point.h"
#include "sequence/chain_distribution.h"
#include "sequence/sequence_lists.h"

namespace copse {

// One sequence under given weights: all that learners ask about it. A workspace for one thread.
class SequenceExample {
 public:
  // `margin` is added to the score of every wrong label.
  explicit SequenceExample(int order, double margin = 0.0) : order_(order), margin_(margin) {}

  // Borrows the list, and makes the distribution of its labels under these weights.
  void assign(const SequenceList& list, std::span<const float> weights);

  // Minus the log-probability of the gold labels, which are all among the candidates. Sets the coefficients
  // to expected minus gold parts: the gradient, in terms of parts.
  double log_loss();

  // The indices of the most probable labels.
  std::span<const int> best();
  // How many labels of best() are wrong, gold ones that are no candidates included.
  int wrong_labels();
  // Of the gold labels and, after best(), of those.
  double gold_score() const { return distribution_.score(list_->lattice.gold); }
  double best_score() const { return distribution_.score(best_); }
  // Sets the coefficients to the gold parts minus those of best().
  void compare_with_best();

  // Calls add(weight number, coefficient in fixed point) for all weights that the sequence uses; the same may
  // come several times, and coefficients that vanish are left out.
  template <class Add>
  void for_each_coefficient(Add add) const {
    const std::uint32_t* feature = list_->features.data();
    for (std::size_t label = 0; label < list_->lengths.size(); ++label) {
      const std::uint32_t* end = feature + list_->lengths[label];
      const std::int64_t coefficient = to_fixed_point(coefficients_.labels[label]);
      if (coefficient != 0) {
        for (; feature != end; ++feature) add(*feature, coefficient);
      }
      feature = end;
    }
    const auto add_transitions = [&add](std::span<const std::uint32_t> numbers,
                                        std::span<const double> values) {
      for (std::size_t part = 0; part < numbers.size(); ++part) {
        if (numbers[part] == SequenceList::kNone) continue;
        const std::int64_t coefficient = to_fixed_point(values[part]);
        if (coefficient != 0) add(numbers[part], coefficient);
      }
    };
    add_transitions(list_->pairs, coefficients_.pairs);
    add_transitions(list_->triples, coefficients_.triples);
  }

 private:
  void add_sequence(std::span<const int> labels, double amount);

  int order_;
  double margin_;
  const SequenceList* list_ = nullptr;
  ChainParts parts_;
  ChainValues potentials_;
  ChainValues coefficients_;
  ChainDistribution distribution_;
  std::vector<int> best_;
};

}  // namespace copse
