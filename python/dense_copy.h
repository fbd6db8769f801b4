// Dense tensors, as users of PyTorch index them, from and to the packed arrays of a BatchDistribution whose
// sentences have all arcs.
#pragma once

#include <cstdint>

#include "copse/inference/factorization.h"
#include "full_layout.h"
#include "parallel/task_pool.h"

namespace copse::python {

// Numbers of elements from one sentence, grandparent, head, sibling or modifier to the next; 0 for words that
// a kind of parts does not have.
struct DenseStrides {
  std::int64_t sentence;
  std::int64_t grandparent;
  std::int64_t head;
  std::int64_t sibling;
  std::int64_t modifier;

  COPSE_HOST_DEVICE std::int64_t position(std::int64_t number, const PartWords& words) const {
    return number * sentence + words.grandparent * grandparent + words.head * head + words.sibling * sibling +
           words.modifier * modifier;
  }
};

// The sentences of a batch; all arrays where the numbers are.
struct DenseBatch {
  std::int64_t sentences;
  std::int64_t arcs;                // of all sentences
  const std::int64_t* words;        // by sentence
  const std::int64_t* arc_begins;   // by sentence, plus the end
  const std::int64_t* part_begins;  // the same for the kind of parts that is copied
};

enum class Direction : std::uint8_t { gather, scatter };

// What is copied: dense to packed (gather), or packed, times a number for each sentence where there is one,
// to dense (scatter). Parts stand in one place each, so no two threads write to the same one. Elements of a
// dense tensor that are no part are not touched.
template <class Dense, class Packed>
struct DenseCopy {
  Direction direction;
  PartKind kind;
  DenseBatch batch;
  DenseStrides strides;
  Dense* dense;
  Packed* packed;
  const Dense* scale;  // may be null

  template <Direction kDirection>
  COPSE_HOST_DEVICE void copy_part(std::int64_t sentence, const ArcParts& parts, int slot, int rank) const {
    const std::int64_t at_packed =
        batch.part_begins[sentence] + parts.begin + slot * parts.grandparents + rank;
    const std::int64_t at_dense = strides.position(sentence, parts.at(slot, rank));
    if constexpr (kDirection == Direction::gather) {
      packed[at_packed] = static_cast<Packed>(dense[at_dense]);
    } else {
      const auto value = static_cast<Dense>(packed[at_packed]);
      dense[at_dense] = scale == nullptr ? value : scale[sentence] * value;
    }
  }
};

template <class Dense, class Packed>
void copy_on_cpu(const DenseCopy<Dense, Packed>& copy, TaskPool& pool);
// Puts the work into a stream (a cudaStream_t). Throws DataError if that fails.
template <class Dense, class Packed>
void copy_on_cuda(const DenseCopy<Dense, Packed>& copy, void* stream);

}  // namespace copse::python
