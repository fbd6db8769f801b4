#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace copse {

// Pairs of weight number and amount. The same number may come several times.
using SparseVector = std::vector<std::pair<std::uint32_t, double>>;

// An output (a tree, a sequence of labels) that an example could have instead of its gold one.
struct Rival {
  int errors = 0;          // compared with the gold output
  double score_gap = 0.0;  // the gold output's score minus its own
};

// The examples of a training set under given weights, one at a time: all that learners ask about them. A
// workspace for one thread.
class ExampleWorkspace {
 public:
  virtual ~ExampleWorkspace() = default;

  // For learners that minimise a loss.
  virtual double loss(std::size_t example, std::span<const float> weights) = 0;
  // Adds the gradient of the last loss, in fixed point, to sums by weight. Unless `touched` is null, it gets
  // the numbers of all weights whose sum was zero before.
  virtual void add_gradient(std::int64_t* sums, std::vector<std::uint32_t>* touched) = 0;

  // For learners that compare outputs: those with the highest scores, up to `count` of them, the best first.
  // Valid until the next call.
  virtual std::span<const Rival> rivals(std::size_t example, std::span<const float> weights, int count) = 0;
  // Appends the derivative of a rival's score_gap.
  virtual void append_difference(std::size_t rival, SparseVector& difference) = 0;

  // Appends the numbers of all weights that the example has to do with, some of them several times.
  virtual void append_weights(std::size_t example, std::vector<std::uint32_t>& numbers) = 0;
};

// What is to be learnt: examples that share weights. Shared by threads.
class Objective {
 public:
  virtual ~Objective() = default;
  virtual std::size_t examples() const = 0;
  // Of the processes of a team, each has its own examples. All of them together have an order, that of these
  // numbers, and so do the examples of each.
  virtual std::uint64_t number(std::size_t example) const { return example; }
  virtual std::size_t weights() const = 0;
  // How much work an example is, compared with others.
  virtual std::size_t cost(std::size_t example) const = 0;
  // Borrows the objective.
  virtual std::unique_ptr<ExampleWorkspace> make_workspace() const = 0;
};

// ExampleWorkspace::add_gradient() for an example with for_each_coefficient(add(weight, coefficient)).
template <class Example>
void add_coefficients(Example& example, std::int64_t* sums, std::vector<std::uint32_t>* touched) {
  if (touched == nullptr) {
    example.for_each_coefficient(
        [sums](std::uint32_t weight, std::int64_t coefficient) { sums[weight] += coefficient; });
    return;
  }
  example.for_each_coefficient([sums, touched](std::uint32_t weight, std::int64_t coefficient) {
    if (sums[weight] == 0) touched->push_back(weight);
    sums[weight] += coefficient;
  });
}

}  // namespace copse
