// Micro-benchmarks of exact inference: one question, one sentence length, one thread. Each checks its answer
// against the log-domain reference before it is timed. Compare lines of one run; machines are noisy.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <vector>

#include "copse/inference/tree_distribution.h"

namespace copse::bench {
namespace {

enum class Question { log_partition, marginals, reference, best, k_best_10, sample, min_risk };

constexpr std::pair<Question, const char*> kQuestions[] = {{Question::log_partition, "log_partition"},
                                                           {Question::marginals, "marginals"},
                                                           {Question::reference, "marginals_in_log_domain"},
                                                           {Question::best, "best_tree"},
                                                           {Question::k_best_10, "k_best_10"},
                                                           {Question::sample, "sample"},
                                                           {Question::min_risk, "min_risk_tree"}};

// A share of all arcs, the gold ones of a chain among them; 1 is all arcs.
void choose_arcs(int words, double heads_per_word, std::mt19937_64& random, ArcSet& arcs) {
  if (heads_per_word <= 0.0) return arcs.assign_all(words);
  std::vector<Arc> chosen;
  std::bernoulli_distribution keep(std::min(1.0, (heads_per_word - 1.0) / (words - 1)));
  for (int m = 1; m <= words; ++m) {
    for (int h = 0; h <= words; ++h) {
      if (h != m && (h == m - 1 || keep(random))) chosen.push_back({h, m});
    }
  }
  arcs.assign(words, chosen);
}

void run(benchmark::State& state, Factorization factorization, int words, double heads_per_word,
         Question question) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  ArcSet arcs;
  choose_arcs(words, heads_per_word, random, arcs);
  PartIndex parts;
  parts.assign(arcs, factorization);
  Potentials potentials;
  potentials.assign(parts);
  for (const PartKind kind : part_kinds(factorization)) {
    for (double& x : potentials[kind]) x = normal(random);
  }
  TreeDistribution distribution;
  TreeDistribution reference;
  distribution.assign(parts, potentials, RootMode::single);
  reference.assign(parts, potentials, RootMode::single, {}, Arithmetic::log);
  if (std::abs(distribution.log_partition() / reference.log_partition() - 1.0) > 1e-9) {
    return state.SkipWithError("wrong log-partition");
  }
  if (question == Question::marginals) {
    const std::vector<double>& found = distribution.marginals().arc;
    const std::vector<double>& expected = reference.marginals().arc;
    for (std::size_t arc = 0; arc < found.size(); ++arc) {
      if (!(std::abs(found[arc] - expected[arc]) <= 1e-9)) return state.SkipWithError("wrong marginals");
    }
  }
  std::vector<int> heads(words + 1);
  std::vector<ScoredTree> trees;
  if (std::abs(distribution.best_tree(heads) - reference.score(heads)) > 1e-9 * words) {
    return state.SkipWithError("wrong best tree");
  }
  const Arithmetic arithmetic = question == Question::reference ? Arithmetic::log : Arithmetic::automatic;
  for (auto _ : state) {
    distribution.assign(parts, potentials, RootMode::single, {}, arithmetic);
    switch (question) {
      case Question::log_partition:
        benchmark::DoNotOptimize(distribution.log_partition());
        break;
      case Question::marginals:
      case Question::reference:
        benchmark::DoNotOptimize(distribution.marginals().arc.data());
        break;
      case Question::best:
        benchmark::DoNotOptimize(distribution.best_tree(heads));
        break;
      case Question::k_best_10:
        distribution.k_best(10, trees);
        benchmark::DoNotOptimize(trees.data());
        break;
      case Question::sample:
        benchmark::DoNotOptimize(distribution.sample(random, heads));
        break;
      case Question::min_risk:
        benchmark::DoNotOptimize(distribution.min_risk_tree(heads));
        break;
    }
  }
  state.counters["linear"] = distribution.arithmetic_used() == Arithmetic::linear ? 1.0 : 0.0;
  state.counters["arcs_per_word"] = static_cast<double>(arcs.size()) / words;
}

void register_all() {
  for (int i = 0; i < kFactorizationCount; ++i) {
    const auto f = static_cast<Factorization>(i);
    for (const int words : {20, 40, 1000}) {
      for (const double heads_per_word : {0.0, 5.0}) {
        // So long a sentence is parsed after pruning alone.
        if (words == 1000 && heads_per_word == 0.0) continue;
        for (const auto& [question, text] : kQuestions) {
          const std::string label = fmt::format("{}/{}_words/{}/{}", name(f), words,
                                                heads_per_word > 0.0 ? "5_heads_a_word" : "all_arcs", text);
          benchmark::RegisterBenchmark(
              label.c_str(), [=](benchmark::State& state) { run(state, f, words, heads_per_word, question); })
              ->Unit(benchmark::kMicrosecond)
              ->MinTime(0.05);
        }
      }
    }
  }
}

}  // namespace
}  // namespace copse::bench

int main(int argc, char** argv) {
  copse::bench::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
