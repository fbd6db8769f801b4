#pragma once

#include <span>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "sequence/chain_parts.h"

namespace copse {

// The distribution over all sequences of labels of a chain: the probability of a sequence is proportional to
// exp(sum of the potentials of its parts). All answers are exact. Time and memory are proportional to the
// number of parts, whatever the length.
//
// A workspace for one thread: an object that is used again allocates nothing, unless a chain is larger than
// all before it.
class ChainDistribution {
 public:
  // Borrows both until the next assignment. Potentials are finite or minus infinity, which forbids a part;
  // anything else is std::invalid_argument.
  //
  // `automatic` takes linear arithmetic when the potentials of the parts that end in a position differ by so
  // little that nothing can underflow, and otherwise the log domain.
  void assign(const ChainParts& parts, const ChainValues& potentials,
              Arithmetic arithmetic = Arithmetic::automatic);

  // Log of the sum over all sequences. Throws InfeasibleError if all are forbidden; so does every other
  // question, but for score(). Linear arithmetic that was asked for and is not precise enough is a
  // std::range_error.
  double log_partition();
  // The probability of every part: expected counts.
  const ChainValues& marginals();
  // Of the distribution over sequences, in nats.
  double entropy();

  // Sets labels, one per position, to the most probable sequence and returns its score, the sum of its
  // potentials. Among several, the one with the first labels in its last positions.
  double best(std::span<int> labels);
  double score(std::span<const int> labels) const;

 private:
  struct Step;
  Step step(int position) const;
  double fold(const Step& step, double* scores) const;
  bool prepare();
  template <class Numbers>
  double sweep_forward();
  template <class Numbers>
  void sweep_backward();
  void add_marginals(const Step& step, std::span<const double> parts);

  const ChainParts* parts_ = nullptr;
  const ChainValues* potentials_ = nullptr;
  Arithmetic arithmetic_ = Arithmetic::automatic;
  bool is_linear_ = false;
  bool has_forward_ = false;
  bool has_marginals_ = false;
  double log_partition_ = 0.0;

  // A state is what the next position may depend on: the last label, or the last two of them.
  std::vector<std::size_t> first_state_;  // by position
  std::vector<std::size_t> first_part_;   // by position, among the parts of the highest order
  std::vector<double> weights_;           // of the parts of the highest order, the lower ones folded in
  std::vector<double> offsets_;           // by position: what was taken from the scores before exp
  std::vector<double> forward_;           // by state
  std::vector<double> sums_;              // by position: what the forward values were divided by
  std::vector<double> backward_;          // by state, of two positions in turn
  std::vector<double> backward_before_;
  std::vector<int> choices_;         // by state: which label before the state's is best
  std::vector<double> best_parts_;   // scores of the parts that end in a position
  std::vector<double> best_scores_;  // by state, of two positions in turn
  std::vector<double> best_before_;
  ChainValues marginals_;
};

}  // namespace copse
