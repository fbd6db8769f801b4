#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parser_training/batch_schedule.h"

namespace copse {

struct TreebankScheduleOptions {
  int passes = 0;                  // that there will be: the rate falls to zero until then
  float rate = 2e-3F;              // of the first step
  std::size_t batch_words = 1000;  // for each step
  std::size_t parts = 4;           // of a batch; see NetworkStep
  std::uint64_t seed = 1;
};

// Passes over the sentences of a treebank: an iteration is one of them, in an order of its own.
class TreebankSchedule : public BatchSchedule {
 public:
  // Examples of so many words each.
  TreebankSchedule(std::vector<std::size_t> words, const TreebankScheduleOptions& options);

  ScheduledBatch next() override;
  float rate(std::uint64_t step) const override;
  double objective(double loss, std::uint64_t /*words*/) const override { return loss; }
  std::string describe(std::uint64_t step) const override;
  std::string_view section() const override { return "network/progress"; }
  void save(ByteWriter& progress) const override { progress.u64(passes_begun_); }
  void restore(ByteReader& progress) override;

 private:
  std::vector<ExampleBatch> deal_out() const;

  std::vector<std::size_t> words_;  // by example
  TreebankScheduleOptions options_;
  std::size_t steps_in_pass_ = 1;
  std::uint64_t passes_begun_ = 0;
  std::vector<ExampleBatch> parts_;  // of the pass
  std::size_t parts_done_ = 0;
};

}  // namespace copse
