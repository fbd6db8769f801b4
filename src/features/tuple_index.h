#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "copse/inference/part_index.h"
#include "features/template_set.h"

namespace copse {

// The words that a template is evaluated for. Places that a scope does not contain hold one of the words that
// occur there.
struct Tuple {
  Tuple() = default;
  constexpr Tuple(int grandparent_word, int head_word, int sibling_word, int modifier_word,
                  int second_sibling_word = 0)
      : grandparent(static_cast<Word>(grandparent_word)),
        head(static_cast<Word>(head_word)),
        sibling(static_cast<Word>(sibling_word)),
        modifier(static_cast<Word>(modifier_word)),
        second_sibling(static_cast<Word>(second_sibling_word)) {}
  constexpr Tuple(const PartWords& part)  // NOLINT(google-explicit-constructor): a part is a tuple of words
      : Tuple(part.grandparent, part.head, part.sibling, part.modifier, part.second_sibling) {}

  using Word = std::uint16_t;  // as in PartIndex: there are a great many tuples
  Word grandparent;
  Word head;
  Word sibling;
  Word modifier;
  Word second_sibling;
};

// Arcs differ for features by their direction and length: 1, 2, 3, 4, 5, 6 to 10, more; leftward arcs first.
inline constexpr int kDistanceBins = 7;
inline constexpr int kArcShapes = 2 * kDistanceBins;
int arc_shape(int head, int modifier);

// Which distinct tuples of words occur in the parts of a sentence, scope by scope, and which of them each
// part contains. A number per tuple (the weights of its features) sums up to potentials of parts; a number
// per part (a marginal) sums up to tuples on the way back.
class TupleIndex {
 public:
  // Keeps a reference to `parts`.
  void assign(const PartIndex& parts);

  const PartIndex& parts() const { return *parts_; }
  int size() const { return static_cast<int>(tuples_.size()); }
  const Tuple& operator[](int tuple) const { return tuples_[tuple]; }
  // The tuples of a scope are neighbours. Scopes that the factorization lacks are empty.
  int begin(Scope scope) const { return begin_[static_cast<int>(scope)]; }
  int end(Scope scope) const { return begin_[static_cast<int>(scope) + 1]; }

  // The tuples that an arc contains, scope by scope: its head's, its modifier's and its own.
  std::array<int, 3> tuples_of_arc(int arc) const {
    const auto at = static_cast<std::size_t>(arc);
    return {shared(Scope::head)[at], shared(Scope::modifier)[at], begin(Scope::arc) + arc};
  }

  // Sets every part's value to the sum over the tuples that it contains.
  void to_parts(std::span<const double> tuple_values, PartValues& part_values) const;
  // The adjoint: sets every tuple's value to the sum over the parts that contain it.
  void to_tuples(const PartValues& part_values, std::span<double> tuple_values) const;

 private:
  template <PartKind kKind>
  void add_kind();
  template <PartKind kKind, Scope kScope>
  void add_scope();
  std::int64_t keys(Scope scope) const;
  template <Scope kScope>
  std::int64_t key(const Tuple& tuple) const;
  const std::vector<int>& shared(Scope scope) const { return shared_[static_cast<std::size_t>(scope)]; }

  const PartIndex* parts_ = nullptr;
  std::vector<Tuple> tuples_;
  std::array<int, kScopes + 1> begin_{};

  // By scope: the shared tuple of each part. Scopes with one tuple per part need no such list.
  std::array<std::vector<int>, kScopes> shared_;

  std::vector<int> tuple_of_key_;  // while a scope is filled
  std::vector<int> pair_of_key_;   // of the scope of sibling pairs: few of all possible ones exist
};

}  // namespace copse
