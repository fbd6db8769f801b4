// Sentences per second of exact inference on one core, over the sentence lengths of a real treebank, with all
// arcs as candidates and potentials already in memory. Checks every answer against the log-domain reference.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "peak.h"
#include "sentence_lengths.h"

namespace copse::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Problem {
  ArcSet arcs;
  PartIndex parts;
  std::vector<Potentials> potentials;  // several, so that not one of them stays in the cache
};

void fill_random(std::vector<double>& values, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  for (double& x : values) x = normal(random);
}

Problem make_problem(Factorization factorization, int words, std::mt19937_64& random) {
  Problem problem;
  problem.arcs.assign_all(words);
  problem.parts.assign(problem.arcs, factorization);
  const double bytes = 8.0 * static_cast<double>(problem.parts.count());
  const int copies = std::max(1, std::min(16, static_cast<int>(4e6 / bytes)));
  problem.potentials.resize(copies);
  for (Potentials& potentials : problem.potentials) {
    potentials.assign(problem.parts);
    for (const PartKind kind : part_kinds(factorization)) fill_random(potentials[kind], random);
  }
  return problem;
}

// Products of items that the sums consist of; the adjoint pass does two more for each. Exponentials are not
// counted: fifteen multiply-adds for each of the largest parts.
double products(Factorization factorization, double n) {
  double sum = 0.0;
  for (double d = 1; d <= n; ++d) {
    const double spans = n + 1 - d;
    const double contexts = has_grandparents(factorization) ? n - d : 1;
    const double join = spans * d * (factorization == Factorization::grandchild ? 2 : 1);
    const double complete = 2 * spans * d * (factorization == Factorization::outermost ? 2 : 1);
    const double terms = has_second_siblings(factorization) ? d * (d - 1) / 2 : d;
    const double attach =
        has_siblings(factorization) ? 2 * 2 * spans * terms : 2 * spans;  // two products a term
    if (factorization == Factorization::outermost) {  // only complete spans and joins have contexts
      sum += contexts * (join + complete) + attach;
    } else {
      sum += contexts * (join + complete + attach);
    }
  }
  return sum;
}

// What the sums move between memory and the caches at least, where sentences are so long that no cache holds
// their parts. Of grandchild and grand-sibling models, potentials are read for the scale and again for the
// weights, which are fetched, written and fetched again where marginals are written at last: six times eight
// bytes a part.
double bytes(const PartIndex& parts) {
  const bool in_rows = parts.factorization() == Factorization::grandchild ||
                       parts.factorization() == Factorization::grandsibling;
  return in_rows ? 48.0 * static_cast<double>(parts.count()) : 0.0;
}

struct Figures {
  double sum_seconds = 0.0;
  double best_seconds = 0.0;
  double multiply_adds = 0.0;
  double bytes = 0.0;
  int log_domain = 0;
};

template <class F>
double seconds_per_call(int calls, F&& f) {
  for (int i = 0; i < std::min(calls, 3); ++i) f(i);
  double best = 1e300;
  for (int round = 0; round < 3; ++round) {  // the best of three: the machine has other work too
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) f(i);
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    best = std::min(best, elapsed.count() / calls);
  }
  return best;
}

void check(TreeDistribution& fast, const Problem& problem, TreeDistribution& reference) {
  const Potentials& potentials = problem.potentials[0];
  fast.assign(problem.parts, potentials, RootMode::multi);
  reference.assign(problem.parts, potentials, RootMode::multi, {}, Arithmetic::log);
  const double difference = std::abs(fast.log_partition() / reference.log_partition() - 1.0);
  double worst = 0.0;
  const auto compare = [&](const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  };
  for (const PartKind kind : part_kinds(problem.parts.factorization())) {
    compare(fast.marginals()[kind], reference.marginals()[kind]);
  }
  std::vector<int> heads(problem.parts.words() + 1);
  const double best = fast.best_tree(heads);
  const double best_difference = std::abs(best - fast.score(heads));
  if (!(difference < 1e-9) || !(worst < 1e-9) || !(best_difference < 1e-9 * (1 + std::abs(best)))) {
    fmt::print(stderr,
               "wrong answer for {} words: log Z off by {:.3g}, marginals by {:.3g}, best tree by {:.3g}\n",
               problem.parts.words(), difference, worst, best_difference);
    std::exit(1);
  }
}

