#include "copse/inference/tree_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "inference/buffer.h"
#include "inference/descent.h"
#include "inference/k_best.h"
#include "inference/sweep.h"
#include "inference/transfer.h"

namespace copse {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

enum class LayoutChoice { spans, contexts, grand_contexts };

// Rows over all spans are quickest unless most arcs are gone from a long sentence.
LayoutChoice choose_layout(const PartIndex& parts) {
  if (has_grandparents(parts.factorization())) return LayoutChoice::grand_contexts;
  const double words = parts.words();
  const double density = parts.arcs().size() / std::max(1.0, words * words);
  const bool cubic_weights = parts.factorization() == Factorization::sibling;
  return density * words < (cubic_weights ? 12.0 : 6.0) && words > 40 ? LayoutChoice::contexts
                                                                     : LayoutChoice::spans;
}

// Upper bound of the log of the number of trees: there are fewer than 6.75^n projective ones, and no more than
// ways to choose a head for every word.
double log_tree_count_bound(const ArcSet& arcs) {
  double log_choices = 0.0;
  double choices = 1.0;
  for (int m = 1; m <= arcs.words(); ++m) {
    choices *= static_cast<double>(arcs.incoming(m).size());
    if (choices < 1e200) continue;
    log_choices += std::log(choices);
    choices = 1.0;
  }
  return std::min(log_choices + std::log(choices), arcs.words() * std::log(6.75));
}

bool is_projective_tree(std::span<const int> heads) {
  const int n = static_cast<int>(heads.size()) - 1;
  for (int m = 1; m <= n; ++m) {
    if (heads[m] < 0 || heads[m] > n || heads[m] == m) return false;
    int steps = 0;
    for (int at = m; at != 0; at = heads[at]) {
      if (++steps > n) return false;
    }
  }
  for (int m = 1; m <= n; ++m) {
    const auto [low, high] = std::minmax(m, heads[m]);
    for (int between = low + 1; between < high; ++between) {
      if (heads[between] < low || heads[between] > high) return false;
    }
  }
  return true;
}

// The modifier of the same head that stands next to m on the way to the head; the head itself if there is none.
int inner_sibling(std::span<const int> heads, int m) {
  const int head = heads[m];
  const int step = m < head ? 1 : -1;
  int at = m + step;
  while (at != head && heads[at] != head) at += step;
  return at;
}

}  // namespace

struct TreeDistribution::State {
  const PartIndex* parts = nullptr;
  RootMode root = RootMode::multi;
  Constraints constraints;
  Arithmetic arithmetic = Arithmetic::automatic;
  std::vector<std::uint8_t> allowed;  // per arc; empty without constraints

  LayoutChoice layout_choice = LayoutChoice::spans;
  SpanLayout spans;
  ContextLayout<false> contexts;
  ContextLayout<true> grand_contexts;

  const Potentials* potentials = nullptr;
  std::vector<double> highest;
  bool feasible = true;
  int word_without_head = 0;

  // Answers so far.
  bool has_sum = false;
  bool has_maximum = false;
  bool has_marginals = false;
  Semiring sum_semiring = Semiring::linear;
  double log_partition = 0.0;

  // Weights of the highest-order parts. Which kind is there changes with the question: one array of them is
  // large enough, and loading it again from the potentials is cheap beside what follows.
  enum class Weights { none, logs, scaled };
  Weights weights_kind = Weights::none;
  Buffer weights;
  Buffer sum_values;
  Buffer maximum_values;
  Buffer adjoints;
  Marginals marginals;

  std::vector<Item> stack;
  std::vector<double> term_scores;
  KBestSearch k_best;

  // Decoding from arc marginals is first-order decoding.
  PartIndex first_order_parts;
  Potentials first_order_potentials;
  std::unique_ptr<TreeDistribution> first_order;

  template <class F>
  decltype(auto) with_layout(F&& f) {
    switch (layout_choice) {
      case LayoutChoice::spans:
        return f(spans);
      case LayoutChoice::contexts:
        return f(contexts);
      default:
        return f(grand_contexts);
    }
  }
  // Calls f(expansion) for the factorization and layout in use.
  template <class F>
  decltype(auto) with_expansion(F&& f) {
    return with_layout([&]<class Layout>(const Layout& layout) -> decltype(auto) {
      constexpr bool kGrandparents = std::is_same_v<Layout, ContextLayout<true>>;
      if (has_siblings(parts->factorization())) {
        return f(Expansion<HWY_NAMESPACE::Recursion<true, kGrandparents>, Layout>(layout));
      }
      return f(Expansion<HWY_NAMESPACE::Recursion<false, kGrandparents>, Layout>(layout));
    });
  }
  std::ptrdiff_t goal_offset() {
    return with_expansion([](const auto& expansion) { return expansion.offset(expansion.goal()); });
  }

