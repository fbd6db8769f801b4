// All questions about one sentence, answered by one block of threads.
#pragma once

#include <cstdint>

#include "batch/cuda/chart_descent.h"
#include "batch/cuda/cuda_factorizations.h"
#include "batch/cuda/outside_sweep.h"
#include "batch/sample_key.h"

namespace copse {

// One sentence of a batch.
struct SentenceJob {
  ChartTables tables;
  std::int64_t begins[kCudaPartKinds];  // of its parts in the arrays of the batch, by kind
  std::int64_t counts[kCudaPartKinds];
  std::int64_t heads_begin;
  std::int32_t sentence;
};

// What became of a job so far.
enum class JobState : std::uint8_t { undone, done };

// What all blocks of a launch have in common.
template <class Number>
struct SolverArguments {
  const SentenceJob* jobs;
  JobState* states;  // by job: those that are done are left alone
  bool single_root;
  const Number* potentials[kCudaPartKinds];  // by kind
  Number* marginals[kCudaPartKinds];
  bool wants_adjoints;   // for marginals or entropy
  std::uint8_t* status;  // by sentence, as are the following
  Number* log_partition;
  Number* entropy;
  std::int32_t* best_heads;
  Number* best_score;
  int samples;
  std::uint64_t seed;
  std::int64_t first_sentence;  // its number in the whole batch: samples depend on it
  std::int32_t* sampled_heads;
  std::int64_t heads_count;
};

struct ChartSizes {
  std::int64_t values;    // numbers of the charts themselves
  std::int64_t adjoints;  // and as many again, but for the highest weights
};
template <class Tables>
constexpr ChartSizes chart_sizes(const Tables& tables, bool siblings) {
  const std::int64_t charts =
      static_cast<std::int64_t>(tables.complete_count) * (siblings ? 2 : 1) + tables.incomplete_count;
  return {charts + tables.words + 1, charts};
}

template <class Number, bool kSiblings, bool kGrandparents, ChartArithmetic kArithmetic, class Group>
class SentenceSolver {
 public:
  using View = ChartView<Number, kSiblings, kGrandparents>;

 private:
  using Numbers = ChartNumbers<kArithmetic>;
  static constexpr double kLargest = 1e300;  // kLargestPotential

 public:
  // `memory` has room for chart_sizes() numbers. `stacks` has room for descent_stack_size() numbers for each
  // of the first `stack_count` threads. All threads have the same `view`, which is too large for registers: a
  // copy for each thread would drive charts out of the cache.
  COPSE_DEVICE SentenceSolver(const SolverArguments<Number>& arguments, const Group& group, View& view,
                              double* memory, std::uint64_t* stacks, int stack_count)
      : arguments_(arguments),
        group_(group),
        view_(view),
        memory_(memory),
        stacks_(stacks),
        stack_count_(stack_count) {}

  COPSE_DEVICE void solve(int job_number) {
    if (arguments_.states[job_number] == JobState::done) return;
    const SentenceJob& job = arguments_.jobs[job_number];
    if (group_.thread() == 0) {
      view_.tables = job.tables;
      view_.single_root = arguments_.single_root;
      view_.potentials = {at(arguments_.potentials, job, 0), at(arguments_.potentials, job, 1),
                          at(arguments_.potentials, job, 2), at(arguments_.potentials, job, 3)};
      place_charts();
    }
    group_.barrier();
    double sum_of_highest = 0.0;
    const Findings findings = find_highest(sum_of_highest);
    if (findings != Findings::good) {
      answer_nothing(job, findings == Findings::bad);
      return finish(job_number);
    }
    InsideSweep<View, kArithmetic, Group>(view_, group_).run();
    const double goal = view_.charts.complete[view_.complete_at(0, view_.words())];
    if constexpr (kArithmetic == ChartArithmetic::linear) {
      // As in TreeDistribution: no weight is above 1, and one that is taken for 0 is below 1e-307. So all
      // trees that underflow has taken from the sum weigh at most (number of trees) * 1e-307 together, which
      // must be nothing beside the sum. Otherwise the log domain follows.
      const double log_least = job.tables.log_tree_count_bound + log(1e-307) - log(1e-12);
      if (!(goal > 0.0) || !(goal <= kLargest) || log(goal) < log_least) return group_.barrier();
    } else if (goal == kLogOfZero) {
      answer_nothing(job, false);
      return finish(job_number);
    }
    if (group_.thread() == 0 && arguments_.status != nullptr) arguments_.status[job.sentence] = 0;
    if constexpr (kArithmetic == ChartArithmetic::maximum) {
      answer_best(job, goal);
    } else {
      answer_sums(job, goal, sum_of_highest);
    }
    finish(job_number);
  }

