#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/section_file.h"
#include "optimisers/learner.h"
#include "optimisers/stopping_rule.h"

namespace copse {

// Checkpoints are for the version that wrote them. To be raised with every change of what they hold, or of
// what training computes: a run that goes on must end with the weights of a run that was never stopped.
inline constexpr std::uint32_t kCheckpointFormat = 1;

// The best weights so far, by development data.
struct BestWeights {
  int iteration = 0;
  double score = -1.0;
  std::vector<float> weights;
};

// Where a training run stands, besides the learner.
struct RunState {
  int iteration = 0;       // the last one; 0 if there is none
  bool has_ended = false;  // the learner had nothing left to improve
  std::vector<Evaluation> evaluations;
};

// A folder with what is needed to go on after an interruption: a file for each of the learner's last
// iterations, and the best weights so far. Every file appears whole or not at all, and an iteration counts
// when its file has appeared. Of a team, only the leading process looks into the folder: the others may be on
// machines that do not have it.
class CheckpointFolder {
 public:
  // `run` is a fingerprint of data and options: checkpoints of other runs are not accepted. No folder is used
  // if the path is empty. Borrows the team.
  CheckpointFolder(std::string path, std::uint64_t run, Team& team = Team::alone());

  const std::string& path() const { return path_; }

  // Restores the last iteration. DataError for checkpoints of another run. All processes of a team take part
  // in this, and in save().
  RunState restore(Learner& learner, BestWeights& best) const;
  void save(const RunState& state, Learner& learner) const;
  void save_best(const BestWeights& best) const;
  // Starts afresh.
  void clear() const;
  // Also removes the folder, unless something else is in it.
  void remove() const;

 private:
  std::string iteration_path(int iteration) const;
  std::string best_path() const;
  int last_iteration() const;
  SectionFile open(const std::string& path) const;
  SectionFile share(const std::string& path) const;

  std::string path_;
  std::uint64_t run_;
  Team* team_;
};

}  // namespace copse
