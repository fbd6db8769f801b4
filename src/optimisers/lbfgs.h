#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "parallel/task_pool.h"

namespace copse {

// A function to minimise. Equal x must give equal results, bit by bit. In a team, all processes evaluate it
// together, and each gets its own part of the gradient (own_part).
class DifferentiableFunction {
 public:
  virtual ~DifferentiableFunction() = default;
  virtual std::size_t dimension() const = 0;
  // Returns the value at x and overwrites the (part of the) gradient. Where the function does not exist, a
  // value that is not finite makes the minimiser try a shorter step.
  virtual double evaluate(std::span<const float> x, std::span<float> gradient) = 0;
};

struct LbfgsOptions {
  int history = 6;  // pairs of steps and changes of the gradient that are remembered
  double l1 = 0.0;  // weight of the sum of |x_i| that is added to the function; above 0 OWL-QN is used
  // Converged when |gradient| <= gradient_tolerance * max(1, |x|).
  double gradient_tolerance = 1e-5;
  // Converged when the value has decreased by less than this part of itself over the last iterations; no such
  // test with a period of 0.
  double decrease_tolerance = 1e-5;
  int decrease_period = 10;
  int max_line_search = 20;  // evaluations in one iteration
};

// This process's part of an iterate.
struct LbfgsIterate {
  std::vector<float> x;
  std::vector<float> gradient;  // of the function, without the penalty
};

// What a run knows besides its last iterates.
struct LbfgsProgress {
  long iterations = 0;
  long evaluations = 0;
  double value = 0.0;                  // of the function with the penalty
  double step = 0.0;                   // length of the last step, as a multiple of the direction
  std::vector<double> earlier_values;  // before each of the last iterations, up to `decrease_period` of them
};

// L-BFGS (Nocedal 1980) with a line search for the strong Wolfe conditions; with an L1 penalty OWL-QN (Andrew
// and Gao 2007) with backtracking. Vectors are floats, all sums over them doubles, added up in an order that
// does not depend on the number of threads: every pool gives the same bits. In a team, every process keeps
// and works on its part of all vectors, and x alone is brought together for each evaluation.
//
// A run can be resumed exactly. The whole state is `progress` and the last history + 1 iterates, and nothing
// changes it but a finished iteration: when the function throws, the iteration can be repeated.
class Lbfgs {
 public:
  // stalled: no smaller value was found along the direction; in general, the precision is exhausted.
  enum class Status { running, converged, stalled };

  // `start` is all of x. Evaluates the function once. std::runtime_error if it is not finite at the start.
  Lbfgs(DifferentiableFunction& function, TaskPool& pool, const LbfgsOptions& options,
        const std::vector<float>& start);
  // Resumes after the newest of these iterates, the oldest first. The run takes the very steps of one that
  // was never interrupted if function and options are the same and no iterate is missing: there are history +
  // 1, or from the start all. Does not evaluate the function.
  Lbfgs(DifferentiableFunction& function, TaskPool& pool, const LbfgsOptions& options,
        std::vector<LbfgsIterate> last_iterates, LbfgsProgress progress);
  ~Lbfgs();
  Lbfgs(Lbfgs&&) noexcept;
  Lbfgs& operator=(Lbfgs&&) noexcept;

  // Makes one step, usually with one evaluation. Does nothing when the run has ended.
  Status iterate();
  Status status() const;

  // The current iterate, until the next one: all of x, and this process's part of the gradient.
  std::span<const float> x() const;
  std::span<const float> gradient() const;
  const LbfgsProgress& progress() const;
  double x_norm() const;
  double gradient_norm() const;  // with a penalty, of the pseudo-gradient

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