 private:
  enum class Findings { good, infeasible, bad };

  template <class T>
  COPSE_DEVICE static T* at(T* const (&arrays)[4], const SentenceJob& job, int kind) {
    return arrays[kind] == nullptr ? nullptr : arrays[kind] + job.begins[kind];
  }
  COPSE_DEVICE void place_charts() {
    double* next = memory_;
    const auto take = [&](std::int64_t count) {
      double* taken = next;
      next += count;
      return taken;
    };
    const std::int64_t joins = kSiblings ? view_.tables.complete_count : 0;
    view_.charts.highest = take(view_.tables.words + 1);
    view_.charts.complete = take(view_.tables.complete_count);
    view_.charts.incomplete = take(view_.tables.incomplete_count);
    view_.charts.joins = take(joins);
    view_.charts.complete_adjoints = take(view_.tables.complete_count);
    view_.charts.incomplete_adjoints = take(view_.tables.incomplete_count);
    view_.charts.join_adjoints = take(joins);
  }

  // The highest weight of a part that ends in an arc; NaN if a potential is bad.
  COPSE_DEVICE void find_highest_of_arc(int arc, int& bad) {
    const int head = view_.tables.heads[arc];
    const ArcEntry own = view_.tables.entries[arc];
    const typename View::Lanes lanes = view_.lanes(head, own.modifier);
    const int step = own.modifier > head ? 1 : -1;
    const int slots = kSiblings ? view_.usable_slots(head, arc - view_.first_arc(head, step) + 1) : 1;
    const int places = lanes.last - lanes.first;
    const auto weights = view_.weights(arc, own.modifier, places);
    double highest = kLogOfZero;
    bad += !(weights.arc <= kLargest);
    const auto consider = [&](int slot, int place) {
      const double x = weights.log(slot, place);
      bad += !(x <= kLargest);
      highest = x > highest ? x : highest;
    };
    if constexpr (kGrandparents) {
      for (int place = group_.rank(); place < places; place += group_.tile_size()) {
        COPSE_UNROLL_BY_4
        for (int slot = 0; slot < slots; ++slot) consider(slot, place);
      }
    } else {
      for (int slot = group_.rank(); slot < slots; slot += group_.tile_size()) consider(slot, 0);
    }
    highest = tile_maximum(group_, highest);
    // Kept where the arc has its number until the sweep begins.
    if (group_.rank() == 0 && view_.row(head) > 0) view_.charts.incomplete[own.incomplete_begin] = highest;
  }

  COPSE_DEVICE Findings find_highest(double& sum_of_highest) {
    int bad = 0;
    // Read by weights(), and not used before it is known.
    for (int m = group_.thread(); m <= view_.words(); m += group_.threads()) view_.charts.highest[m] = 0.0;
    group_.barrier();
    for_each_by_tile(group_, view_.tables.arcs, [&](int arc) { find_highest_of_arc(arc, bad); });
    group_.barrier();
    double sum = 0.0;
    int without_head = 0;
    for (int m = 1 + group_.thread(); m <= view_.words(); m += group_.threads()) {
      double highest = kLogOfZero;
      for (int i = view_.tables.incoming[m]; i < view_.tables.incoming[m + 1]; ++i) {
        const int arc = view_.tables.incoming_arcs[i];
        if (view_.row(view_.tables.heads[arc]) == 0) continue;
        const double x = view_.charts.incomplete[view_.tables.entries[arc].incomplete_begin];
        highest = x > highest ? x : highest;
      }
      view_.charts.highest[m] = highest;
      if (highest == kLogOfZero) {
        ++without_head;
      } else {
        sum += highest;
      }
    }
    if (group_.block_sum(bad) > 0.0) return Findings::bad;
    const bool is_infeasible = group_.block_sum(without_head) > 0.0;
    sum_of_highest = group_.block_sum(sum);
    if (is_infeasible) return Findings::infeasible;
    // No tree has a higher score than this sum: if it overflows, so do all.
    return sum_of_highest - sum_of_highest == 0.0 ? Findings::good : Findings::bad;
  }