Figures measure(Factorization factorization, int length_step) {
  std::mt19937_64 random(1);
  TreeDistribution distribution;
  TreeDistribution reference;
  std::vector<int> heads(101);
  Figures figures;
  double sentences = 0.0;
  for (int shortest = 1, step = 1; shortest <= 100; shortest += step) {
    // Lengths from 40 on are sampled: the middle of each interval stands for all of it.
    step = shortest < 40 ? 1 : length_step;
    const int words = std::min(100, shortest + (step - 1) / 2);
    double count = 0.0;
    for (int w = shortest; w < shortest + step && w <= 100; ++w) count += kSentenceLengths[w - 1];
    if (count == 0.0) continue;
    const Problem problem = make_problem(factorization, words, random);
    if (words <= 30 || words % 20 == 2) check(distribution, problem, reference);
    const auto assign = [&](int i) {
      distribution.assign(problem.parts, problem.potentials[i % problem.potentials.size()], RootMode::multi);
    };
    const double work = products(factorization, words);
    const int calls = std::max(1, static_cast<int>(3e6 / (work + 3000)));
    double sink = 0.0;
    figures.sum_seconds += count * seconds_per_call(calls, [&](int i) {
                             assign(i);
                             sink += distribution.marginals().arc[0];
                           });
    if (distribution.arithmetic_used() == Arithmetic::log) figures.log_domain += static_cast<int>(count);
    figures.best_seconds += count * seconds_per_call(calls, [&](int i) {
                              assign(i);
                              sink += distribution.best_tree(std::span<int>(heads).first(words + 1));
                            });
    if (std::isnan(sink)) std::exit(1);
    figures.multiply_adds += count * 3.0 * work;
    figures.bytes += count * bytes(problem.parts);
    sentences += count;
  }
  figures.sum_seconds /= sentences;
  figures.best_seconds /= sentences;
  figures.multiply_adds /= sentences;
  figures.bytes /= sentences;
  return figures;
}

}  // namespace
}  // namespace copse::bench

int main(int argc, char** argv) {
  using namespace copse;
  using namespace copse::bench;
  const std::string only = argc > 1 ? argv[1] : "";
  const double peak = measured_peak_multiply_adds();
  const double memory = measured_memory_bytes();
  fmt::print("one core, {} vectors, measured peak {:.1f} G multiply-adds/s, {:.1f} GB/s from memory\n",
             vector_target(), peak / 1e9, memory / 1e9);
  fmt::print("{:<15} {:>17} {:>12} {:>18} {:>9} {:>10} {:>18} {:>12} {:>11}\n", "factorization",
             "sums, sentences/s", "µs/sentence", "G multiply-adds/s", "of peak", "of memory",
             "best, sentences/s", "best / sums", "log domain");
  for (int i = 0; i < kFactorizationCount; ++i) {
    const auto f = static_cast<Factorization>(i);
    if (!only.empty() && only != name(f)) continue;
    const Figures figures = measure(f, has_grandparents(f) ? 5 : 3);
    const double rate = figures.multiply_adds / figures.sum_seconds;
    fmt::print("{:<15} {:>17.0f} {:>12.1f} {:>18.2f} {:>8.1f}% {:>9.1f}% {:>18.0f} {:>12.2f} {:>11}\n",
               name(f), 1.0 / figures.sum_seconds, 1e6 * figures.sum_seconds, rate / 1e9, 100.0 * rate / peak,
               100.0 * figures.bytes / figures.sum_seconds / memory, 1.0 / figures.best_seconds,
               figures.sum_seconds / figures.best_seconds, figures.log_domain);
  }
}
