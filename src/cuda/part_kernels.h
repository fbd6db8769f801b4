// Scores of parts that are larger than arcs, and their gradients, as blocks of threads compute them: what
// network/part_products.h defines, for the sentences of a batch. Every number has one thread that adds it up,
// in a fixed order: nothing is added by several threads at once, so that the same input gives the same bits.
#pragma once

#include <cstdint>

#include "batch/cuda/chart_numbers.h"
#include "batch/cuda/chart_tables.h"
#include "batch/cuda/cuda_factorizations.h"

namespace copse::cuda {

// One sentence of a batch.
struct PartSentence {
  ChartTables tables;
  std::int64_t begins[kCudaPartKinds];  // of its parts in the arrays of the batch, by kind
  std::int64_t first_row;               // of its root, among the roles of the batch
  std::int64_t first_pair;              // of its scores of arcs, [modifier][head]
  std::int64_t first_arc;               // among those of the batch
};

// What a block of threads works on.
struct ArcPlace {
  std::int32_t sentence, arc;
};
struct WordPlace {
  std::int32_t sentence, word;
};

// What parts of one kind are scored by, for the whole batch. Null where the kind has no such word.
struct PartFactorsView {
  int rank;    // numbers of a role
  int stride;  // from word to word
  const float* grandparents;
  const float* heads;
  const float* siblings;
  const float* modifiers;
  const float* no_grandparent;
  const float* no_sibling;
  const float* weights;
};

// Where gradients go. Roles are added to; what is by arc or by word is replaced, and adds up to the gradient
// of a row of weights.
struct PartGradientsView {
  int stride;
  float* grandparents;
  float* heads;
  float* siblings;
  float* modifiers;
  float* by_arc;          // [arc][rank]: of the product of the words of an arc with the weights
  float* weights;         // [arc][rank]
  float* no_sibling;      // [arc][rank]
  float* no_grandparent;  // [word][rank], of modifiers of the root
};

// The parts of one kind that end in an arc: [slot][grandparent], as in PartIndex.
template <PartKind kKind>
class PartsOfArc {
 public:
  COPSE_DEVICE PartsOfArc(const PartSentence& sentence, const PartFactorsView& factors, int arc)
      : tables_(sentence.tables),
        factors_(factors),
        first_row_(sentence.first_row),
        arc_(arc),
        head_(tables_.heads[arc]),
        modifier_(tables_.entries[arc].modifier),
        nearest_(tables_.outgoing[2 * head_ + (modifier_ > head_ ? 1 : 0)]) {
    if constexpr (has_grandparent(kKind)) {
      const std::int32_t lanes = tables_.lanes[head_ * (tables_.words + 1) + modifier_];
      first_lane_ = lanes & 0xFFFF;
      grandparents_ = (lanes >> 16) - first_lane_;
    }
    begin_ = sentence.begins[static_cast<int>(kKind)];
    if constexpr (kKind == PartKind::sibling) begin_ += tables_.sibling_begin[arc];
    if constexpr (kKind == PartKind::grandchild) begin_ += tables_.grandchild_begin[arc];
    if constexpr (kKind == PartKind::grandsibling) begin_ += tables_.grandsibling_begin[arc];
  }

  COPSE_DEVICE int head_word() const { return head_; }
  COPSE_DEVICE int modifier_word() const { return modifier_; }
  COPSE_DEVICE int nearest() const { return nearest_; }
  COPSE_DEVICE std::int64_t begin() const { return begin_; }
  COPSE_DEVICE int slots() const { return has_sibling(kKind) ? arc_ - nearest_ + 1 : 1; }
  COPSE_DEVICE int grandparents() const { return grandparents_; }
  COPSE_DEVICE int first_lane() const { return first_lane_; }

  // Roles.
  COPSE_DEVICE const float* head() const { return row(factors_.heads, head_); }
  COPSE_DEVICE const float* modifier() const { return row(factors_.modifiers, modifier_); }
  COPSE_DEVICE const float* sibling(int slot) const {
    if (slot == 0) return factors_.no_sibling;
    return row(factors_.siblings, tables_.entries[nearest_ + slot - 1].modifier);
  }
  COPSE_DEVICE const float* grandparent(int place) const {
    if (head_ == 0) return factors_.no_grandparent;
    return row(factors_.grandparents, tables_.lane_heads[tables_.lane_begin[head_] + first_lane_ + place]);
  }
  // The k-th number of the product of weights, head and modifier.
  COPSE_DEVICE float product(int k) const { return factors_.weights[k] * head()[k] * modifier()[k]; }