  void expect_heads(std::size_t size) const;
  void apply_constraints();
  void require_feasible() const;
  [[noreturn]] void throw_infeasible() const;
  void require_weights(Weights kind);
  void run_inside(Semiring semiring, Buffer& values);
  bool try_linear_sum();
  void sum();
  void maximize();
  void differentiate();
  Weights sum_weights() const { return sum_semiring == Semiring::linear ? Weights::scaled : Weights::logs; }
};

void TreeDistribution::State::expect_heads(std::size_t size) const {
  if (size == static_cast<std::size_t>(parts->words()) + 1) return;
  throw std::invalid_argument(
      fmt::format("{} heads for a sentence of {} words, not {}", size, parts->words(), parts->words() + 1));
}

void TreeDistribution::State::apply_constraints() {
  const ArcSet& arcs = parts->arcs();
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

void TreeDistribution::State::throw_infeasible() const {
  if (word_without_head > 0) {
    throw InfeasibleError(fmt::format("no tree is possible: word {} has no possible head", word_without_head));
  }
  throw InfeasibleError(
      fmt::format("no tree is possible: the candidate arcs of the {} words contain no projective tree with {}",
                  parts->words(), root == RootMode::single ? "a single root" : "any number of roots"));
}

void TreeDistribution::State::require_feasible() const {
  if (!feasible) throw_infeasible();
}

void TreeDistribution::State::require_weights(Weights kind) {
  if (weights_kind == kind) return;
  with_layout([&](const auto& layout) {
    weights.resize(layout.weight_count());
    place_weights(layout, {*parts, *potentials, root, allowed},
                  kind == Weights::scaled ? highest.data() : nullptr, weights.data());
  });
  weights_kind = kind;
}

void TreeDistribution::State::run_inside(Semiring semiring, Buffer& values) {
  require_weights(semiring == Semiring::linear ? Weights::scaled : Weights::logs);
  with_layout([&](const auto& layout) {
    values.resize(layout.item_count());
    inside(layout, parts->factorization(), semiring, {weights.data(), values.data(), nullptr, nullptr});
  });
}

bool TreeDistribution::State::try_linear_sum() {
  sum_semiring = Semiring::linear;
  run_inside(Semiring::linear, sum_values);
  const double z = sum_values.data()[goal_offset()];
  if (!std::isfinite(z) || z <= 0.0) return false;
  // No weight is above 1, so whatever has underflowed anywhere weighs at most (number of trees) * 1e-300 in
  // all. It must be nothing beside the sum.
  if (std::log(z) < log_tree_count_bound(parts->arcs()) + std::log(1e-300) - std::log(1e-14)) return false;
  log_partition = std::log(z);
  for (int m = 1; m <= parts->words(); ++m) log_partition += highest[m];
  return true;
}

void TreeDistribution::State::sum() {
  if (has_sum) return;
  require_feasible();
  if (arithmetic == Arithmetic::log || !try_linear_sum()) {
    sum_semiring = Semiring::log;
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

void TreeDistribution::State::maximize() {
  if (has_maximum) return;
  require_feasible();
  run_inside(Semiring::maximum, maximum_values);
  if (maximum_values.data()[goal_offset()] == kMinusInfinity) {
    feasible = false;
    throw_infeasible();
  }
  has_maximum = true;
}

void TreeDistribution::State::differentiate() {
  if (has_marginals) return;
  sum();
  with_layout([&](const auto& layout) {
    adjoints.resize(layout.item_count());
    std::fill_n(adjoints.data(), layout.item_count(), 0.0);
    const std::ptrdiff_t goal = goal_offset();
    adjoints.data()[goal] = sum_semiring == Semiring::linear ? 1.0 / sum_values.data()[goal] : 1.0;
    // A part's probability takes the place of its weight, which is used for the last time there.
    require_weights(sum_weights());
    outside(layout, parts->factorization(), sum_semiring,
            {weights.data(), sum_values.data(), adjoints.data(), weights.data()});
    weights_kind = Weights::none;
    marginals.arc.resize(parts->arc_count());
    marginals.sibling.resize(parts->sibling_count());
    marginals.grandchild.resize(parts->grandchild_count());
    marginals.grandsibling.resize(parts->grandsibling_count());
    store_marginals(layout, weights.data(), marginals);
  });
  has_marginals = true;
}

TreeDistribution::TreeDistribution() : state_(std::make_unique<State>()) {}
TreeDistribution::~TreeDistribution() = default;
TreeDistribution::TreeDistribution(TreeDistribution&&) noexcept = default;
TreeDistribution& TreeDistribution::operator=(TreeDistribution&&) noexcept = default;

void TreeDistribution::assign(const PartIndex& parts, const Potentials& potentials, RootMode root,
                              const Constraints& constraints, Arithmetic arithmetic) {
  State& s = *state_;
  const auto expect = [](std::size_t found, PartIndex::Position wanted, const char* what) {
    if (found != static_cast<std::size_t>(wanted)) {
      throw std::invalid_argument(fmt::format("{} {} potentials for {} parts", found, what, wanted));
    }
  };
  expect(potentials.arc.size(), parts.arc_count(), "arc");
  expect(potentials.sibling.size(), parts.sibling_count(), "sibling");
  expect(potentials.grandchild.size(), parts.grandchild_count(), "grandchild");
  expect(potentials.grandsibling.size(), parts.grandsibling_count(), "grandsibling");

  if (parts.words() < 1) throw std::invalid_argument("a sentence needs at least one word");

  s.parts = &parts;
  s.root = root;
  s.constraints.heads.assign(constraints.heads.begin(), constraints.heads.end());
  s.constraints.forbidden.assign(constraints.forbidden.begin(), constraints.forbidden.end());
  s.arithmetic = arithmetic;
  // No rule has more terms than words, and no tree more items than four a word.
  s.term_scores.reserve(parts.words() + 1);
  s.stack.reserve(4 * static_cast<std::size_t>(parts.words() + 1));
  s.has_sum = s.has_maximum = s.has_marginals = false;
  s.apply_constraints();
  s.potentials = &potentials;
  s.layout_choice = choose_layout(parts);
  s.highest.resize(SpanLayout::padded_words(parts.words()));
  s.weights_kind = State::Weights::none;
  s.with_layout([&](auto& layout) { layout.assign(parts, root); });
  if (!find_highest({parts, potentials, root, s.allowed}, s.highest.data())) {
    throw std::invalid_argument("a potential is not a number, or plus infinity");
  }
  s.feasible = true;
  s.word_without_head = 0;
  for (int m = 1; m <= parts.words() && s.feasible; ++m) {
    if (s.highest[m] > kMinusInfinity) continue;
    s.feasible = false;
    s.word_without_head = m;
  }
}

double TreeDistribution::log_partition() {
  state_->sum();
  return state_->log_partition;
}

const Marginals& TreeDistribution::marginals() {
  state_->differentiate();
  return state_->marginals;
}

double TreeDistribution::entropy() {
  State& s = *state_;
  s.differentiate();
  double expected_score = 0.0;
  const auto add = [&](const std::vector<double>& probabilities, const std::vector<double>& potentials) {
    for (std::size_t p = 0; p < probabilities.size(); ++p) {
      if (probabilities[p] > 0.0) expected_score += probabilities[p] * potentials[p];
    }
  };
  add(s.marginals.arc, s.potentials->arc);
  add(s.marginals.sibling, s.potentials->sibling);
  add(s.marginals.grandchild, s.potentials->grandchild);
  add(s.marginals.grandsibling, s.potentials->grandsibling);
  return std::max(0.0, s.log_partition - expected_score);
}

double TreeDistribution::best_tree(std::span<int> heads) {
  State& s = *state_;
  s.expect_heads(heads.size());
  s.maximize();
  s.require_weights(State::Weights::logs);
  const double* weights = s.weights.data();
  const double* values = s.maximum_values.data();
  s.with_expansion([&](const auto& expansion) {
    descend(expansion, s.stack, heads, [&](const Item& item) {
      double best = kMinusInfinity;
      Term best_term{};
      expansion.expand(item, [&](const Term& term) {
        double score = term.weight == Term::kNoWeight ? 0.0 : weights[term.weight];
        for (int i = 0; i < term.operand_count; ++i) score += values[expansion.offset(term.operands[i])];
        if (score > best) {
          best = score;
          best_term = term;
        }
      });
      return best_term;
    });
  });
  return values[s.goal_offset()];
}

void TreeDistribution::k_best(int k, std::vector<ScoredTree>& trees) {
  State& s = *state_;
  s.maximize();
  s.require_weights(State::Weights::logs);
  s.with_expansion([&](const auto& expansion) {
    s.k_best.run(expansion, s.weights.data(), s.maximum_values.data(), k, s.parts->words(), trees);
  });
}

double TreeDistribution::sample(std::mt19937_64& random, std::span<int> heads) {
  State& s = *state_;
  s.expect_heads(heads.size());
  s.sum();
  const bool linear = s.sum_semiring == Semiring::linear;
  s.require_weights(s.sum_weights());
  const double* weights = s.weights.data();
  const double* values = s.sum_values.data();
  // 53 random bits; the standard distributions may differ from library to library.
  const auto uniform = [&random] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  s.with_expansion([&](const auto& expansion) {
    descend(expansion, s.stack, heads, [&](const Item& item) {
      const double value = values[expansion.offset(item)];
      double total = 0.0;
      s.term_scores.clear();
      expansion.expand(item, [&](const Term& term) {
        double share = linear ? 1.0 : -value;
        if (term.weight != Term::kNoWeight) share = linear ? share * weights[term.weight] : share + weights[term.weight];
        for (int i = 0; i < term.operand_count; ++i) {
          const double operand = values[expansion.offset(term.operands[i])];
          share = linear ? share * operand : share + operand;
        }
        if (!linear) share = std::exp(share);
        total += share;
        s.term_scores.push_back(share);
      });
      double threshold = uniform() * total;
      std::size_t chosen = 0;
      std::size_t last_possible = 0;
      for (; chosen < s.term_scores.size(); ++chosen) {
        if (s.term_scores[chosen] > 0.0) last_possible = chosen;
        threshold -= s.term_scores[chosen];
        if (threshold < 0.0) break;
      }
      if (chosen == s.term_scores.size()) chosen = last_possible;
      Term result{};
      std::size_t at = 0;
      expansion.expand(item, [&](const Term& term) {
        if (at++ == chosen) result = term;
      });
      return result;
    });
  });
  return score(heads);
}

double TreeDistribution::min_risk_tree(std::span<int> heads) {
  State& s = *state_;
  s.expect_heads(heads.size());
  s.differentiate();
  s.first_order_parts.assign(s.parts->arcs(), Factorization::first);
  s.first_order_potentials.arc.assign(s.marginals.arc.begin(), s.marginals.arc.end());
  if (!s.first_order) s.first_order = std::make_unique<TreeDistribution>();
  s.first_order->assign(s.first_order_parts, s.first_order_potentials, s.root, s.constraints);
  return s.first_order->best_tree(heads);
}

double TreeDistribution::score(std::span<const int> heads) const {
  const State& s = *state_;
  const PartIndex& parts = *s.parts;
  const Potentials& potentials = *s.potentials;
  const ArcSet& arcs = parts.arcs();
  s.expect_heads(heads.size());
  if (!is_projective_tree(heads)) return kMinusInfinity;
  double sum = 0.0;
  int roots = 0;
  for (int m = 1; m <= parts.words(); ++m) {
    const int head = heads[m];
    if (head == 0) ++roots;
    const int grandparent = head == 0 ? 0 : heads[head];
    const int arc = arcs.find(head, m);
    if (arc == ArcSet::kNone || (!s.allowed.empty() && !s.allowed[arc])) return kMinusInfinity;
    sum += potentials.arc[arc];
    const int sibling = inner_sibling(heads, m);
    if (has_siblings(parts.factorization())) sum += potentials.sibling[parts.sibling(head, sibling, m)];
    if (has_grandparents(parts.factorization())) {
      sum += potentials.grandchild[parts.grandchild(grandparent, head, m)];
    }
    if (parts.factorization() == Factorization::grandsibling) {
      sum += potentials.grandsibling[parts.grandsibling(grandparent, head, sibling, m)];
    }
  }
  return s.root == RootMode::single && roots != 1 ? kMinusInfinity : sum;
}

double TreeDistribution::log_probability(std::span<const int> heads) {
  const double log_z = log_partition();
  // Not above 0 by rounding either.
  return std::min(0.0, score(heads) - log_z);
}

Arithmetic TreeDistribution::arithmetic_used() const {
  return state_->sum_semiring == Semiring::linear ? Arithmetic::linear : Arithmetic::log;
}

}  // namespace copse
