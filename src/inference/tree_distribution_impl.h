// What a TreeDistribution remembers: the problem, the layout of its charts, and the answers so far.
#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "inference/buffer.h"
#include "inference/descent.h"
#include "inference/k_best.h"
#include "inference/sweep.h"
#include "inference/transfer.h"
#include "inference/word_gains.h"

namespace copse {

enum class LayoutChoice { spans, contexts, grand_contexts, outermost_contexts, augmented_contexts };

struct TreeDistribution::Impl {
  static constexpr int kAnyWidth = std::numeric_limits<int>::max();

  const PartIndex* parts = nullptr;  // null: no problem has been assigned, or the last one was refused
  RootMode root = RootMode::multi;
  Constraints constraints;
  Arithmetic arithmetic = Arithmetic::automatic;
  std::vector<std::uint8_t> allowed;  // per arc; empty without constraints

  LayoutChoice layout_choice = LayoutChoice::spans;
  SpanLayout spans;
  ContextLayout<Contexts::none> contexts;
  ContextLayout<Contexts::parents> grand_contexts;
  ContextLayout<Contexts::parents_of_complete> outermost_contexts;
  ContextLayout<Contexts::parents_and_siblings> augmented_contexts;
  SpanLayout::Tables span_tables;
  ContextTables context_tables;
  UsedSpans used_spans;

  const Potentials* potentials = nullptr;
  std::vector<double> highest;
  bool feasible = true;
  int word_without_head = 0;

  // Answers so far.
  bool has_sum = false;
  bool has_maximum = false;
  bool has_marginals = false;
  Semiring sum_semiring = Semiring::linear;
  double floor = 0.0;  // of all items of linear sums; not 0: see try_balanced_sum()
  double log_partition = 0.0;

  // What the array of weights holds now; it changes with the question. One array is large enough, and loading
  // it again from the potentials is cheap beside what follows.
  enum class Weights { none, logs, scaled };
  Weights weights_kind = Weights::none;
  Buffer weights;
  Buffer sum_values;
  Buffer maximum_values;
  Buffer adjoints;
  Marginals marginals;

  std::vector<Item> stack;
  std::vector<int> walk;  // of is_tree()
  std::vector<double> term_scores;
  KBestSearch k_best;
  WordGains gains;

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
      case LayoutChoice::outermost_contexts:
        return f(outermost_contexts);
      case LayoutChoice::augmented_contexts:
        return f(augmented_contexts);
      default:
        return f(grand_contexts);
    }
  }
  // Calls f(expansion) for the factorization and layout in use, with weights in the arithmetic of a semiring.
  template <class F>
  decltype(auto) with_expansion(Semiring semiring, F&& f) {
    const bool scaled = semiring == Semiring::linear;
    if (layout_choice == LayoutChoice::spans) place_span_weights(scaled ? Weights::scaled : Weights::logs);
    const WeightSource source{*parts, *potentials, root, allowed};
    const TermWeights term_weights{one_of(semiring), weights.data(), &source,
                                   scaled ? highest.data() : nullptr};
    return with_layout([&]<class Layout>(const Layout& layout) -> decltype(auto) {
      constexpr Contexts kContexts = Layout::kItemContexts;
      if constexpr (kContexts == Contexts::none || kContexts == Contexts::parents) {
        if (!has_siblings(parts->factorization())) {
          return f(Expansion<HWY_NAMESPACE::Recursion<false, kContexts>, Layout>(layout, term_weights));
        }
      }
      return f(Expansion<HWY_NAMESPACE::Recursion<true, kContexts>, Layout>(layout, term_weights));
    });
  }
  // Where the number of the whole sentence stands.
  std::ptrdiff_t goal_offset() {
    const Span goal = complete_span(Side::right, 0, parts->words());
    return with_layout([&](const auto& layout) { return layout.at(Same{goal}).offset; });
  }

  void assign(const PartIndex& new_parts, const Potentials& new_potentials, RootMode new_root,
              const Constraints& new_constraints, Arithmetic new_arithmetic);
  void assign_layout();
  void require_assigned() const;
  void expect_heads(std::size_t size) const;
  void apply_constraints(const ArcSet& arcs);
  void require_feasible() const;
  [[noreturn]] void throw_infeasible() const;
  void place_span_weights(Weights kind);
  // `for_marginals`: the adjoint pass follows.
  void run_inside(Semiring semiring, Buffer& values, bool for_marginals = false, int widest = kAnyWidth,
                  bool is_filled = false);
  bool try_linear_sum(bool for_marginals);
  bool try_balanced_sum();
  bool add_gains();
  double log_range() const;
  double missing_probability() const;
  double log_scale() const;
  void sum(bool for_marginals = false);
  void maximize();
  void differentiate();
  void run_outside();
};

}  // namespace copse
