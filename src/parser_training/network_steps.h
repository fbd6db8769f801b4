// The seam between learning and the machine that does the arithmetic: which batches come when, how quickly,
// and what is kept is the learner's business (network_learner.h); what one step costs and where the weights
// lie is that of an implementation of NetworkSteps, on processors or on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/section_file.h"
#include "network/adam_kernels.h"
#include "parallel/team.h"

namespace copse {

// All numbers that steps change, and that checkpoints keep: the same on all machines.
struct NetworkState {
  std::vector<float> weights;
  std::vector<float> first_moments;
  std::vector<float> second_moments;
  std::vector<float> average;
};
// Before the first step.
NetworkState begin_state(std::vector<float> weights);

// As sections of a checkpoint, which borrow the state. Restoring throws DataError unless the numbers are as
// many as those in `state`.
void add_state(const NetworkState& state, SectionFileWriter& file);
void restore_state(const SectionFile& file, NetworkState& state);

// Weights that learn at another rate than the others.
struct RateRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  float factor = 1.0F;
};

struct NetworkStep {
  // Numbers of examples. A batch is worked on in parts, each with random numbers of its own: Random(seed + k)
  // for the k-th.
  std::span<const std::vector<std::size_t>> parts;
  std::uint64_t seed = 0;
  AdamStep adam;       // gradient_scale is found by the step
  double scale = 1.0;  // of loss and gradient: 1 / what the mean is taken over
  float norm = 5.0F;   // longer gradients are cut to this length
};

struct NetworkStepReport {
  double loss = 0.0;           // the sum, not scaled
  double gradient_norm = 0.0;  // scaled, before it is cut
};

// Of a team of processes, all make the same calls in the same order, with the same steps.
class NetworkSteps {
 public:
  NetworkSteps() = default;
  NetworkSteps(const NetworkSteps&) = delete;
  NetworkSteps& operator=(const NetworkSteps&) = delete;
  virtual ~NetworkSteps() = default;

  // The processes that do steps together.
  virtual Team& team() const { return Team::alone(); }

  // Changes nothing if loss or gradient are no finite numbers. The report is the same in all processes.
  virtual NetworkStepReport step(const NetworkStep& step) = 0;
  // As it is after the last step; valid until the next one. Of a team, rank 0 alone gets it. All processes
  // must make the first call after a step; what it brought together is there for further ones of any of them.
  virtual const NetworkState& state() = 0;
  // The average of that, which every process gets; else the same.
  virtual std::span<const float> average() { return state().average; }
  // Every process is given all of it.
  virtual void restore(NetworkState state) = 0;
};

}  // namespace copse
