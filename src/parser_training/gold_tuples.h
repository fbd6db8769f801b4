#pragma once

#include "features/tuple_index.h"
#include "inference/tree_parts.h"
#include "parser_training/training_set.h"

namespace copse {

// Calls use(scope, tuple) for all tuples of words that the parts of the tree contain, part after part. Of a
// partial tree, those that are known.
template <class Use>
void for_each_gold_tuple(const TrainingSentence& example, Factorization factorization, Use use) {
  for_each_part_of_tree(example.heads, factorization, [&](PartKind kind, const Tuple& words) {
    for (const Scope scope : scopes_of(kind)) use(scope, words);
  });
}

}  // namespace copse
