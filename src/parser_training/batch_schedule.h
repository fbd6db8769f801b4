#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/bytes.h"
#include "parser_training/deal_out.h"

namespace copse {

// A batch that one step is taken over.
struct ScheduledBatch {
  std::span<const ExampleBatch> parts;  // see NetworkStep
  std::uint64_t units = 0;              // that the mean loss is taken over; 0: there is nothing to learn from
  bool ends_iteration = false;
};

// The seam between learning and what is learnt: which batches come when, and how quickly is learnt from them.
class BatchSchedule {
 public:
  BatchSchedule() = default;
  BatchSchedule(const BatchSchedule&) = delete;
  BatchSchedule& operator=(const BatchSchedule&) = delete;
  virtual ~BatchSchedule() = default;

  // The next batch; valid until the next call.
  virtual ScheduledBatch next() = 0;
  // For the step over that batch, the `step`-th of all, from 1 on.
  virtual float rate(std::uint64_t step) const = 0;
  // The objective of an iteration, whose losses sum up to `loss`.
  virtual double objective(double loss, std::uint64_t units) const = 0;
  // What people call this step.
  virtual std::string describe(std::uint64_t step) const = 0;

  // How far it is, at the end of an iteration: the beginning of the section of this name in checkpoints.
  virtual std::string_view section() const = 0;
  virtual void save(ByteWriter& progress) const = 0;
  virtual void restore(ByteReader& progress) = 0;
};

}  // namespace copse
