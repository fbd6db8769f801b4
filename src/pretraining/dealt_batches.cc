#include "pretraining/dealt_batches.h"

#include <utility>

#include "io/bytes.h"

namespace copse {
namespace {

void write(const MaskedBatch& batch, ByteWriter& to) {
  std::vector<std::uint32_t> lengths;
  for (std::size_t k = 0; k < batch.sequences.count(); ++k) {
    lengths.push_back(static_cast<std::uint32_t>(batch.sequences.length(k)));
  }
  to.numbers(std::span<const std::uint32_t>(lengths));
  to.numbers(std::span<const std::uint32_t>(batch.inputs.words));
  to.numbers(std::span<const std::uint32_t>(batch.inputs.affixes));
  to.numbers(std::span<const std::uint32_t>(batch.inputs.character_begins));
  to.numbers(std::span<const std::uint32_t>(batch.inputs.characters));
  to.numbers(std::span<const std::uint32_t>(batch.hidden_rows));
  to.numbers(std::span<const std::uint32_t>(batch.gold));
}

void read(ByteReader& from, MaskedBatch& batch) {
  batch.sequences.clear();
  for (const std::uint32_t length : from.numbers<std::uint32_t>()) batch.sequences.add(length);
  batch.inputs.clear();
  batch.inputs.words = from.numbers<std::uint32_t>();
  batch.inputs.affixes = from.numbers<std::uint32_t>();
  batch.inputs.character_begins = from.numbers<std::uint32_t>();
  batch.inputs.characters = from.numbers<std::uint32_t>();
  batch.inputs.feature_begins.assign(batch.inputs.rows() + 1, 0);
  batch.hidden_rows = from.numbers<std::uint32_t>();
  batch.gold = from.numbers<std::uint32_t>();
  batch.kept.assign(batch.inputs.rows(), 1.0F);
  for (const std::uint32_t row : batch.hidden_rows) batch.kept[row] = 0.0F;
}

}  // namespace

DealtBatches::DealtBatches(Team& team, MaskedBatchSource* source, std::size_t parts)
    : team_(&team), source_(source) {
  const auto own = source != nullptr ? static_cast<std::int64_t>(source->windows()) : 0;
  windows_ = static_cast<std::uint64_t>(team.sum(own));
  const auto size = static_cast<std::size_t>(team.size());
  if (source == nullptr) slots_.resize((parts + size - 1) / size);
}

std::span<const MaskedBatch> DealtBatches::slots() const {
  return source_ != nullptr ? source_->slots() : slots_;
}

const MaskedBatchSource::Step& DealtBatches::next() {
  if (team_->is_alone()) return source_->next();
  const Step* step = source_ != nullptr ? &source_->next() : nullptr;
  Team::Parcels parcels(static_cast<std::size_t>(team_->size()));
  if (step != nullptr) parcels = pack(*step);
  parcels = team_->exchange(std::move(parcels));
  if (step != nullptr) return *step;
  unpack(parcels[0]);
  return step_;
}

void DealtBatches::seek(std::uint64_t window) {
  if (source_ != nullptr) source_->seek(window);
}

// By rank. What rank 0 has itself is not sent.
std::vector<std::vector<std::byte>> DealtBatches::pack(const Step& step) const {
  const auto size = static_cast<std::size_t>(team_->size());
  std::vector<std::vector<std::byte>> parcels(1);
  for (std::size_t rank = 1; rank < size; ++rank) {
    ByteWriter parcel;
    parcel.u64(step.parts.size());
    parcel.u64(step.words);
    parcel.u64(step.hidden);
    parcel.u8(step.ends_window ? 1 : 0);
    for (std::size_t part = rank; part < step.parts.size(); part += size) {
      write(source_->slots()[step.parts[part].front()], parcel);
    }
    parcels.push_back(parcel.take());
  }
  return parcels;
}

void DealtBatches::unpack(std::span<const std::byte> bytes) {
  ByteReader parcel(bytes, "batches of rank 0");
  step_ = {};
  step_.parts.resize(parcel.u64());
  step_.words = parcel.u64();
  step_.hidden = parcel.u64();
  step_.ends_window = parcel.u8() != 0;
  for (std::size_t slot = 0; number_of_own(*team_, slot) < step_.parts.size(); ++slot) {
    read(parcel, slots_[slot]);
    step_.parts[number_of_own(*team_, slot)] = {slot};
  }
  parcel.expect_end();
}

}  // namespace copse
