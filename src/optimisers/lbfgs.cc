#include "optimisers/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "optimisers/lbfgs_history.h"
#include "optimisers/line_search.h"

namespace copse {
namespace {

const LbfgsOptions& checked(const LbfgsOptions& options) {
  if (options.history < 1) throw std::invalid_argument("L-BFGS needs a history of at least one pair");
  if (options.max_line_search < 1) throw std::invalid_argument("a line search needs at least one evaluation");
  if (!(options.l1 >= 0.0) || !std::isfinite(options.l1)) {
    throw std::invalid_argument("the weight of the L1 penalty must be 0 or more");
  }
  if (!(options.gradient_tolerance >= 0.0) || !(options.decrease_tolerance >= 0.0) ||
      options.decrease_period < 0) {
    throw std::invalid_argument("tolerances and periods of L-BFGS must be 0 or more");
  }
  return options;
}

// Those iterates that a history has room for. `part` is the size of this process's part.
std::vector<LbfgsIterate> checked(std::vector<LbfgsIterate> iterates, std::size_t part, int history) {
  if (iterates.empty()) throw std::invalid_argument("L-BFGS needs at least one iterate to resume from");
  for (const LbfgsIterate& iterate : iterates) {
    if (iterate.x.size() != part || iterate.gradient.size() != part) {
      throw std::invalid_argument("an iterate of L-BFGS has not the dimension of the function");
    }
  }
  const std::size_t room = static_cast<std::size_t>(history) + 1;
  if (iterates.size() > room) {
    iterates.erase(iterates.begin(), iterates.end() - static_cast<std::ptrdiff_t>(room));
  }
  return iterates;
}

std::vector<LbfgsIterate> first_trial(std::span<const float> x, std::size_t dimension, const Team& team) {
  if (x.size() != dimension) throw std::invalid_argument("L-BFGS starts at a point of another dimension");
  const VectorRange part = own_part(team, dimension);
  std::vector<LbfgsIterate> iterates(1);
  iterates[0].gradient.resize(part.size());
  const std::span<const float> own = x.subspan(part.begin, part.size());
  iterates[0].x.assign(own.begin(), own.end());
  return iterates;
}

double sum_of_absolutes(std::span<const float> x) {
  double sum = 0.0;
  for (const float entry : x) sum += std::abs(static_cast<double>(entry));
  return sum;
}

}  // namespace

class Lbfgs::Impl {
 public:
  Impl(DifferentiableFunction& function, TaskPool& pool, const LbfgsOptions& options,
       std::vector<LbfgsIterate> iterates)
      : function_(function),
        options_(checked(options)),
        history_(pool, function.dimension(), options.history, options.l1,
                 checked(std::move(iterates), own_part(pool.team(), function.dimension()).size(),
                         options.history)) {}

  void start() {
    const std::span<const float> x = history_.gather_trial_x();
    const double value = function_.evaluate(x, history_.trial_gradient());
    progress_.value = options_.l1 > 0.0 ? value + options_.l1 * sum_of_absolutes(x) : value;
    progress_.evaluations = 1;
    history_.accept_trial();
    status_ = assess();
  }

  void resume(std::size_t iterates, LbfgsProgress progress) {
    const std::size_t room = static_cast<std::size_t>(options_.history) + 1;
    for (std::size_t k = 0; k < std::min(iterates, room); ++k) history_.accept_trial();
    history_.gather_x();
    progress_ = std::move(progress);
    forget_old_values();
    status_ = assess();
  }

  Status iterate() {
    if (status_ != Status::running) return status_;
    long evaluations = 0;
    const LineSearch::Point found = search_line(evaluations);
    progress_.evaluations += evaluations;
    if (found.step == 0.0) {
      history_.gather_x();
      return status_ = Status::stalled;
    }

    history_.accept_trial();
    ++progress_.iterations;
    progress_.earlier_values.push_back(progress_.value);
    forget_old_values();
    progress_.value = found.value;
    progress_.step = found.step;
    return status_ = assess();
  }

  Status status() const { return status_; }
  const LbfgsHistory& history() const { return history_; }
  const LbfgsProgress& progress() const { return progress_; }

