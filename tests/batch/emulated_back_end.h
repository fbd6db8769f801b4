// The schedule of the GPU, run by emulated blocks: a tool for tests, not a way to compute.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "batch/batch_back_end.h"
#include "batch/cuda/make_jobs.h"
#include "batch/emulated_block.h"

namespace copse::testing {

class EmulatedBackEnd : public BatchBackEnd {
 public:
  struct Settings {
    int threads = 1;
    int tile_size = 1;
    Arithmetic arithmetic = Arithmetic::automatic;
    std::uint64_t seed = 1;  // of the order in which threads run
  };
  explicit EmulatedBackEnd(const Settings& settings) : settings_(settings) {}

  bool has(Factorization factorization) const override { return is_cuda_factorization(factorization); }

  void compute(const Batch& batch, const PartArrays<const float>& potentials,
               const BatchAnswers<float>& answers, void* /*stream*/) override {
    compute_all(batch, potentials, answers);
  }
  void compute(const Batch& batch, const PartArrays<const double>& potentials,
               const BatchAnswers<double>& answers, void* /*stream*/) override {
    compute_all(batch, potentials, answers);
  }
  void compute_on_host(const Batch& batch, const PartArrays<const float>& potentials,
                       const BatchAnswers<float>& answers) override {
    compute_all(batch, potentials, answers);
  }
  void compute_on_host(const Batch& batch, const PartArrays<const double>& potentials,
                       const BatchAnswers<double>& answers) override {
    compute_all(batch, potentials, answers);
  }

 private:
  template <class Number>
  void compute_all(const Batch& batch, const PartArrays<const Number>& potentials,
                   const BatchAnswers<Number>& answers) {
    std::vector<ChartTableData> data(batch.sentences.size());
    std::vector<SentenceJob> jobs(data.size());
    for (std::size_t s = 0; s < data.size(); ++s) {
      data[s].assign(*batch.sentences[s].parts);
      jobs[s] = make_job(batch, static_cast<int>(s), data[s].at(data[s].bytes().data()));
    }
    std::vector<JobState> states(jobs.size(), JobState::undone);
    const SolverArguments<Number> arguments =
        make_arguments(batch, potentials, answers, jobs.data(), states.data());
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (settings_.arithmetic != Arithmetic::log)
        solve<ChartArithmetic::linear>(batch, arguments, static_cast<int>(j));
      solve<ChartArithmetic::log>(batch, arguments, static_cast<int>(j));
    }
    states.assign(jobs.size(), JobState::undone);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      solve<ChartArithmetic::maximum>(batch, arguments, static_cast<int>(j));
    }
  }

  template <ChartArithmetic kArithmetic, class Number>
  void solve(const Batch& batch, const SolverArguments<Number>& arguments, int job) {
    switch (batch.factorization) {
      case Factorization::first:
        return solve_with<kArithmetic, false, false>(arguments, job);
      case Factorization::sibling:
        return solve_with<kArithmetic, true, false>(arguments, job);
      case Factorization::grandchild:
        return solve_with<kArithmetic, false, true>(arguments, job);
      case Factorization::grandsibling:
        return solve_with<kArithmetic, true, true>(arguments, job);
      case Factorization::outermost:
      case Factorization::trisibling:
      case Factorization::grandtrisibling:
        break;  // BatchDistribution refuses them
    }
  }
  template <ChartArithmetic kArithmetic, bool kSiblings, bool kGrandparents, class Number>
  void solve_with(const SolverArguments<Number>& arguments, int job) {
    const ChartSizes sizes = chart_sizes(arguments.jobs[job].tables, kSiblings);
    // What is read before it is written shows.
    std::vector<double> memory(static_cast<std::size_t>(sizes.values + sizes.adjoints),
                               std::numeric_limits<double>::quiet_NaN());
    std::vector<std::uint64_t> stacks(
        static_cast<std::size_t>(settings_.threads * descent_stack_size(arguments.jobs[job].tables.words)));
    EmulatedBlock block(settings_.threads, settings_.tile_size, settings_.seed++);
    using Solver = SentenceSolver<Number, kSiblings, kGrandparents, kArithmetic, EmulatedBlock::Group>;
    typename Solver::View view{};
    block.run([&](const EmulatedBlock::Group& group) {
      Solver(arguments, group, view, memory.data(), stacks.data(), settings_.threads).solve(job);
    });
  }

  Settings settings_;
};

}  // namespace copse::testing
