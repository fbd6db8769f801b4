// Pieces of batches: where a whole batch does not fit into memory, and for sentences that the CPU takes over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "batch/batch_back_end.h"

namespace copse {

// A piece of a batch as a batch.
inline Batch piece_of(const Batch& batch, int first, int last) {
  Batch piece;
  piece.factorization = batch.factorization;
  piece.trees = batch.trees;
  piece.first_sentence = batch.first_sentence + first;
  piece.number = batch.number;
  piece.sentences.assign(batch.sentences.begin() + first, batch.sentences.begin() + last);
  const auto rebase = [&](const std::vector<PartIndex::Position>& from,
                          std::vector<PartIndex::Position>& to) {
    for (int s = first; s <= last; ++s) to.push_back(from[s] - from[first]);
  };
  for (std::size_t kind = 0; kind < kPartKinds; ++kind) rebase(batch.begins[kind], piece.begins[kind]);
  rebase(batch.heads_begins, piece.heads_begins);
  for (int s = first; s < last; ++s) piece.longest_first.push_back(s - first);
  std::stable_sort(piece.longest_first.begin(), piece.longest_first.end(), [&](int a, int b) {
    return piece.sentences[a].parts->words() > piece.sentences[b].parts->words();
  });
  return piece;
}

// All arrays of a piece, in memory that `Allocate` gives.
template <class Number>
struct PieceArrays {
  PartArrays<const Number> potentials;
  BatchAnswers<Number> answers;
};
template <class Number, class Allocate>
void layout_piece(const Batch& piece, const BatchAnswers<Number>& wanted, PieceArrays<Number>& arrays,
                  Allocate allocate) {
  const std::size_t size = piece.sentences.size();
  const auto heads = static_cast<std::size_t>(piece.heads_begins.back());
  const auto take = [&]<class T>(T*& array, const T* original, std::size_t count) {
    if (original != nullptr) array = reinterpret_cast<T*>(allocate(count * sizeof(T)));
  };
  for (const PartKind kind : part_kinds(piece.factorization)) {
    const auto count = static_cast<std::size_t>(piece.begins[static_cast<std::size_t>(kind)].back());
    arrays.potentials[kind] = reinterpret_cast<const Number*>(allocate(count * sizeof(Number)));
    take(arrays.answers.marginals[kind], wanted.marginals[kind], count);
  }
  take(arrays.answers.status, wanted.status, size);
  take(arrays.answers.log_partition, wanted.log_partition, size);
  take(arrays.answers.entropy, wanted.entropy, size);
  take(arrays.answers.best_score, wanted.best_score, size);
  take(arrays.answers.best_heads, wanted.best_heads, heads);
  arrays.answers.samples = wanted.samples;
  arrays.answers.seed = wanted.seed;
  take(arrays.answers.sampled_heads, wanted.sampled_heads, heads * static_cast<std::size_t>(wanted.samples));
}

// In the memory of the host.
template <class Number>
struct HostArrays : PieceArrays<Number> {
  HostArrays(const Batch& piece, const BatchAnswers<Number>& wanted) {
    layout_piece(piece, wanted, *this, [&](std::size_t bytes) {
      memory.push_back(std::make_unique<std::byte[]>(bytes));
      return memory.back().get();
    });
  }
  std::vector<std::unique_ptr<std::byte[]>> memory;
};

// Calls copy(array of the piece, its place in the arrays of the batch, bytes, whether it is an answer).
template <class Number, class Copy>
void for_each_array(const Batch& batch, const Batch& piece, int first,
                    const PartArrays<const Number>& potentials, const BatchAnswers<Number>& answers,
                    const PieceArrays<Number>& arrays, Copy copy) {
  const std::size_t size = piece.sentences.size();
  for (const PartKind kind : part_kinds(piece.factorization)) {
    const auto k = static_cast<std::size_t>(kind);
    const auto bytes = static_cast<std::size_t>(piece.begins[k].back()) * sizeof(Number);
    const PartIndex::Position begin = batch.begins[k][first];
    if (bytes == 0) continue;
    copy(const_cast<Number*>(arrays.potentials[kind]), potentials[kind] + begin, bytes, false);
    if (answers.marginals[kind] != nullptr) {
      copy(arrays.answers.marginals[kind], answers.marginals[kind] + begin, bytes, true);
    }
  }
  const auto by_sentence = [&]<class T>(T* mine, T* theirs) {
    if (theirs != nullptr) copy(mine, theirs + first, size * sizeof(T), true);
  };
  by_sentence(arrays.answers.status, answers.status);
  by_sentence(arrays.answers.log_partition, answers.log_partition);
  by_sentence(arrays.answers.entropy, answers.entropy);
  by_sentence(arrays.answers.best_score, answers.best_score);
  const PartIndex::Position heads = piece.heads_begins.back();
  const PartIndex::Position heads_begin = batch.heads_begins[first];
  const auto bytes = static_cast<std::size_t>(heads) * sizeof(std::int32_t);
  if (answers.best_heads != nullptr) {
    copy(arrays.answers.best_heads, answers.best_heads + heads_begin, bytes, true);
  }
  for (int sample = 0; answers.sampled_heads != nullptr && sample < answers.samples; ++sample) {
    copy(arrays.answers.sampled_heads + sample * heads,
         answers.sampled_heads + sample * batch.heads_begins.back() + heads_begin, bytes, true);
  }
}

}  // namespace copse