 private:
  // Leaves the point that it found as the trial point, with its gradient; step 0 if there is none.
  LineSearch::Point search_line(long& evaluations) {
    double step = 1.0;
    LbfgsHistory::Trial trial{};
    if (history_.has_usable_pair()) trial = history_.aim_quasi_newton(step);
    if (!(trial.slope < 0.0)) {
      // Nothing is known about the scale: a step of length 1.
      step = 1.0 / history_.gradient_norm();
      trial = history_.aim_steepest(step);
    }
    LineSearch search(progress_.value, trial.slope, step, options_.l1 == 0.0);
    for (int tries = 0; tries < options_.max_line_search && search.is_step_worthwhile(); ++tries) {
      if (tries > 0) {
        step = search.step();
        trial = history_.move_trial(step);
      }
      if (trial.distance == 0.0) break;
      const double value = evaluate(trial, evaluations);
      if (search.accepts(value, history_.slope_at_trial(), trial.predicted_change)) return {step, value, 0.0};
    }
    // No point is as good as we wish, but one may be better than the start.
    const LineSearch::Point lowest = search.lowest();
    if (lowest.step != 0.0 && lowest.step != step) {
      evaluate(history_.move_trial(lowest.step), evaluations);
    }
    return lowest;
  }

  double evaluate(const LbfgsHistory::Trial& trial, long& evaluations) {
    if (!std::isfinite(trial.distance)) return trial.distance;
    ++evaluations;
    return function_.evaluate(history_.gather_trial_x(), history_.trial_gradient()) + trial.penalty;
  }

  void forget_old_values() {
    std::vector<double>& values = progress_.earlier_values;
    const auto period = static_cast<std::size_t>(options_.decrease_period);
    if (values.size() > period) values.erase(values.begin(), values.end() - options_.decrease_period);
  }

  Status assess() const {
    const double value = progress_.value;
    if (!std::isfinite(value) || !std::isfinite(history_.gradient_norm()) ||
        !std::isfinite(history_.x_norm())) {
      throw std::runtime_error("the function to minimise is not finite at the starting point");
    }
    if (history_.gradient_norm() <= options_.gradient_tolerance * std::max(1.0, history_.x_norm())) {
      return Status::converged;
    }
    const std::vector<double>& earlier = progress_.earlier_values;
    if (!earlier.empty() && earlier.size() == static_cast<std::size_t>(options_.decrease_period) &&
        earlier.front() - value < options_.decrease_tolerance * std::abs(value)) {
      return Status::converged;
    }
    return Status::running;
  }

  DifferentiableFunction& function_;
  LbfgsOptions options_;
  LbfgsHistory history_;
  LbfgsProgress progress_;
  Status status_ = Status::running;
};

Lbfgs::Lbfgs(DifferentiableFunction& function, TaskPool& pool, const LbfgsOptions& options,
             const std::vector<float>& start)
    : impl_(std::make_unique<Impl>(function, pool, options,
                                   first_trial(start, function.dimension(), pool.team()))) {
  impl_->start();
}

Lbfgs::Lbfgs(DifferentiableFunction& function, TaskPool& pool, const LbfgsOptions& options,
             std::vector<LbfgsIterate> last_iterates, LbfgsProgress progress) {
  const std::size_t count = last_iterates.size();
  impl_ = std::make_unique<Impl>(function, pool, options, std::move(last_iterates));
  impl_->resume(count, std::move(progress));
}

Lbfgs::~Lbfgs() = default;
Lbfgs::Lbfgs(Lbfgs&&) noexcept = default;
Lbfgs& Lbfgs::operator=(Lbfgs&&) noexcept = default;

Lbfgs::Status Lbfgs::iterate() { return impl_->iterate(); }
Lbfgs::Status Lbfgs::status() const { return impl_->status(); }
std::span<const float> Lbfgs::x() const { return impl_->history().x(); }
std::span<const float> Lbfgs::gradient() const { return impl_->history().gradient(); }
const LbfgsProgress& Lbfgs::progress() const { return impl_->progress(); }
double Lbfgs::x_norm() const { return impl_->history().x_norm(); }
double Lbfgs::gradient_norm() const { return impl_->history().gradient_norm(); }

}  // namespace copse