  // The k-th number of the gradient by the product of all words but the grandparent.
  template <class Number>
  COPSE_DEVICE float slot_gradient(const Number* coefficients, int slot, int k) const {
    const Number* own = coefficients + begin_ + static_cast<std::int64_t>(slot) * grandparents_;
    if constexpr (!has_grandparent(kKind)) {
      return static_cast<float>(own[0]);
    } else {
      float sum = 0.0F;
      for (int place = 0; place < grandparents_; ++place) {
        sum += static_cast<float>(own[place]) * grandparent(place)[k];
      }
      return sum;
    }
  }
  // The k-th number of the sum over the slots of a grandparent: coefficients times siblings.
  template <class Number>
  COPSE_DEVICE float sum_of_slots(const Number* coefficients, int place, int k) const {
    float sum = 0.0F;
    for (int slot = 0; slot < slots(); ++slot) {
      const auto coefficient =
          static_cast<float>(coefficients[begin_ + static_cast<std::int64_t>(slot) * grandparents_ + place]);
      sum += has_sibling(kKind) ? coefficient * sibling(slot)[k] : coefficient;
    }
    return sum;
  }

 private:
  COPSE_DEVICE const float* row(const float* rows, int word) const {
    return rows + (first_row_ + word) * factors_.stride;
  }