  COPSE_DEVICE void answer_sums(const SentenceJob& job, double goal, double sum_of_highest) {
    constexpr bool kIsLinear = kArithmetic == ChartArithmetic::linear;
    // Of the weights less the highest of each word.
    const double scaled = kIsLinear ? log(goal) : goal - sum_of_highest;
    if (group_.thread() == 0 && arguments_.log_partition != nullptr) {
      arguments_.log_partition[job.sentence] =
          static_cast<Number>(kIsLinear ? scaled + sum_of_highest : goal);
    }
    if (arguments_.sampled_heads != nullptr && group_.thread() < stack_count_) {
      for (int sample = group_.thread(); sample < arguments_.samples; sample += stack_count_) {
        const std::uint64_t key =
            sample_key(arguments_.seed, static_cast<std::uint64_t>(arguments_.first_sentence + job.sentence),
                       static_cast<std::uint64_t>(sample));
        descend({key}, arguments_.sampled_heads + sample * arguments_.heads_count + job.heads_begin);
      }
    }
    if (!arguments_.wants_adjoints) return group_.barrier();
    group_.barrier();  // samples have read the charts
    SentenceArrays<Number> marginals{at(arguments_.marginals, job, 0), at(arguments_.marginals, job, 1),
                                     at(arguments_.marginals, job, 2), at(arguments_.marginals, job, 3)};
    OutsideSweep<View, Number, kArithmetic, Group> outside(view_, marginals, group_);
    outside.run();
    if (arguments_.entropy == nullptr) return;
    const double entropy = scaled - group_.block_sum(outside.expected_weight());
    if (group_.thread() == 0) {
      arguments_.entropy[job.sentence] = static_cast<Number>(entropy > 0.0 ? entropy : 0.0);
    }
  }

  COPSE_DEVICE void answer_best(const SentenceJob& job, double goal) {
    if (group_.thread() == 0) {
      if (arguments_.best_score != nullptr) arguments_.best_score[job.sentence] = static_cast<Number>(goal);
      if (arguments_.best_heads != nullptr) descend({0}, arguments_.best_heads + job.heads_begin);
    }
    group_.barrier();
  }

  COPSE_DEVICE void descend(CountedRandom random, std::int32_t* heads) const {
    std::uint64_t* stack =
        stacks_ + static_cast<std::int64_t>(group_.thread()) * descent_stack_size(view_.words());
    descend(view_, stack, random, heads);
  }
  COPSE_DEVICE_CALLED static void descend(const View& view, std::uint64_t* stack, CountedRandom random,
                                          std::int32_t* heads) {
    ChartDescent<View, kArithmetic>(view, stack).run(random, heads);
  }

  template <class T>
  COPSE_DEVICE void fill(T* numbers, std::int64_t count, T value) const {
    if (numbers == nullptr) return;
    for (std::int64_t i = group_.thread(); i < count; i += group_.threads()) numbers[i] = value;
  }
  COPSE_DEVICE void fill_heads(std::int32_t* heads) const {
    if (heads == nullptr) return;
    for (int m = group_.thread(); m <= view_.words(); m += group_.threads()) heads[m] = m == 0 ? 0 : -1;
  }
  // See SentenceStatus.
  COPSE_DEVICE void answer_nothing(const SentenceJob& job, bool is_bad) const {
    const Number no_score =
        is_bad ? static_cast<Number>(kLogOfZero - kLogOfZero) : static_cast<Number>(kLogOfZero);
    if (group_.thread() == 0 && arguments_.status != nullptr)
      arguments_.status[job.sentence] = is_bad ? 2 : 1;
    if constexpr (kArithmetic == ChartArithmetic::maximum) {
      if (group_.thread() == 0 && arguments_.best_score != nullptr)
        arguments_.best_score[job.sentence] = no_score;
      if (arguments_.best_heads != nullptr) fill_heads(arguments_.best_heads + job.heads_begin);
      return;
    }
    if (group_.thread() == 0 && arguments_.log_partition != nullptr)
      arguments_.log_partition[job.sentence] = no_score;
    if (group_.thread() == 0 && arguments_.entropy != nullptr) arguments_.entropy[job.sentence] = Number{0};
    for (int kind = 0; kind < 4; ++kind)
      fill(at(arguments_.marginals, job, kind), job.counts[kind], Number{0});
    for (int sample = 0; arguments_.sampled_heads != nullptr && sample < arguments_.samples; ++sample) {
      fill_heads(arguments_.sampled_heads + sample * arguments_.heads_count + job.heads_begin);
    }
  }
  // Before another sentence takes the memory.
  COPSE_DEVICE void finish(int job_number) const {
    group_.barrier();
    if (group_.thread() == 0) arguments_.states[job_number] = JobState::done;
  }

  const SolverArguments<Number>& arguments_;
  const Group& group_;
  View& view_;
  double* memory_;
  std::uint64_t* stacks_;
  int stack_count_;
};

}  // namespace copse
