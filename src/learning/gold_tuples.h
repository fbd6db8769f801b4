#pragma once

#include <initializer_list>

#include "features/tuple_index.h"
#include "learning/training_set.h"
#include "trees/heads.h"

namespace copse {

// Calls use(scope, tuple) for all tuples of words that the parts of the tree contain, part after part. Of a
// partial tree, those that are known.
template <class Use>
void for_each_gold_tuple(const TrainingSentence& example, Factorization factorization, Use use) {
  const std::vector<int> siblings = inner_siblings(example.heads);
  const std::vector<int> parents = grandparents(example.heads);
  for (int modifier = 1; modifier <= example.sentence.size(); ++modifier) {
    const auto word = static_cast<std::size_t>(modifier);
    if (example.heads[word] == kNoHead) continue;
    const Tuple tuple{parents[word], example.heads[word], siblings[word], modifier};
    const auto use_all = [&](std::initializer_list<Scope> scopes) {
      for (const Scope scope : scopes) use(scope, tuple);
    };
    use_all({Scope::head, Scope::modifier, Scope::arc});
    if (has_siblings(factorization)) use_all({Scope::sibling, Scope::sibling_pair});
    if (!has_grandparents(factorization) || tuple.grandparent == kNoHead) continue;
    use_all({Scope::grandchild, Scope::grandchild_pair});
    if (factorization == Factorization::grandsibling) {
      use_all({Scope::grandsibling, Scope::grandsibling_pair, Scope::grandsibling_triple});
    }
  }
}

}  // namespace copse
