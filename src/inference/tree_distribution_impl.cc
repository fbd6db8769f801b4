#include "inference/tree_distribution_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "inference/overflow_watch.h"
#include "inference/potential_errors.h"
#include "inference/transfer.h"
#include "inference/tree_count.h"
#include "numeric/numbers.h"

namespace copse {
namespace {

// Weights are kept for the adjoint pass if they fit into a cache (4 MB), and computed again otherwise, unless
// they can be kept where the marginals go and it is known that marginals are wanted.
constexpr std::size_t kMostWeightsKept = std::size_t{1} << 19;
// What underflow may take from Z.
constexpr double kNegligibleShare = 1e-12;

// For balanced sums, see try_balanced_sum().
constexpr double kLargestGain = 300.0;            // weights are below exp(300)
constexpr double kLargestRange = 400.0;           // between the scale of a word and its lowest weight
constexpr double kNegligibleProbability = 1e-30;  // of an item; there are far fewer than 1e15 of them
constexpr double kMostMissing = 1e-10;            // of the probabilities of heads, summed over all words

// Rows over all spans are quickest unless most arcs are gone from a long sentence.
LayoutChoice choose_layout(const PartIndex& parts) {
  if (contains(parts.factorization(), PartKind::outermost)) return LayoutChoice::outermost_contexts;
  if (has_second_siblings(parts.factorization())) return LayoutChoice::augmented_contexts;
  if (has_grandparents(parts.factorization())) return LayoutChoice::grand_contexts;
  const double words = parts.words();
  const double density = parts.arcs().size() / std::max(1.0, words * words);
  const bool cubic_weights = parts.factorization() == Factorization::sibling;
  return density * words < (cubic_weights ? 12.0 : 6.0) && words > 40 ? LayoutChoice::contexts
                                                                      : LayoutChoice::spans;
}

void expect_counts(const Potentials& potentials, const PartIndex& parts) {
  for (const PartKind kind : kAllPartKinds) {
    const std::size_t found = potentials[kind].size();
    if (found == static_cast<std::size_t>(parts.count(kind))) continue;
    throw std::invalid_argument(
        fmt::format("{} {} potentials for {} parts", found, name(kind), parts.count(kind)));
  }
}

}  // namespace

void TreeDistribution::Impl::assign(const PartIndex& new_parts, const Potentials& new_potentials,
                                    RootMode new_root, const Constraints& new_constraints,
                                    Arithmetic new_arithmetic) {
  parts = nullptr;
  has_sum = has_maximum = has_marginals = false;
  weights_kind = Weights::none;
  floor = 0.0;
  if (new_parts.words() < 1) throw std::invalid_argument("a sentence needs at least one word");
  expect_counts(new_potentials, new_parts);
  const std::size_t size = static_cast<std::size_t>(new_parts.words()) + 1;

  potentials = &new_potentials;
  root = new_root;
  constraints.heads.assign(new_constraints.heads.begin(), new_constraints.heads.end());
  constraints.forbidden.assign(new_constraints.forbidden.begin(), new_constraints.forbidden.end());
  arithmetic = new_arithmetic;
  // No rule has more terms than words, and no tree more items than five a word.
  term_scores.reserve(size);
  if (stack.size() < 5 * size) stack.resize(5 * size);

  apply_constraints(new_parts.arcs());
  const bool has_outermost = contains(new_parts.factorization(), PartKind::outermost);
  highest.resize((has_outermost ? 2 : 1) * SpanLayout::padded_words(new_parts.words()));
  if (!find_highest({new_parts, new_potentials, new_root, allowed}, highest.data())) {
    throw std::invalid_argument(kBadPotential);
  }
  const auto without_head =
      std::find(highest.begin() + 1, highest.begin() + static_cast<std::ptrdiff_t>(size), kMinusInfinity);
  feasible = without_head == highest.begin() + static_cast<std::ptrdiff_t>(size);
  word_without_head = feasible ? 0 : static_cast<int>(without_head - highest.begin());
  // No tree has a higher score than the sum of what is highest at each word.
  if (feasible && !std::isfinite(std::accumulate(highest.begin() + 1, without_head, 0.0))) {
    throw std::invalid_argument(kOverflow);
  }
  parts = &new_parts;
  assign_layout();
}

void TreeDistribution::Impl::assign_layout() {
  layout_choice = choose_layout(*parts);
  with_layout([&]<class Layout>(Layout& layout) {
    if constexpr (std::is_same_v<Layout, SpanLayout>) {
      layout.assign(*parts, root, span_tables);
    } else {
      if (parts->arcs().is_full()) {
        used_spans.assign_all(parts->arcs());
      } else {
        used_spans.assign(parts->arcs(), allowed, root, has_siblings(parts->factorization()));
        if (!used_spans.has_tree()) feasible = false;
      }
      layout.assign(*parts, used_spans, root, context_tables);
    }
  });
}

void TreeDistribution::Impl::require_assigned() const {
  if (parts == nullptr) throw std::logic_error("assign() must be called before questions to a distribution");
}

void TreeDistribution::Impl::expect_heads(std::size_t size) const {
  require_assigned();
  if (size == static_cast<std::size_t>(parts->words()) + 1) return;
  throw std::invalid_argument(
      fmt::format("{} heads for a sentence of {} words, not {}", size, parts->words(), parts->words() + 1));
}

void TreeDistribution::Impl::apply_constraints(const ArcSet& arcs) {
  allowed.clear();
  if (constraints.heads.empty() && constraints.forbidden.empty()) return;
  allowed.assign(arcs.size(), 1);
  if (!constraints.heads.empty()) {
    if (constraints.heads.size() != static_cast<std::size_t>(arcs.words()) + 1) {
      throw std::invalid_argument(fmt::format("{} required heads for a sentence of {} words, not {}",
                                              constraints.heads.size(), arcs.words(), arcs.words() + 1));
    }
    for (int arc = 0; arc < arcs.size(); ++arc) {
      const int required = constraints.heads[arcs[arc].modifier];
      if (required != Constraints::kAnyHead && required != arcs[arc].head) allowed[arc] = 0;
    }
  }
  for (const Arc& arc : constraints.forbidden) {
    const int number = arcs.find(arc.head, arc.modifier);
    if (number != ArcSet::kNone) allowed[number] = 0;
  }
}

void TreeDistribution::Impl::throw_infeasible() const {
  if (word_without_head > 0) {
    throw InfeasibleError(
        fmt::format("no tree is possible: word {} has no possible head", word_without_head));
  }
  throw InfeasibleError(fmt::format(
      "no tree is possible: the candidate arcs of the {} words contain no projective tree with {}",
      parts->words(), root == RootMode::single ? "a single root" : "any number of roots"));
}

void TreeDistribution::Impl::require_feasible() const {
  require_assigned();
  if (!feasible) throw_infeasible();
}

void TreeDistribution::Impl::place_span_weights(Weights kind) {
  if (weights_kind == kind) return;
  weights.resize(spans.weight_count());
  place_weights(spans, {*parts, *potentials, root, allowed},
                kind == Weights::scaled ? highest.data() : nullptr, weights.data());
  weights_kind = kind;
}

void TreeDistribution::Impl::run_inside(Semiring semiring, Buffer& values, bool for_marginals, int widest,
                                        bool is_filled) {
  const bool scaled = semiring == Semiring::linear;
  const Weights kind = scaled ? Weights::scaled : Weights::logs;
  const WeightSource source{*parts, *potentials, root, allowed};
  with_layout([&]<class Layout>(const Layout& layout) {
    values.resize(layout.item_count());
    if constexpr (std::is_same_v<Layout, SpanLayout>) {
      place_span_weights(kind);
      inside(layout, semiring,
             {.weights = weights.data(),
              .values = values.data(),
              .widest = widest,
              .is_filled = is_filled,
              .floor = floor});
    } else {
      // Maxima have no adjoint pass that would need the weights again, and in the log domain of charts with
      // parents they are sums that are quickly done again.
      constexpr bool kInMarginals = Layout::kItemContexts == Contexts::parents;
      const bool fit_into_cache = layout.weight_count() <= kMostWeightsKept;
      const bool kept = kInMarginals ? scaled && (for_marginals || fit_into_cache)
                                     : semiring != Semiring::maximum && fit_into_cache;
      if (kInMarginals && kept) marginals.resize(*parts);
      weights.resize(kept && !kInMarginals ? layout.weight_count() : layout.largest_arc());
      weights_kind = kept ? kind : Weights::none;
      inside(layout, semiring,
             {.weights = weights.data(),
              .values = values.data(),
              .widest = widest,
              .is_filled = is_filled,
              .floor = floor,
              .source = &source,
              .highest = scaled ? highest.data() : nullptr,
              .weights_kept = kept,
              .marginals = &marginals});
    }
  });
}

double TreeDistribution::Impl::log_scale() const {
  const auto sum_over_words = [&](const double* scale) {
    return std::accumulate(scale + 1, scale + parts->words() + 1, 0.0);
  };
  double sum = sum_over_words(highest.data());
  if (contains(parts->factorization(), PartKind::outermost)) {
    sum += sum_over_words(outermost_part(highest.data(), parts->words()));
  }
  return sum;
}

bool TreeDistribution::Impl::try_linear_sum(bool for_marginals) {
  // No weight is above 1, and one that is taken for 0 is below 1e-307. So all trees that underflow has taken
  // from the sum weigh at most (number of trees) * 1e-307 together, which must be nothing beside the sum.
  // (Products of small items are less exact than that only below the smallest normal number, 2e-308, by
  // 5e-324.)
  const double lowest = log_tree_count_bound(parts->arcs()) + std::log(1e-307) - std::log(kNegligibleShare);
  // The sum of a long sentence would have to be above 1, and hardly ever is.
  if (lowest > 0.0) return false;
  sum_semiring = Semiring::linear;
  run_inside(Semiring::linear, sum_values, for_marginals);
  const double z = sum_values.data()[goal_offset()];
  if (!std::isfinite(z) || z <= 0.0 || std::log(z) < lowest) return false;
  log_partition = std::log(z) + log_scale();
  return true;
}

// Gives back to each word what its weights lose, so that sums stay near 1 however long the sentence is. Then
// nothing can be said beforehand about what underflows, so everything is made to leave a trace.
//
// Every sum of products gets a small number more, the floor: a made-up way to build the item out of nothing.
// What underflow takes from a sum is far less (products are off by at most exp(-708), or that times a
// weight), and a weight times the floor does not underflow. So the result is the sum over all true trees and
// some made-up ones.
//
// A made-up tree lacks the heads of the words below the item that is made up. (There is one with nothing
// below it, two neighbours that face each other, but that has the value 1, to which the floor adds nothing.)
// So over all words, the probabilities of heads lack at least the probability of the made-up trees. The same
// is true of whatever the adjoint pass loses, by underflow or because it does not follow items that are next
// to impossible. Overflow, and what comes of it, is reported by the processor.
//
// So if nothing has overflown and little is missing, log Z is off by that little, and probabilities by twice
// that. It is known after the adjoint pass, which therefore belongs to the sum.
bool TreeDistribution::Impl::try_balanced_sum() {
  sum_semiring = Semiring::linear;
  if (log_range() > kLargestRange + kLargestGain) return false;
  if (!add_gains()) return false;
  const double range = log_range();
  if (range > kLargestRange) return false;
  constexpr double kRoom = 60.0;  // for the terms of a sum, which are not that many
  floor = std::exp(-700.0 + std::max(range, gains.largest() + kRoom));
  const OverflowWatch overflow;
  run_inside(Semiring::linear, sum_values, /*for_marginals=*/true, kAnyWidth, /*is_filled=*/true);
  const double z = sum_values.data()[goal_offset()];
  if (overflow.has_happened() || z <= 0.0) return false;
  log_partition = std::log(z) + log_scale();
  run_outside();
  has_marginals = !overflow.has_happened() && missing_probability() < kMostMissing;
  return has_marginals;
}

bool TreeDistribution::Impl::add_gains() {
  const int words = parts->words();
  const int widest = WordGains::widest(words);
  // A span that no tree uses by itself, because it is not all that hangs on its head, says as much about its
  // words.
  with_layout([&]<class Layout>(Layout& layout) {
    if constexpr (!std::is_same_v<Layout, SpanLayout>) layout.choose_possible(used_spans);
  });
  run_inside(Semiring::linear, sum_values, /*for_marginals=*/false, widest);
  gains.assign(words);
  with_layout([&]<class Layout>(Layout& layout) {
    for (int head = 1; head <= words; ++head) {
      for (const Side side : {Side::left, Side::right}) {
        const int reach = std::min(widest, side == Side::right ? words - head : head - 1);
        for (int width = 0; width <= reach; ++width) {
          const Span span = complete_span(side, head, width);
          if (!layout.is_used(span)) continue;
          // Other lanes of a row need not mean anything.
          LaneRange lanes{0, 1};
          if constexpr (!std::is_same_v<Layout, SpanLayout>) lanes = layout.open_lanes(span);
          const double* row = sum_values.data() + layout.at(Same{span}).offset;
          double value = 0.0;
          for (std::ptrdiff_t lane = lanes.first; lane < lanes.last; ++lane) {
            value = std::max(value, row[lane]);
          }
          gains.set(side, head, width, value);
        }
      }
    }
    if constexpr (!std::is_same_v<Layout, SpanLayout>) layout.choose_used(used_spans);
  });
  const std::vector<double>& gain = gains.estimate();
  weights_kind = Weights::none;
  for (int m = 1; m <= words; ++m) highest[m] -= gain[m];
  return gains.largest() < kLargestGain;
}

double TreeDistribution::Impl::log_range() const {
  const bool has_outermost = contains(parts->factorization(), PartKind::outermost);
  const double* outermost = outermost_part(highest.data(), parts->words());
  // A weight is divided by the scales of the outermost parts of a sibling, too.
  const double outermost_scale =
      has_outermost ? *std::max_element(outermost + 1, outermost + parts->words() + 1) : 0.0;
  double range = 0.0;
  for (int arc = 0; arc < parts->arcs().size(); ++arc) {
    double lowest_weight = 0.0;
    for (const PartKind kind : part_kinds(parts->factorization())) {
      double lowest = std::numeric_limits<double>::infinity();
      const std::vector<double>& potential = (*potentials)[kind];
      for (PartIndex::Position i = parts->begin(kind, arc); i < parts->begin(kind, arc + 1); ++i) {
        if (potential[i] > kMinusInfinity && potential[i] < lowest) lowest = potential[i];
      }
      lowest_weight += kind == PartKind::outermost ? std::min(0.0, lowest) : lowest;
    }
    range = std::max(range, highest[parts->arcs()[arc].modifier] - lowest_weight + outermost_scale);
  }
  return range;
}

double TreeDistribution::Impl::missing_probability() const {
  double missing = 0.0;
  for (int m = 1; m <= parts->words(); ++m) {
    double found = 0.0;
    for (const int arc : parts->arcs().incoming(m)) found += marginals.arc[arc];
    if (!(found >= 1.0)) missing += 1.0 - found;
  }
  return missing;
}

void TreeDistribution::Impl::sum(bool for_marginals) {
  if (has_sum) return;
  require_feasible();
  if (arithmetic == Arithmetic::log || (!try_linear_sum(for_marginals) && !try_balanced_sum())) {
    sum_semiring = Semiring::log;
    floor = 0.0;
    run_inside(Semiring::log, sum_values);
    log_partition = sum_values.data()[goal_offset()];
    if (log_partition == kMinusInfinity) {
      feasible = false;
      throw_infeasible();
    }
    if (arithmetic == Arithmetic::linear) {
      throw std::range_error("linear arithmetic cannot represent this distribution; use log or automatic");
    }
  }
  has_sum = true;
}

void TreeDistribution::Impl::maximize() {
  if (has_maximum) return;
  require_feasible();
  run_inside(Semiring::maximum, maximum_values);
  if (maximum_values.data()[goal_offset()] == kMinusInfinity) {
    feasible = false;
    throw_infeasible();
  }
  has_maximum = true;
}

void TreeDistribution::Impl::differentiate() {
  if (has_marginals) return;
  sum(true);
  if (!has_marginals) run_outside();
}

void TreeDistribution::Impl::run_outside() {
  const bool scaled = sum_semiring == Semiring::linear;
  const Weights kind = scaled ? Weights::scaled : Weights::logs;
  marginals.resize(*parts);
  const WeightSource source{*parts, *potentials, root, allowed};
  with_layout([&]<class Layout>(const Layout& layout) {
    adjoints.resize(layout.item_count());
    std::fill_n(adjoints.data(), layout.item_count(), 0.0);
    const std::ptrdiff_t goal = goal_offset();
    adjoints.data()[goal] = scaled ? 1.0 / sum_values.data()[goal] : 1.0;
    if constexpr (std::is_same_v<Layout, SpanLayout>) {
      place_span_weights(kind);
      outside(layout, sum_semiring,
              {.weights = weights.data(), .values = sum_values.data(), .adjoints = adjoints.data()});
      store_marginals(layout, weights.data(), marginals);
    } else {
      const bool kept = weights_kind == kind;
      if (Layout::kItemContexts != Contexts::parents && (floor > 0.0 || !used_spans.has_all_arcs())) {
        // Those of arcs that are impossible, or next to it, are not stored.
        for (const PartKind part : part_kinds(parts->factorization())) {
          std::fill(marginals[part].begin(), marginals[part].end(), 0.0);
        }
      }
      if (!kept) weights.resize(layout.largest_arc());
      outside(layout, sum_semiring,
              {.weights = weights.data(),
               .values = sum_values.data(),
               .adjoints = adjoints.data(),
               .negligible = floor > 0.0 ? kNegligibleProbability : 0.0,
               .source = &source,
               .highest = scaled ? highest.data() : nullptr,
               .weights_kept = kept,
               .marginals = &marginals});
    }
    weights_kind = Weights::none;  // probabilities have taken their place
  });
  has_marginals = true;
}

}  // namespace copse
