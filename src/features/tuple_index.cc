#include "features/tuple_index.h"

#include <algorithm>
#include <cstdlib>

#include "inference/tree_parts.h"

namespace copse {
namespace {

constexpr int kNoTuple = -1;

// A row for every word that can be an inner sibling, and for none on the left and none on the right.
std::int64_t sibling_row(const Tuple& tuple, int words) {
  if (tuple.sibling != tuple.head) return tuple.sibling;
  return tuple.modifier < tuple.head ? 0 : words + 1;
}

}  // namespace

int arc_shape(int head, int modifier) {
  const int distance = std::abs(head - modifier);
  const int bin = distance <= 5 ? distance - 1 : distance <= 10 ? 5 : 6;
  return (modifier < head ? 0 : kDistanceBins) + bin;
}

void TupleIndex::forget_keys(std::int64_t keys) {
  tuple_of_key_.assign(static_cast<std::size_t>(keys), kNoTuple);
}

int TupleIndex::shared_tuple(std::int64_t key, const Tuple& tuple) {
  int& number = tuple_of_key_[static_cast<std::size_t>(key)];
  if (number == kNoTuple) {
    number = size();
    tuples_.push_back(tuple);
  }
  return number;
}

void TupleIndex::assign(const PartIndex& parts) {
  parts_ = &parts;
  tuples_.clear();
  add_arcs();
  add_siblings();
  add_grandchildren();
  add_grandsiblings();
  begin_[kScopes] = size();
}

void TupleIndex::add_arcs() {
  const ArcSet& arcs = parts_->arcs();
  const std::int64_t keys = std::int64_t{parts_->words() + 1} * kArcShapes;
  start_scope(Scope::head);
  forget_keys(keys);
  head_of_arc_.clear();
  for (const auto [head, modifier] : arcs.all()) {
    head_of_arc_.push_back(
        shared_tuple(head * kArcShapes + arc_shape(head, modifier), {0, head, head, modifier}));
  }
  start_scope(Scope::modifier);
  forget_keys(keys);
  modifier_of_arc_.clear();
  for (const auto [head, modifier] : arcs.all()) {
    modifier_of_arc_.push_back(
        shared_tuple(modifier * kArcShapes + arc_shape(head, modifier), {0, head, head, modifier}));
  }
  start_scope(Scope::arc);
  for (const auto [head, modifier] : arcs.all()) tuples_.push_back({0, head, head, modifier});
}

void TupleIndex::add_siblings() {
  start_scope(Scope::sibling);
  pair_of_sibling_.clear();
  if (!contains(parts_->factorization(), PartKind::sibling)) {
    start_scope(Scope::sibling_pair);
    return;
  }
  for_each_part<PartKind::sibling>(*parts_, [&](const Tuple& tuple) { tuples_.push_back(tuple); });
  start_scope(Scope::sibling_pair);
  const int words = parts_->words();
  forget_keys(std::int64_t{words + 2} * (words + 1));
  for_each_part<PartKind::sibling>(*parts_, [&](const Tuple& tuple) {
    pair_of_sibling_.push_back(shared_tuple(sibling_row(tuple, words) * (words + 1) + tuple.modifier, tuple));
  });
}

void TupleIndex::add_grandchildren() {
  start_scope(Scope::grandchild);
  pair_of_grandchild_.clear();
  if (!contains(parts_->factorization(), PartKind::grandchild)) {
    start_scope(Scope::grandchild_pair);
    return;
  }
  for_each_part<PartKind::grandchild>(*parts_, [&](const Tuple& tuple) { tuples_.push_back(tuple); });
  start_scope(Scope::grandchild_pair);
  const std::int64_t row = parts_->words() + 1;
  forget_keys(row * row);
  for_each_part<PartKind::grandchild>(*parts_, [&](const Tuple& tuple) {
    pair_of_grandchild_.push_back(shared_tuple(tuple.grandparent * row + tuple.modifier, tuple));
  });
}

void TupleIndex::add_grandsiblings() {
  start_scope(Scope::grandsibling);
  pair_of_grandsibling_.clear();
  triple_of_grandsibling_.clear();
  if (!contains(parts_->factorization(), PartKind::grandsibling)) {
    start_scope(Scope::grandsibling_pair);
    start_scope(Scope::grandsibling_triple);
    return;
  }
  for_each_part<PartKind::grandsibling>(*parts_, [&](const Tuple& tuple) { tuples_.push_back(tuple); });
  const int words = parts_->words();
  start_scope(Scope::grandsibling_pair);
  forget_keys(std::int64_t{words + 2} * (words + 1));
  for_each_part<PartKind::grandsibling>(*parts_, [&](const Tuple& tuple) {
    pair_of_grandsibling_.push_back(
        shared_tuple(sibling_row(tuple, words) * (words + 1) + tuple.grandparent, tuple));
  });
  // The pairs of sibling and modifier are numbered already; few of all possible ones exist.
  const int first_pair = begin(Scope::sibling_pair);
  const std::int64_t pairs = begin(Scope::grandchild) - first_pair;
  start_scope(Scope::grandsibling_triple);
  forget_keys(pairs * (words + 1));
  const ArcSet& arcs = parts_->arcs();
  std::size_t part = static_cast<std::size_t>(begin(Scope::grandsibling));
  PartIndex::Position sibling_part = 0;
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const int grandparents = parts_->grandparents(arcs[arc].head, arcs[arc].modifier).size();
    for (int slot = 0; slot < parts_->slots(arc); ++slot) {
      const std::int64_t pair = pair_of_sibling_[static_cast<std::size_t>(sibling_part++)] - first_pair;
      for (int k = 0; k < grandparents; ++k) {
        const Tuple tuple = tuples_[part++];  // a copy: the list may move when it grows
        triple_of_grandsibling_.push_back(shared_tuple(pair * (words + 1) + tuple.grandparent, tuple));
      }
    }
  }
}

