#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/section_file.h"
#include "optimisers/learner_kind.h"
#include "optimisers/objective.h"
#include "parallel/task_pool.h"

namespace copse {

// How an iteration went. NaN where a learner has no such figure.
struct LearnerProgress {
  double objective;  // what is minimised: regularised loss, or the number of errors on the way
  double gradient_norm;
};

// Finds weights, iteration by iteration: steps of an optimiser, or passes over the data. The same weights for
// every number of threads and processes.
class Learner {
 public:
  virtual ~Learner() = default;

  // The processes that learn together: all of them make the same calls.
  virtual Team& team() const { return Team::alone(); }

  // False when there is nothing left to improve.
  virtual bool iterate() = 0;
  virtual LearnerProgress progress() const = 0;
  // To predict with; valid until the next iteration.
  virtual std::span<const float> weights() = 0;

  // Checkpoints. A learner that is restored from the files that its predecessor wrote after its last
  // iterations (the oldest first; `checkpoints` of them, or all there are) goes on as that one would have
  // done.
  virtual int checkpoints() const { return 1; }
  // Brings together what save() needs. Of a team, all processes call this, and then one calls save().
  virtual void prepare_save() {}
  // Adds sections that borrow from the learner until the next iteration.
  virtual void save(SectionFileWriter& file) const = 0;
  virtual void restore(std::span<const SectionFile> files) = 0;
};

struct LearnerOptions {
  LearnerKind kind = LearnerKind::lbfgs;
  double l2 = 0.0;    // of lbfgs and adagrad: l2 / 2 * |w|^2 is added to the loss
  double l1 = 0.0;    // of lbfgs: and l1 * |w|
  double step = 0.1;  // of adagrad: the length of a first step
  std::uint64_t seed = 1;
  int kbest = 10;   // of mira
  int history = 6;  // of lbfgs: steps that are remembered, which is most of its memory
};

// Borrows the objective and the pool. `start` are the weights that lbfgs and adagrad begin with, zeros if
// empty; perceptron and mira always begin with zeros, and learn in a team of one alone: in others they
// are refused (DataError).
std::unique_ptr<Learner> make_learner(const Objective& objective, const LearnerOptions& options,
                                      std::span<const float> start, TaskPool& pool);

// That refusal alone, for those who have much to do before there are learners.
void check_division(LearnerKind kind, const Team& team);

// About how much memory such a learner takes for so many weights, in each process.
std::size_t learner_bytes(LearnerKind kind, std::size_t weights, const TaskPool& pool,
                          int history = LearnerOptions().history);

// Whether a learner's objective is a loss, and so its iterations can begin with other weights than zeros.
inline bool minimises_loss(LearnerKind learner) {
  return learner == LearnerKind::lbfgs || learner == LearnerKind::adagrad;
}

// Steps of L-BFGS are many and small, passes over the data few and large: so many iterations go by between
// two looks at development data.
inline int evaluation_period(LearnerKind learner) { return learner == LearnerKind::lbfgs ? 5 : 1; }

}  // namespace copse
