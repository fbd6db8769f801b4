#pragma once

#include "copse/inference/part_index.h"
#include "features/tuple_index.h"

namespace copse {

// The arcs, parts and tuples of a sentence. A workspace.
class SentenceParts {
 public:
  // No candidates means all arcs.
  void assign(int words, std::span<const Arc> candidates, Factorization factorization) {
    assign_parts(words, candidates, factorization);
    assign_tuples();
  }
  // The same in two steps, for who wants to know the number of parts before there are tuples: those take
  // memory for every part.
  void assign_parts(int words, std::span<const Arc> candidates, Factorization factorization) {
    if (candidates.empty()) {
      arcs_.assign_all(words);
    } else {
      arcs_.assign(words, candidates);
    }
    parts_.assign(arcs_, factorization);
  }
  void assign_tuples() { tuples_.assign(parts_); }
  const ArcSet& arcs() const { return arcs_; }
  const PartIndex& parts() const { return parts_; }
  const TupleIndex& tuples() const { return tuples_; }

 private:
  ArcSet arcs_;
  PartIndex parts_;
  TupleIndex tuples_;
};

// Calls use(scope, tuple) for all tuples in the order of their numbers.
template <class Use>
void for_each_tuple(const TupleIndex& tuples, Use use) {
  for (int scope = 0; scope < kScopes; ++scope) {
    const auto which = static_cast<Scope>(scope);
    for (int tuple = tuples.begin(which); tuple < tuples.end(which); ++tuple) use(which, tuples[tuple]);
  }
}

}  // namespace copse