void TupleIndex::to_parts(std::span<const double> tuple_values, PartValues& part_values) const {
  part_values.assign(*parts_);
  const auto sum_up = [&](Scope scope, std::vector<double>& values, const std::vector<int>& first,
                          const std::vector<int>* second) {
    const double* own = tuple_values.data() + begin(scope);
    for (std::size_t part = 0; part < values.size(); ++part) {
      values[part] = own[part] + tuple_values[first[part]];
      if (second != nullptr) values[part] += tuple_values[(*second)[part]];
    }
  };
  sum_up(Scope::arc, part_values.arc, head_of_arc_, &modifier_of_arc_);
  sum_up(Scope::sibling, part_values.sibling, pair_of_sibling_, nullptr);
  sum_up(Scope::grandchild, part_values.grandchild, pair_of_grandchild_, nullptr);
  sum_up(Scope::grandsibling, part_values.grandsibling, pair_of_grandsibling_, &triple_of_grandsibling_);
}

void TupleIndex::to_tuples(const PartValues& part_values, std::span<double> tuple_values) const {
  std::fill(tuple_values.begin(), tuple_values.end(), 0.0);
  const auto accumulate = [&](Scope scope, const std::vector<double>& values, const std::vector<int>& first,
                              const std::vector<int>* second) {
    double* own = tuple_values.data() + begin(scope);
    for (std::size_t part = 0; part < values.size(); ++part) {
      own[part] = values[part];
      tuple_values[first[part]] += values[part];
      if (second != nullptr) tuple_values[(*second)[part]] += values[part];
    }
  };
  accumulate(Scope::arc, part_values.arc, head_of_arc_, &modifier_of_arc_);
  accumulate(Scope::sibling, part_values.sibling, pair_of_sibling_, nullptr);
  accumulate(Scope::grandchild, part_values.grandchild, pair_of_grandchild_, nullptr);
  accumulate(Scope::grandsibling, part_values.grandsibling, pair_of_grandsibling_, &triple_of_grandsibling_);
}

}  // namespace copse
