#include "features/tuple_index.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "inference/tree_parts.h"

namespace copse {
namespace {

constexpr int kNoTuple = -1;

// A row for every word that can be an inner sibling, and for none on the left and none on the right.
std::int64_t sibling_row(const Tuple& tuple, int sibling, int words) {
  if (sibling != tuple.head) return sibling;
  return tuple.modifier < tuple.head ? 0 : words + 1;
}

}  // namespace

int arc_shape(int head, int modifier) {
  const int distance = std::abs(head - modifier);
  const int bin = distance <= 5 ? distance - 1 : distance <= 10 ? 5 : 6;
  return (modifier < head ? 0 : kDistanceBins) + bin;
}

// Keys of shared tuples are numbers below this.
std::int64_t TupleIndex::keys(Scope scope) const {
  const std::int64_t words = parts_->words() + 1;
  const std::int64_t siblings = words + 1;
  const std::int64_t pairs = end(Scope::sibling_pair) - begin(Scope::sibling_pair);
  switch (scope) {
    case Scope::head:
    case Scope::modifier:
      return words * kArcShapes;
    case Scope::sibling_pair:
    case Scope::grandsibling_pair:
    case Scope::trisibling_pair:
      return siblings * words;
    case Scope::grandchild_pair:
    case Scope::outermost_pair:
      return words * words;
    case Scope::grandsibling_triple:
      return pairs * words;
    case Scope::trisibling_triple:
      return pairs * siblings;
    case Scope::arc:
    case Scope::sibling:
    case Scope::grandchild:
    case Scope::grandsibling:
    case Scope::outermost:
    case Scope::trisibling:
    case Scope::grandtrisibling:
      break;  // a tuple for every part
  }
  return 0;
}

template <Scope kScope>
std::int64_t TupleIndex::key(const Tuple& tuple) const {
  const std::int64_t words = parts_->words() + 1;
  const auto row = [&](int sibling) { return sibling_row(tuple, sibling, parts_->words()); };
  const auto pair = [&] {
    const auto at = static_cast<std::size_t>(row(tuple.sibling) * words + tuple.modifier);
    return std::int64_t{pair_of_key_[at]} - begin(Scope::sibling_pair);
  };
  switch (kScope) {
    case Scope::head:
      return std::int64_t{tuple.head} * kArcShapes + arc_shape(tuple.head, tuple.modifier);
    case Scope::modifier:
      return std::int64_t{tuple.modifier} * kArcShapes + arc_shape(tuple.head, tuple.modifier);
    case Scope::sibling_pair:
      return row(tuple.sibling) * words + tuple.modifier;
    case Scope::grandchild_pair:
    case Scope::outermost_pair:
      return tuple.grandparent * words + tuple.modifier;
    case Scope::grandsibling_pair:
      return row(tuple.sibling) * words + tuple.grandparent;
    case Scope::grandsibling_triple:
      return pair() * words + tuple.grandparent;
    case Scope::trisibling_pair:
      return row(tuple.second_sibling) * words + tuple.modifier;
    case Scope::trisibling_triple:
      return pair() * (words + 1) + row(tuple.second_sibling);
    case Scope::arc:
    case Scope::sibling:
    case Scope::grandchild:
    case Scope::grandsibling:
    case Scope::outermost:
    case Scope::trisibling:
    case Scope::grandtrisibling:
      break;
  }
  return 0;
}

void TupleIndex::assign(const PartIndex& parts) {
  parts_ = &parts;
  tuples_.clear();
  for (const PartKind kind : kAllPartKinds) {
    with_part_kind(kind, [this]<PartKind kKind>() { add_kind<kKind>(); });
  }
  begin_[kScopes] = size();
}

template <PartKind kKind>
void TupleIndex::add_kind() {
  [this]<std::size_t... k>(std::index_sequence<k...>) {
    (this->template add_scope<kKind, scopes_of(kKind)[k]>(), ...);
  }
  (std::make_index_sequence<scopes_of(kKind).size()>());
}

template <PartKind kKind, Scope kScope>
void TupleIndex::add_scope() {
  std::vector<int>& tuple_of_part = shared_[static_cast<std::size_t>(kScope)];
  begin_[static_cast<std::size_t>(kScope)] = size();
  tuple_of_part.clear();
  if (!contains(parts_->factorization(), kKind)) return;
  if (kScope == own_scope(kKind)) {
    for_each_part<kKind>(*parts_, [&](const Tuple& tuple) { tuples_.push_back(tuple); });
    return;
  }
  tuple_of_key_.assign(static_cast<std::size_t>(keys(kScope)), kNoTuple);
  for_each_part<kKind>(*parts_, [&](const Tuple& tuple) {
    int& number = tuple_of_key_[static_cast<std::size_t>(key<kScope>(tuple))];
    if (number == kNoTuple) {
      number = size();
      tuples_.push_back(tuple);
    }
    tuple_of_part.push_back(number);
  });
  if (kScope == Scope::sibling_pair) pair_of_key_.swap(tuple_of_key_);
}

void TupleIndex::to_parts(std::span<const double> tuple_values, PartValues& part_values) const {
  part_values.assign(*parts_);
  for (const PartKind kind : part_kinds(parts_->factorization())) {
    std::vector<double>& values = part_values[kind];
    const auto own = tuple_values.begin() + begin(own_scope(kind));
    std::copy(own, own + static_cast<std::ptrdiff_t>(values.size()), values.begin());
    for (const Scope scope : scopes_of(kind)) {
      const std::vector<int>& tuple_of_part = shared(scope);  // empty of the kind's own scope
      for (std::size_t part = 0; part < tuple_of_part.size(); ++part) {
        values[part] += tuple_values[tuple_of_part[part]];
      }
    }
  }
}

void TupleIndex::to_tuples(const PartValues& part_values, std::span<double> tuple_values) const {
  std::fill(tuple_values.begin(), tuple_values.end(), 0.0);
  for (const PartKind kind : part_kinds(parts_->factorization())) {
    const std::vector<double>& values = part_values[kind];
    std::copy(values.begin(), values.end(), tuple_values.begin() + begin(own_scope(kind)));
    for (const Scope scope : scopes_of(kind)) {
      const std::vector<int>& tuple_of_part = shared(scope);
      for (std::size_t part = 0; part < tuple_of_part.size(); ++part) {
        tuple_values[tuple_of_part[part]] += values[part];
      }
    }
  }
}

}  // namespace copse
