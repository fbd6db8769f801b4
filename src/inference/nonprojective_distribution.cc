#include "inference/nonprojective_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <stdexcept>
#include <utility>

#include "inference/arborescence_sums.h"
#include "inference/maximum_arborescence.h"
#include "inference/potential_errors.h"
#include "numeric/numbers.h"
#include "trees/heads.h"

namespace copse {
namespace {

// Weights are scaled so that the incoming arcs of each word sum up to 1. In linear arithmetic each of the n³
// operations may lose 2e-308 by underflow. Divisions by small numbers, whose product is known, let it grow:
// in the sum by that product squared (once because the sum itself is as small, once because with a single
// root the arcs from it are divided by numbers that they are no part of), in probabilities by its fourth
// power. One n more is for the arcs from the root, of which each depends on all.
bool is_exact_enough(double log_underflow_bound, int words) {
  const double log_loss = std::log(std::numeric_limits<double>::min()) + 4.0 * std::log(words);
  return log_loss - 4.0 * log_underflow_bound < std::log(1e-12);
}

}  // namespace

struct NonprojectiveDistribution::Impl {
  const PartIndex* parts = nullptr;  // null: no problem has been assigned, or the last one was refused
  RootMode root = RootMode::multi;
  Arithmetic arithmetic = Arithmetic::automatic;
  int words = 0;
  // Matrices have n + 1 rows of n + 1 numbers: [m][h] is that of the arc from h to m.
  std::vector<double> scores;        // minus infinity where there is no arc
  std::vector<double> weights;       // as log_sum was computed: scaled, linear or log
  std::vector<double> log_incoming;  // by word: log of the sum of the exponentials of all scores

  bool has_sum = false;
  bool has_marginals = false;
  bool is_linear = true;
  double log_sum = 0.0;  // of the scaled weights
  ArborescenceSums<LinearNumbers> linear;
  ArborescenceSums<LogNumbers> log;
  std::vector<double> probabilities;
  Marginals marginals;

  MaximumArborescence maximum;
  std::vector<double> restricted_scores;
  std::vector<int> tree;
  std::vector<int> walk;  // of is_tree()

  std::size_t at(int modifier, int head) const {
    return static_cast<std::size_t>(modifier) * static_cast<std::size_t>(words + 1) +
           static_cast<std::size_t>(head);
  }

