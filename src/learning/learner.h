#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/section_file.h"
#include "learning/feature_lists.h"
#include "learning/training_options.h"
#include "parallel/task_pool.h"

namespace copse {

// What learners learn from. Borrowed.
struct TrainingProblem {
  const FeatureLists* lists;
  TreeSpace trees;
  std::span<const float> start = {};  // weights to begin with; zeros if empty

  std::size_t sentences() const { return lists->size(); }
  std::size_t features() const { return lists->weights(); }
  std::vector<float> start_weights() const {
    return start.empty() ? std::vector<float>(features()) : std::vector<float>(start.begin(), start.end());
  }
};

// How an iteration went. NaN where a learner has no such figure.
struct LearnerProgress {
  double objective;  // what is minimised: regularised loss, or the number of wrong heads on the way
  double gradient_norm;
};

// Finds weights, iteration by iteration: steps of an optimiser, or passes over the data. The same weights for
// every number of threads.
class Learner {
 public:
  virtual ~Learner() = default;

  // False when there is nothing left to improve.
  virtual bool iterate() = 0;
  virtual LearnerProgress progress() const = 0;
  // To parse with; valid until the next iteration.
  virtual std::span<const float> weights() = 0;

  // Checkpoints. A learner that is restored from the files that its predecessor wrote after its last
  // iterations (the oldest first; `checkpoints` of them, or all there are) goes on as that one would have
  // done.
  virtual int checkpoints() const { return 1; }
  // Adds sections that borrow from the learner until the next iteration.
  virtual void save(SectionFileWriter& file) const = 0;
  virtual void restore(std::span<const SectionFile> files) = 0;
};

// Reads a section that holds as many numbers as `numbers` has. DataError if it does not.
template <class T>
void restore_numbers(const SectionFile& file, std::string_view section, std::vector<T>& numbers) {
  const auto saved = file.numbers<T>(section);
  if (saved.size() != numbers.size()) file.reader(section).fail("belongs to another training run");
  numbers.assign(saved.begin(), saved.end());
}

std::unique_ptr<Learner> make_learner(const TrainingProblem& problem, const TrainingOptions& options,
                                      TaskPool& pool);

}  // namespace copse
