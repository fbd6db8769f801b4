#pragma once

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "inference/library_input.h"

namespace copse::testing {

// About as many candidate heads per word as pruning leaves, around a tree so that there is one.
inline std::vector<Arc> sparse_arcs(Generator& random, int words, RootMode root, double heads_per_word = 6) {
  return random_arcs(random, words, heads_per_word / (words + 1),
                     random_projective_tree(random, words, root));
}

struct LongSentence {
  int words;
  bool is_sparse;
};

// The grandparent models take time and memory of one more power of the length, second siblings of another.
inline std::span<const LongSentence> long_sentences(Factorization factorization) {
  static constexpr std::array with_grandparents{LongSentence{7, false},  LongSentence{13, false},
                                                LongSentence{26, false}, LongSentence{40, false},
                                                LongSentence{40, true},  LongSentence{80, true}};
  static constexpr std::array without_grandparents{LongSentence{7, false},  LongSentence{16, false},
                                                   LongSentence{33, false}, LongSentence{57, false},
                                                   LongSentence{80, false}, LongSentence{80, true}};
  static constexpr std::array with_second_siblings{LongSentence{7, false},  LongSentence{13, false},
                                                   LongSentence{20, false}, LongSentence{28, false},
                                                   LongSentence{40, true},  LongSentence{80, true}};
  if (has_second_siblings(factorization)) return with_second_siblings;
  if (has_grandparents(factorization)) return with_grandparents;
  return without_grandparents;
}

// Calls check(input, random) for long sentences of every factorization and root mode, with potentials of one
// kind.
template <typename Check>
void for_each_long_sentence(PotentialKind kind, Check check) {
  LibraryInput input;
  int number = 0;
  for (Factorization factorization : kFactorizations) {
    for (const auto& [words, is_sparse] : long_sentences(factorization)) {
      for (RootMode root : kRootModes) {
        if (!is_within_scale(++number)) continue;
        SCOPED_TRACE(case_name(number) + ": words " + std::to_string(words) +
                     (is_sparse ? " sparse " : " full ") + std::string(name(factorization)) + " " +
                     std::string(name(root)) + " " + std::string(name(kind)));
        Generator random = case_generator(number);
        const std::vector<Arc> arcs =
            is_sparse ? sparse_arcs(random, words, root) : random_arcs(random, words, 1);
        input.assign_random(random, words, factorization, root, arcs, kind);
        check(input, random);
      }
    }
  }
}

}  // namespace copse::testing
