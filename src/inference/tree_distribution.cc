#include "copse/inference/tree_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "inference/nonprojective_distribution.h"
#include "inference/tree_distribution_impl.h"
#include "inference/tree_parts.h"
#include "numeric/numbers.h"
#include "trees/heads.h"

namespace copse {
TreeDistribution::TreeDistribution() : impl_(std::make_unique<Impl>()) {}
TreeDistribution::~TreeDistribution() = default;
TreeDistribution::TreeDistribution(TreeDistribution&&) noexcept = default;
TreeDistribution& TreeDistribution::operator=(TreeDistribution&&) noexcept = default;

void TreeDistribution::assign(const PartIndex& parts, const Potentials& potentials, TreeSpace trees,
                              const Constraints& constraints, Arithmetic arithmetic) {
  is_nonprojective_ = trees.kind == TreeKind::nonprojective;
  if (!is_nonprojective_) {
    impl_->assign(parts, potentials, trees.root, constraints, arithmetic);
    return;
  }
  if (!nonprojective_) nonprojective_ = std::make_unique<NonprojectiveDistribution>();
  nonprojective_->assign(parts, potentials, trees.root, constraints, arithmetic);
}

double TreeDistribution::log_partition() {
  if (is_nonprojective_) return nonprojective_->log_partition();
  impl_->sum();
  return impl_->log_partition;
}

const Marginals& TreeDistribution::marginals() {
  if (is_nonprojective_) return nonprojective_->marginals();
  impl_->differentiate();
  return impl_->marginals;
}

void TreeDistribution::move_marginals_to(Marginals& marginals) {
  if (is_nonprojective_) return nonprojective_->move_marginals_to(marginals);
  impl_->differentiate();
  std::swap(impl_->marginals, marginals);
  impl_->has_marginals = false;
}

double TreeDistribution::entropy() {
  if (is_nonprojective_) return nonprojective_->entropy();
  Impl& s = *impl_;
  s.differentiate();
  double expected_score = 0.0;
  for (const PartKind kind : part_kinds(s.parts->factorization())) {
    const std::vector<double>& probabilities = s.marginals[kind];
    const std::vector<double>& potentials = (*s.potentials)[kind];
    for (std::size_t p = 0; p < probabilities.size(); ++p) {
      if (probabilities[p] > 0.0) expected_score += probabilities[p] * potentials[p];
    }
  }
  return std::max(0.0, s.log_partition - expected_score);
}

double TreeDistribution::best_tree(std::span<int> heads) {
  if (is_nonprojective_) return nonprojective_->best_tree(heads);
  Impl& s = *impl_;
  s.expect_heads(heads.size());
  s.maximize();
  const double* values = s.maximum_values.data();
  s.with_expansion(Semiring::maximum, [&](const auto& expansion) {
    descend(expansion, s.stack, heads, [&](const Item& item) {
      double best = kMinusInfinity;
      Term best_term{};
      expansion.expand(item, [&](const Term& term) {
        double score = term.weight;
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
  if (is_nonprojective_) return nonprojective_->k_best(k, trees);
  Impl& s = *impl_;
  s.maximize();
  s.with_expansion(Semiring::maximum, [&](const auto& expansion) {
    s.k_best.run(expansion, s.maximum_values.data(), k, s.parts->words(), trees);
  });
}

double TreeDistribution::sample(std::mt19937_64& random, std::span<int> heads) {
  if (is_nonprojective_) return nonprojective_->sample(random, heads);
  Impl& s = *impl_;
  s.expect_heads(heads.size());
  s.sum();
  const bool linear = s.sum_semiring == Semiring::linear;
  const double* values = s.sum_values.data();
  // 53 random bits; the standard distributions may differ from library to library.
  const auto uniform = [&random] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  s.with_expansion(s.sum_semiring, [&](const auto& expansion) {
    descend(expansion, s.stack, heads, [&](const Item& item) {
      const double value = values[expansion.offset(item)];
      double total = 0.0;
      s.term_scores.clear();
      expansion.expand(item, [&](const Term& term) {
        double share = linear ? term.weight : term.weight - value;
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
  const double result = score(heads);
  // Balanced sums contain made-up items. They are next to impossible, but one could lead to what is no tree.
  return s.floor > 0.0 && result == kMinusInfinity ? sample(random, heads) : result;
}

double TreeDistribution::min_risk_tree(std::span<int> heads) {
  if (is_nonprojective_) return nonprojective_->min_risk_tree(heads);
  Impl& s = *impl_;
  s.expect_heads(heads.size());
  s.differentiate();
  s.first_order_parts.assign(s.parts->arcs(), Factorization::first);
  s.first_order_potentials.arc.assign(s.marginals.arc.begin(), s.marginals.arc.end());
  if (!s.first_order) s.first_order = std::make_unique<TreeDistribution>();
  s.first_order->assign(s.first_order_parts, s.first_order_potentials, s.root, s.constraints);
  return s.first_order->best_tree(heads);
}

double TreeDistribution::score(std::span<const int> heads) const {
  if (is_nonprojective_) return nonprojective_->score(heads);
  Impl& s = *impl_;
  s.expect_heads(heads.size());
  const PartIndex& parts = *s.parts;
  const Potentials& potentials = *s.potentials;
  if (!is_tree(heads, s.walk) || !is_projective(heads)) return kMinusInfinity;
  // First all arcs: only then do all parts of higher order exist.
  double sum = 0.0;
  int roots = 0;
  for (int m = 1; m <= parts.words(); ++m) {
    const int arc = parts.arcs().find(heads[m], m);
    if (arc == ArcSet::kNone || (!s.allowed.empty() && !s.allowed[arc])) return kMinusInfinity;
    sum += potentials.arc[arc];
    if (heads[m] == 0) ++roots;
  }
  if (s.root == RootMode::single && roots != 1) return kMinusInfinity;
  for_each_part_of_tree(heads, parts.factorization(), [&](PartKind kind, const PartWords& words) {
    if (kind != PartKind::arc) sum += potentials[kind][parts.find(kind, words)];
  });
  return sum;
}

double TreeDistribution::log_probability(std::span<const int> heads) {
  const double log_z = log_partition();
  // Not above 0 by rounding either.
  return std::min(0.0, score(heads) - log_z);
}

Arithmetic TreeDistribution::arithmetic_used() const {
  if (is_nonprojective_) return nonprojective_->arithmetic_used();
  return impl_->sum_semiring == Semiring::linear ? Arithmetic::linear : Arithmetic::log;
}

}  // namespace copse
