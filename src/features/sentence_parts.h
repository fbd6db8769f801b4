#pragma once

#include "copse/inference/part_index.h"
#include "features/tuple_index.h"

namespace copse {

// The arcs, parts and tuples of a sentence. A workspace.
class SentenceParts {
 public:
  // No candidates means all arcs.
  void assign(int words, std::span<const Arc> candidates, Factorization factorization) {
    if (candidates.empty()) {
      arcs_.assign_all(words);
    } else {
      arcs_.assign(words, candidates);
    }
    parts_.assign(arcs_, factorization);
    has_tuples_ = false;
  }
  const ArcSet& arcs() const { return arcs_; }
  const PartIndex& parts() const { return parts_; }
  // Made when somebody asks for them: they take memory for every part, and only hashed features need them.
  const TupleIndex& tuples() const {
    if (!has_tuples_) tuples_.assign(parts_);
    has_tuples_ = true;
    return tuples_;
  }

 private:
  ArcSet arcs_;
  PartIndex parts_;
  mutable TupleIndex tuples_;
  mutable bool has_tuples_ = false;
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