  void assign(const PartIndex& new_parts, const Potentials& potentials, RootMode new_root,
              const Constraints& constraints, Arithmetic new_arithmetic);
  void require_assigned() const;
  void expect_heads(std::size_t size) const;
  void constrain(const Constraints& constraints);
  [[noreturn]] void throw_infeasible() const;
  template <class Numbers>
  double sum_with(ArborescenceSums<Numbers>& sums);
  void sum();
  void sum_in_logs();
  void differentiate();
  double log_incoming_of_all() const;
  double score_of(std::span<const int> heads) const;
  double maximize(std::span<const double> matrix, std::span<int> heads);
};

void NonprojectiveDistribution::Impl::assign(const PartIndex& new_parts, const Potentials& potentials,
                                             RootMode new_root, const Constraints& constraints,
                                             Arithmetic new_arithmetic) {
  parts = nullptr;
  has_sum = has_marginals = false;
  if (new_parts.words() < 1) throw std::invalid_argument("a sentence needs at least one word");
  if (new_parts.factorization() != Factorization::first) {
    throw std::invalid_argument("nonprojective trees have parts of first order only");
  }
  if (potentials.arc.size() != static_cast<std::size_t>(new_parts.count(PartKind::arc))) {
    throw std::invalid_argument(
        fmt::format("{} arc potentials for {} parts", potentials.arc.size(), new_parts.count(PartKind::arc)));
  }
  root = new_root;
  arithmetic = new_arithmetic;
  words = new_parts.words();
  const std::size_t size = static_cast<std::size_t>(words) + 1;
  scores.assign(size * size, kMinusInfinity);
  for (int arc = 0; arc < new_parts.arcs().size(); ++arc) {
    const double score = potentials.arc[arc];
    if (!(score <= kLargestPotential)) throw std::invalid_argument(kBadPotential);
    scores[at(new_parts.arcs()[arc].modifier, new_parts.arcs()[arc].head)] = score;
  }
  constrain(constraints);
  parts = &new_parts;
}

void NonprojectiveDistribution::Impl::constrain(const Constraints& constraints) {
  if (!constraints.heads.empty()) {
    if (constraints.heads.size() != static_cast<std::size_t>(words) + 1) {
      throw std::invalid_argument(fmt::format("{} required heads for a sentence of {} words, not {}",
                                              constraints.heads.size(), words, words + 1));
    }
    for (int m = 1; m <= words; ++m) {
      if (constraints.heads[m] == Constraints::kAnyHead) continue;
      for (int h = 0; h <= words; ++h) {
        if (h != constraints.heads[m]) scores[at(m, h)] = kMinusInfinity;
      }
    }
  }
  for (const Arc& arc : constraints.forbidden) {
    // Arcs that no sentence can have are ignored, as are those that this one has not.
    const bool is_inside = std::min(arc.head, arc.modifier) >= 0 && std::max(arc.head, arc.modifier) <= words;
    if (is_inside) scores[at(arc.modifier, arc.head)] = kMinusInfinity;
  }
}

void NonprojectiveDistribution::Impl::require_assigned() const {
  if (parts == nullptr) throw std::logic_error("assign() must be called before questions to a distribution");
}

void NonprojectiveDistribution::Impl::expect_heads(std::size_t size) const {
  require_assigned();
  if (size == static_cast<std::size_t>(words) + 1) return;
  throw std::invalid_argument(
      fmt::format("{} heads for a sentence of {} words, not {}", size, words, words + 1));
}

void NonprojectiveDistribution::Impl::throw_infeasible() const {
  for (int m = 1; m <= words; ++m) {
    const auto row = scores.begin() + static_cast<std::ptrdiff_t>(at(m, 0));
    if (std::all_of(row, row + words + 1, [](double score) { return score == kMinusInfinity; })) {
      throw InfeasibleError(fmt::format("no tree is possible: word {} has no possible head", m));
    }
  }
  throw InfeasibleError(
      fmt::format("no tree is possible: the candidate arcs of the {} words contain no tree with {}", words,
                  root == RootMode::single ? "a single root" : "any number of roots"));
}

template <class Numbers>
double NonprojectiveDistribution::Impl::sum_with(ArborescenceSums<Numbers>& sums) {
  weights.resize(scores.size());
  for (int m = 1; m <= words; ++m) {
    for (int h = 0; h <= words; ++h) {
      const double score = scores[at(m, h)];
      weights[at(m, h)] =
          score == kMinusInfinity ? Numbers::kZero : Numbers::from_log(score - log_incoming[m]);
    }
  }
  return sums.assign(words, root, weights);
}

void NonprojectiveDistribution::Impl::sum() {
  if (has_sum) return;
  require_assigned();
  log_incoming.assign(static_cast<std::size_t>(words) + 1, 0.0);
  for (int m = 1; m <= words; ++m) {
    const auto row = scores.begin() + static_cast<std::ptrdiff_t>(at(m, 0));
    const double highest = *std::max_element(row, row + words + 1);
    if (highest == kMinusInfinity) throw_infeasible();
    double total = 0.0;
    for (int h = 0; h <= words; ++h) total += std::exp(row[h] - highest);
    log_incoming[m] = highest + std::log(total);
  }
  if (!std::isfinite(log_incoming_of_all())) throw std::invalid_argument(kOverflow);
  is_linear = arithmetic != Arithmetic::log;
  if (is_linear) {
    log_sum = sum_with(linear);
    is_linear = log_sum > kMinusInfinity && is_exact_enough(linear.log_underflow_bound(), words);
  }
  if (!is_linear) sum_in_logs();
  has_sum = true;
}

void NonprojectiveDistribution::Impl::sum_in_logs() {
  is_linear = false;
  log_sum = sum_with(log);
  if (log_sum == kMinusInfinity) throw_infeasible();
  if (arithmetic == Arithmetic::linear) {
    throw std::range_error("linear arithmetic cannot represent this distribution; use log or automatic");
  }
}

void NonprojectiveDistribution::Impl::differentiate() {
  if (has_marginals) return;
  sum();
  probabilities.resize(scores.size());
  if (is_linear) {
    linear.marginals(probabilities);
    // Other orders of elimination may divide by smaller numbers.
    if (!is_exact_enough(linear.log_underflow_bound(), words)) sum_in_logs();
  }
  if (!is_linear) log.marginals(probabilities);
  const ArcSet& arcs = parts->arcs();
  marginals.arc.resize(static_cast<std::size_t>(arcs.size()));
  for (int arc = 0; arc < arcs.size(); ++arc) {
    marginals.arc[arc] = probabilities[at(arcs[arc].modifier, arcs[arc].head)];
  }
  has_marginals = true;
}

double NonprojectiveDistribution::Impl::log_incoming_of_all() const {
  double total = 0.0;
  for (int m = 1; m <= words; ++m) total += log_incoming[m];
  return total;
}

double NonprojectiveDistribution::Impl::score_of(std::span<const int> heads) const {
  double total = 0.0;
  for (int m = 1; m <= words; ++m) total += scores[at(m, heads[m])];
  return total;
}

double NonprojectiveDistribution::Impl::maximize(std::span<const double> matrix, std::span<int> heads) {
  if (!maximum.find(words, root, matrix, heads)) throw_infeasible();
  double total = 0.0;
  for (int m = 1; m <= words; ++m) total += matrix[at(m, heads[m])];
  return total;
}

NonprojectiveDistribution::NonprojectiveDistribution() : impl_(std::make_unique<Impl>()) {}
NonprojectiveDistribution::~NonprojectiveDistribution() = default;
NonprojectiveDistribution::NonprojectiveDistribution(NonprojectiveDistribution&&) noexcept = default;
NonprojectiveDistribution& NonprojectiveDistribution::operator=(NonprojectiveDistribution&&) noexcept =
    default;

void NonprojectiveDistribution::assign(const PartIndex& parts, const Potentials& potentials, RootMode root,
                                       const Constraints& constraints, Arithmetic arithmetic) {
  impl_->assign(parts, potentials, root, constraints, arithmetic);
}

double NonprojectiveDistribution::log_partition() {
  impl_->sum();
  return impl_->log_sum + impl_->log_incoming_of_all();
}

void NonprojectiveDistribution::move_marginals_to(Marginals& marginals) {
  impl_->differentiate();
  std::swap(impl_->marginals, marginals);
  impl_->has_marginals = false;
}

const Marginals& NonprojectiveDistribution::marginals() {
  impl_->differentiate();
  return impl_->marginals;
}

double NonprojectiveDistribution::entropy() {
  Impl& s = *impl_;
  s.differentiate();
  // Of the scaled distribution, which is the same one, but has no large numbers.
  double expected_score = 0.0;
  for (int m = 1; m <= s.words; ++m) {
    for (int h = 0; h <= s.words; ++h) {
      const double probability = h == m ? 0.0 : s.probabilities[s.at(m, h)];
      if (probability > 0.0) expected_score += probability * (s.scores[s.at(m, h)] - s.log_incoming[m]);
    }
  }
  return std::max(0.0, s.log_sum - expected_score);
}

double NonprojectiveDistribution::best_tree(std::span<int> heads) {
  impl_->expect_heads(heads.size());
  return impl_->maximize(impl_->scores, heads);
}

// Murty's and Lawler's partition: all trees but the best one of a set agree with it up to some word, and have
// another head there. That makes disjoint sets, in each of which the best tree is found.
void NonprojectiveDistribution::k_best(int k, std::vector<ScoredTree>& trees) {
  Impl& s = *impl_;
  s.require_assigned();
  struct Subset {
    ScoredTree best;
    int agreed = 0;              // all its trees agree with the best one in the words up to this
    std::vector<int> forbidden;  // heads of the word after these
  };
  const auto is_worse = [](const Subset& a, const Subset& b) { return a.best.score < b.best.score; };
  std::priority_queue<Subset, std::vector<Subset>, decltype(is_worse)> subsets(is_worse);
  Subset all;
  all.best.heads.resize(static_cast<std::size_t>(s.words) + 1);
  all.best.score = s.maximize(s.scores, all.best.heads);
  subsets.push(std::move(all));
  std::size_t found = 0;
  while (found < static_cast<std::size_t>(std::max(k, 0)) && !subsets.empty()) {
    const Subset subset = subsets.top();
    subsets.pop();
    if (trees.size() <= found) trees.emplace_back();
    trees[found] = subset.best;
    if (++found == static_cast<std::size_t>(k)) break;
    std::vector<double>& scores = s.restricted_scores;
    scores.assign(s.scores.begin(), s.scores.end());
    const auto require = [&](int m) {
      for (int h = 0; h <= s.words; ++h) {
        if (h != subset.best.heads[m]) scores[s.at(m, h)] = kMinusInfinity;
      }
    };
    for (int m = 1; m <= subset.agreed; ++m) require(m);
    for (int m = subset.agreed + 1; m <= s.words; ++m) {
      Subset part;
      part.agreed = m - 1;
      if (part.agreed == subset.agreed) part.forbidden = subset.forbidden;
      part.forbidden.push_back(subset.best.heads[m]);
      for (const int h : part.forbidden) scores[s.at(m, h)] = kMinusInfinity;
      part.best.heads.resize(subset.best.heads.size());
      if (s.maximum.find(s.words, s.root, scores, part.best.heads)) {
        part.best.score = s.score_of(part.best.heads);
        subsets.push(std::move(part));
      }
      scores[s.at(m, subset.best.heads[m])] = s.scores[s.at(m, subset.best.heads[m])];
      require(m);
    }
  }
  trees.resize(found);
}

double NonprojectiveDistribution::sample(std::mt19937_64& random, std::span<int> heads) {
  Impl& s = *impl_;
  s.expect_heads(heads.size());
  s.sum();
  if (s.is_linear) {
    s.linear.sample(random, heads);
  } else {
    s.log.sample(random, heads);
  }
  return s.score_of(heads);
}

double NonprojectiveDistribution::min_risk_tree(std::span<int> heads) {
  Impl& s = *impl_;
  s.expect_heads(heads.size());
  s.differentiate();
  s.restricted_scores.resize(s.scores.size());
  for (std::size_t arc = 0; arc < s.scores.size(); ++arc) {
    s.restricted_scores[arc] = s.scores[arc] == kMinusInfinity ? kMinusInfinity : s.probabilities[arc];
  }
  return s.maximize(s.restricted_scores, heads);
}

double NonprojectiveDistribution::score(std::span<const int> heads) const {
  Impl& s = *impl_;
  s.expect_heads(heads.size());
  const bool has_right_roots =
      s.root == RootMode::multi || std::count(heads.begin() + 1, heads.end(), 0) == 1;
  return is_tree(heads, s.walk) && has_right_roots ? s.score_of(heads) : kMinusInfinity;
}

double NonprojectiveDistribution::log_probability(std::span<const int> heads) {
  const double log_z = log_partition();
  // Not above 0 by rounding either.
  return std::min(0.0, score(heads) - log_z);
}

Arithmetic NonprojectiveDistribution::arithmetic_used() const {
  return impl_->is_linear ? Arithmetic::linear : Arithmetic::log;
}

}  // namespace copse
