#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel/team.h"
#include "pretraining/masked_batches.h"

namespace copse {

// The batches of a team: rank 0 has the text and makes them, and every process gets those of the parts that
// are its own, which is part k for rank k % size (ProcessorSteps). Collective; the same steps everywhere.
class DealtBatches : public MaskedBatchSource {
 public:
  // Borrows both. The source is that of rank 0, null in other processes. Steps have so many parts at most.
  DealtBatches(Team& team, MaskedBatchSource* source, std::size_t parts);

  std::span<const MaskedBatch> slots() const override;
  // Parts that are not this process's may name no slot.
  const Step& next() override;
  std::uint64_t windows() const override { return windows_; }
  void seek(std::uint64_t window) override;

 private:
  std::vector<std::vector<std::byte>> pack(const Step& step) const;
  void unpack(std::span<const std::byte> bytes);

  Team* team_;
  MaskedBatchSource* source_;
  std::uint64_t windows_ = 0;
  // Of processes without a source:
  std::vector<MaskedBatch> slots_;
  Step step_;
};

}  // namespace copse
