#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "inference/enumeration.h"
#include "inference/test_settings.h"

namespace copse::testing {

using Generator = std::mt19937_64;

inline double uniform(Generator& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline int uniform_int(Generator& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}
inline bool happens(Generator& random, double probability) { return uniform(random, 0, 1) < probability; }

enum class CandidateKind {
  full,
  thinned,      // each arc kept with some probability; there may be no tree
  around_tree,  // a random tree of the root mode, and some more arcs
  scarce        // so few arcs that there is seldom a tree
};
inline constexpr std::array kCandidateKinds{CandidateKind::full, CandidateKind::thinned,
                                            CandidateKind::around_tree, CandidateKind::scarce};

enum class PotentialKind {
  normal,
  tens,
  thousands,
  integers,  // small ones: many trees have the same score
  mixed,     // normal with single ones of ±1000
  normal_with_impossible,
  thousands_with_impossible
};
inline constexpr std::array kPotentialKinds{PotentialKind::normal,
                                            PotentialKind::tens,
                                            PotentialKind::thousands,
                                            PotentialKind::integers,
                                            PotentialKind::mixed,
                                            PotentialKind::normal_with_impossible,
                                            PotentialKind::thousands_with_impossible};

inline std::string_view name(CandidateKind kind) {
  constexpr std::array names{"full", "thinned", "around_tree", "scarce"};
  return names[static_cast<std::size_t>(kind)];
}
inline std::string_view name(PotentialKind kind) {
  constexpr std::array names{"normal",
                             "tens",
                             "thousands",
                             "integers",
                             "mixed",
                             "normal_with_impossible",
                             "thousands_with_impossible"};
  return names[static_cast<std::size_t>(kind)];
}

constexpr bool has_impossible_parts(PotentialKind kind) {
  return kind == PotentialKind::normal_with_impossible || kind == PotentialKind::thousands_with_impossible;
}
// Magnitudes at which linear arithmetic has the right to refuse.
constexpr bool is_extreme(PotentialKind kind) {
  return kind == PotentialKind::thousands || kind == PotentialKind::mixed ||
         kind == PotentialKind::thousands_with_impossible;
}

inline double draw_potential(Generator& random, PotentialKind kind) {
  constexpr double impossible = -std::numeric_limits<double>::infinity();
  if (has_impossible_parts(kind) && happens(random, 0.04)) return impossible;
  switch (kind) {
    case PotentialKind::tens:
      return uniform(random, -10, 10);
    case PotentialKind::thousands:
    case PotentialKind::thousands_with_impossible:
      return uniform(random, -1000, 1000);
    case PotentialKind::integers:
      return uniform_int(random, -1, 1);
    case PotentialKind::mixed:
      if (happens(random, 0.1)) return happens(random, 0.5) ? 1000 : -1000;
      break;
    case PotentialKind::normal:
    case PotentialKind::normal_with_impossible:
      break;
  }
  return std::normal_distribution<double>()(random);
}

// Gives words first..last and what is below them to `head`, as one subtree or as several.
inline void grow_subtrees(Generator& random, Heads& heads, int head, int first, int last, bool may_split) {
  if (first > last) return;
  if (may_split && first < last && happens(random, 0.3)) {
    const int end_of_left = uniform_int(random, first, last - 1);
    grow_subtrees(random, heads, head, first, end_of_left, true);
    grow_subtrees(random, heads, head, end_of_left + 1, last, true);
    return;
  }
  const int top = uniform_int(random, first, last);
  heads[top] = head;
  grow_subtrees(random, heads, top, first, top - 1, true);
  grow_subtrees(random, heads, top, top + 1, last, true);
}

// Every projective tree can come out, not all of them equally often.
inline Heads random_projective_tree(Generator& random, int words, RootMode root) {
  Heads heads(static_cast<std::size_t>(words) + 1, 0);
  grow_subtrees(random, heads, 0, 1, words, root == RootMode::multi);
  return heads;
}

// The arcs of `tree`, and each other arc with probability `keep`, in random order.
inline std::vector<Arc> random_arcs(Generator& random, int words, double keep, const Heads& tree = {}) {
  std::vector<Arc> arcs;
  for (int head = 0; head <= words; ++head) {
    for (int modifier = 1; modifier <= words; ++modifier) {
      if (head == modifier) continue;
      if ((!tree.empty() && tree[modifier] == head) || happens(random, keep))
        arcs.push_back({head, modifier});
    }
  }
  std::shuffle(arcs.begin(), arcs.end(), random);
  return arcs;
}

inline std::vector<Arc> random_candidates(Generator& random, CandidateKind kind, int words, RootMode root) {
  switch (kind) {
    case CandidateKind::full:
      break;
    case CandidateKind::thinned:
      return random_arcs(random, words, uniform(random, 0.5, 0.95));
    case CandidateKind::around_tree:
      return random_arcs(random, words, uniform(random, 0, 0.6), random_projective_tree(random, words, root));
    case CandidateKind::scarce:
      return random_arcs(random, words, uniform(random, 0.1, 0.5));
  }
  return random_arcs(random, words, 1);
}

// Requirements come from a tree, more often than not; forbidden arcs are any arcs, candidates or not.
inline Constraints random_constraints(Generator& random, int words, RootMode root) {
  Constraints constraints;
  if (happens(random, 0.8)) {
    const Heads tree = random_projective_tree(random, words, root);
    const double required = uniform(random, 0, 0.6);
    constraints.heads.assign(static_cast<std::size_t>(words) + 1, Constraints::kAnyHead);
    constraints.heads[0] = happens(random, 0.5) ? 0 : Constraints::kAnyHead;
    for (int modifier = 1; modifier <= words; ++modifier) {
      if (happens(random, required)) constraints.heads[modifier] = tree[modifier];
    }
  }
  if (happens(random, 0.8)) constraints.forbidden = random_arcs(random, words, uniform(random, 0, 0.3));
  return constraints;
}

struct CaseKind {
  int words;
  Factorization factorization;
  RootMode root;
  CandidateKind candidates;
  PotentialKind potentials;
  bool is_constrained;
};

inline constexpr int kMostEnumeratedWords = 6;
// All combinations of the dimensions other than the number of words.
inline constexpr int kCombinations = static_cast<int>(kFactorizations.size() * kRootModes.size() *
                                                      kCandidateKinds.size() * kPotentialKinds.size() * 2);

// Consecutive numbers run through all combinations, in an order that samples every dimension when only a few
// cases are run.
inline CaseKind case_kind(int words, int number) {
  constexpr int stride = 1009;
  static_assert(std::gcd(stride, kCombinations) == 1);
  auto rest = static_cast<std::size_t>(number) * stride % kCombinations;
  const auto next_digit = [&rest](std::size_t base) {
    const std::size_t digit = rest % base;
    rest /= base;
    return digit;
  };
  CaseKind kind{};
  kind.words = words;
  kind.factorization = kFactorizations[next_digit(kFactorizations.size())];
  kind.root = kRootModes[next_digit(kRootModes.size())];
  kind.candidates = kCandidateKinds[next_digit(kCandidateKinds.size())];
  kind.potentials = kPotentialKinds[next_digit(kPotentialKinds.size())];
  kind.is_constrained = next_digit(2) == 1;
  return kind;
}

inline std::string describe(const CaseKind& kind) {
  std::ostringstream text;
  text << "words " << kind.words << ", factorization " << name(kind.factorization) << ", root "
       << name(kind.root) << ", candidates " << name(kind.candidates) << ", potentials "
       << name(kind.potentials) << (kind.is_constrained ? ", constrained" : "");
  return text.str();
}

inline TreeModel random_model(Generator& random, const CaseKind& kind) {
  TreeModel model(kind.words);
  model.factorization = kind.factorization;
  model.root = kind.root;
  model.candidates = random_candidates(random, kind.candidates, kind.words, kind.root);
  if (kind.is_constrained) model.constraints = random_constraints(random, kind.words, kind.root);
  for (Order order : orders_of(kind.factorization)) {
    for_each_conceivable_part(order, kind.words, [&](const Part& part) {
      model.potentials.at(order, part) = draw_potential(random, kind.potentials);
    });
  }
  return model;
}

// Calls check(kind, model, random) for random models of every kind, short sentences first, until one fails:
// so the failure that is reported is the smallest one.
template <typename Check>
void for_each_random_model(int cases_per_length, Check check) {
  constexpr int numbers_per_length = 1'000'000;
  for (int words = 1; words <= kMostEnumeratedWords; ++words) {
    for (int index = 0; index < scaled(cases_per_length); ++index) {
      const int number = words * numbers_per_length + index;
      Generator random = case_generator(number);
      const CaseKind kind = case_kind(words, index);
      SCOPED_TRACE(case_name(number) + ": " + describe(kind));
      const TreeModel model = random_model(random, kind);
      check(kind, model, random);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace copse::testing