  const ChartTables& tables_;
  const PartFactorsView& factors_;
  std::int64_t first_row_;
  std::int64_t begin_;
  int arc_;
  int head_;
  int modifier_;
  int nearest_;  // the nearest modifier's arc on that side
  int first_lane_ = 0;
  int grandparents_ = 1;
};

// A block for each arc, a tile of threads for each part. `product` is room for `rank` numbers that the block
// shares.
template <PartKind kKind, class Number, class Group>
COPSE_DEVICE void score_parts(const Group& group, const PartSentence& sentence,
                              const PartFactorsView& factors, int arc, float* product, Number* potentials) {
  const PartsOfArc<kKind> parts(sentence, factors, arc);
  for (int k = group.thread(); k < factors.rank; k += group.threads()) product[k] = parts.product(k);
  group.barrier();
  const int count = parts.slots() * parts.grandparents();
  for (int part = group.tile(); part < count; part += group.tiles()) {
    const float* sibling = nullptr;
    const float* grandparent = nullptr;
    if constexpr (has_sibling(kKind)) sibling = parts.sibling(part / parts.grandparents());
    if constexpr (has_grandparent(kKind)) grandparent = parts.grandparent(part % parts.grandparents());
    float sum = 0.0F;
    for (int k = group.rank(); k < factors.rank; k += group.tile_size()) {
      float term = product[k];
      if constexpr (has_sibling(kKind)) term *= sibling[k];
      if constexpr (has_grandparent(kKind)) term *= grandparent[k];
      sum += term;
    }
    double total = static_cast<double>(sum);
    for (int offset = group.tile_size() / 2; offset > 0; offset /= 2)
      total += group.shuffle_xor(total, offset);
    if (group.rank() == 0) potentials[parts.begin() + part] = static_cast<Number>(total);
  }
}

// A block for each arc, a thread for each number of a role: the gradient by the product of the words of the
// arc, and what weights have of it.
template <PartKind kKind, class Number, class Group>
COPSE_DEVICE void arc_backward(const Group& group, const PartSentence& sentence,
                               const PartFactorsView& factors, int arc, const Number* coefficients,
                               const PartGradientsView& gradients) {
  const PartsOfArc<kKind> parts(sentence, factors, arc);
  for (int k = group.thread(); k < factors.rank; k += group.threads()) {
    const std::int64_t at = (sentence.first_arc + arc) * factors.rank + k;
    float sum = 0.0F;
    for (int slot = 0; slot < parts.slots(); ++slot) {
      const float gradient = parts.slot_gradient(coefficients, slot, k);
      sum += has_sibling(kKind) ? gradient * parts.sibling(slot)[k] : gradient;
      if (has_sibling(kKind) && slot == 0) gradients.no_sibling[at] = gradient * parts.product(k);
    }
    gradients.by_arc[at] = sum;
    gradients.weights[at] = sum * parts.head()[k] * parts.modifier()[k];
    if (has_grandparent(kKind) && parts.head_word() == 0) {
      gradients.no_grandparent[(sentence.first_row + parts.modifier_word()) * factors.rank + k] =
          parts.sum_of_slots(coefficients, 0, k) * parts.product(k);
    }
  }
}

// The parts of a word that a block adds up to the gradient of one of its roles.
enum class PartRole : std::uint8_t { modifier, head, sibling, grandparent };
inline constexpr int kPartRoles = 4;
constexpr bool has_role(PartKind kind, PartRole role) {
  return role == PartRole::sibling ? has_sibling(kind)
                                   : role != PartRole::grandparent || has_grandparent(kind);
}

// Calls use(arc, item) for the arcs that end in parts with a word in a role; item is the place of the word
// among the siblings or grandparents of the arc. Every `step`th of them from `first`.
template <PartKind kKind, class Use>
COPSE_DEVICE void for_arcs_of_word(const ChartTables& tables, int word, PartRole role, int first, int step,
                                   Use use) {
  const std::int32_t* outgoing = tables.outgoing;
  switch (role) {
    case PartRole::modifier:
      for (int i = tables.incoming[word] + first; i < tables.incoming[word + 1]; i += step) {
        use(tables.incoming_arcs[i], 0);
      }
      break;
    case PartRole::head:
      for (int arc = outgoing[2 * word] + first; arc < outgoing[2 * word + 2]; arc += step) use(arc, 0);
      break;
    case PartRole::sibling:
      // Arcs of the same head to modifiers further out.
      for (int i = tables.incoming[word]; i < tables.incoming[word + 1]; ++i) {
        const int own = tables.incoming_arcs[i];
        const int side = 2 * tables.heads[own] + (word > tables.heads[own] ? 1 : 0);
        for (int arc = own + 1 + first; arc < outgoing[side + 1]; arc += step)
          use(arc, own - outgoing[side] + 1);
      }
      break;
    case PartRole::grandparent:
      // Arcs of modifiers, where the word is outside of what they span.
      for (int own = outgoing[2 * word]; own < outgoing[2 * word + 2]; ++own) {
        const int head = tables.entries[own].modifier;
        for (int arc = outgoing[2 * head] + first; arc < outgoing[2 * head + 2]; arc += step) {
          use(arc, tables.lane_of[own]);
        }
      }
      break;
  }
}

// A block for each word and role. The number k of a role is added up by all threads k, k + rank, ... that
// there are, and these sums by the first of them. `room` has a number for each thread.
template <PartKind kKind, class Number, class Group>
COPSE_DEVICE void word_backward(const Group& group, const PartSentence& sentence,
                                const PartFactorsView& factors, int word, PartRole role,
                                const Number* coefficients, const PartGradientsView& gradients, float* room) {
  const int rank = factors.rank;
  const int rows = group.threads() / rank;
  const int own_row = group.thread() / rank;
  const int k = group.thread() % rank;
  float sum = 0.0F;
  if (own_row < rows) {
    for_arcs_of_word<kKind>(sentence.tables, word, role, own_row, rows, [&](int arc, int item) {
      const PartsOfArc<kKind> parts(sentence, factors, arc);
      const float* by_arc = gradients.by_arc + (sentence.first_arc + arc) * rank;
      switch (role) {
        case PartRole::modifier:
          sum += by_arc[k] * factors.weights[k] * parts.head()[k];
          break;
        case PartRole::head:
          sum += by_arc[k] * factors.weights[k] * parts.modifier()[k];
          break;
        case PartRole::sibling:
          sum += parts.slot_gradient(coefficients, item, k) * parts.product(k);
          break;
        case PartRole::grandparent: {
          const int place = item - parts.first_lane();
          if (place < 0 || place >= parts.grandparents()) return;
          sum += parts.sum_of_slots(coefficients, place, k) * parts.product(k);
          break;
        }
      }
    });
  }
  room[group.thread()] = sum;
  group.barrier();
  if (own_row != 0) return;
  for (int row = 1; row < rows; ++row) sum += room[row * rank + k];
  float* const roles[kPartRoles] = {gradients.modifiers, gradients.heads, gradients.siblings,
                                    gradients.grandparents};
  roles[static_cast<int>(role)][(sentence.first_row + word) * gradients.stride + k] += sum;
}

}  // namespace copse::cuda
