// Nonprojective distributions that are too large to enumerate: known sums, second implementations,
// invariants.
#include <gtest/gtest.h>

#include <numeric>

#include "inference/expectations.h"
#include "inference/library_input.h"
#include "inference/nonprojective_distribution.h"
#include "inference/operations.h"
#include "numeric/numbers.h"

namespace copse::testing {
namespace {

void assign_random(LibraryInput& input, Generator& random, int words, RootMode root, double keep,
                   PotentialKind kind) {
  const Heads tree = random_projective_tree(random, words, RootMode::single);
  input.assign_random(random, words, Factorization::first, root, random_arcs(random, words, keep, tree),
                      kind);
  input.trees = TreeKind::nonprojective;
}

// Log-determinant of Kirchhoff's matrix (Tutte 1948; with the row of the root as in Koo et al. 2007) by
// elimination with pivoting. Good for harmless potentials only.
long double log_determinant(const LibraryInput& input) {
  const int n = input.words();
  std::vector<std::vector<long double>> laplacian(n, std::vector<long double>(n, 0));
  std::vector<long double> from_root(n, 0);
  for (int arc = 0; arc < input.arcs.size(); ++arc) {
    const auto [h, m] = input.arcs[arc];
    const long double weight = std::exp(static_cast<long double>(input.potentials.arc[arc]));
    if (h == 0) {
      from_root[m - 1] += weight;
    } else {
      laplacian[m - 1][m - 1] += weight;
      laplacian[h - 1][m - 1] -= weight;
    }
  }
  for (int m = 0; m < n; ++m) {
    if (input.root == RootMode::multi) {
      laplacian[m][m] += from_root[m];
    } else {
      laplacian[0][m] = from_root[m];
    }
  }
  long double result = 0;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int row = k; row < n; ++row) {
      if (std::abs(laplacian[row][k]) > std::abs(laplacian[pivot][k])) pivot = row;
    }
    std::swap(laplacian[k], laplacian[pivot]);
    result += std::log(std::abs(laplacian[k][k]));
    for (int row = k + 1; row < n; ++row) {
      const long double factor = laplacian[row][k] / laplacian[k][k];
      for (int column = k; column < n; ++column) laplacian[row][column] -= factor * laplacian[k][column];
    }
  }
  return result;
}

TEST(NonprojectiveLarge, SumsAgreeWithTheDeterminant) {
  for (int number = 0; number < scaled(30); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    LibraryInput input;
    assign_random(input, random, uniform_int(random, 8, 50), kRootModes[number % 2], uniform(random, 0.2, 1),
                  PotentialKind::normal);
    under_every_arithmetic(input, false, [&](TreeDistribution& distribution) {
      expect_close(log_determinant(input), distribution.log_partition(), "log-partition");
    });
  }
}

// Cayley: (n + 1)^(n - 1) trees, of which n^(n - 1) have a single root. By symmetry all arcs from words are
// equally probable, and so are all from the root.
TEST(NonprojectiveLarge, CountsTreesOf500Words) {
  const int words = 500;
  Generator random = case_generator(0);
  for (const RootMode root : kRootModes) {
    LibraryInput input;
    input.assign_candidates(words, Factorization::first, root, random_arcs(random, words, 1));
    input.trees = TreeKind::nonprojective;
    TreeDistribution distribution;
    input.give_to(distribution);
    const double log_trees = (words - 1) * std::log(root == RootMode::multi ? words + 1.0 : words);
    EXPECT_NEAR(distribution.log_partition(), log_trees, 1e-9 * log_trees);
    EXPECT_EQ(distribution.arithmetic_used(), Arithmetic::linear);
    EXPECT_NEAR(distribution.entropy(), log_trees, 1e-8 * log_trees);
    const double from_root = root == RootMode::multi ? 2.0 / (words + 1) : 1.0 / words;
    const double from_word = (1 - from_root) / (words - 1);
    double largest_error = 0;
    for (int arc = 0; arc < input.arcs.size(); ++arc) {
      const double expected = input.arcs[arc].head == 0 ? from_root : from_word;
      largest_error = std::max(largest_error, std::abs(distribution.marginals().arc[arc] - expected));
    }
    EXPECT_LT(largest_error, 1e-12);
    Heads heads = no_heads(words);
    distribution.sample(random, heads);
    EXPECT_TRUE(is_any_tree(heads) && (root == RootMode::multi || has_single_root(heads)));
    distribution.best_tree(heads);
    EXPECT_TRUE(is_any_tree(heads) && (root == RootMode::multi || has_single_root(heads)));
  }
}

TEST(NonprojectiveLarge, ArithmeticsAgreeAndMarginalsAreCoherent) {
  for (int number = 0; number < scaled(40); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    LibraryInput input;
    assign_random(input, random, uniform_int(random, 2, 60), kRootModes[number % 2], uniform(random, 0.1, 1),
                  kPotentialKinds[number / 2 % 5]);
    TreeDistribution logs;
    input.give_to(logs, Arithmetic::log);
    expect_coherent(input.parts, logs.marginals());
    under_every_arithmetic(input, true, [&](TreeDistribution& distribution) {
      expect_close(logs.log_partition(), distribution.log_partition(), "log-partition");
      expect_close(logs.entropy(), distribution.entropy(), "entropy");
      EXPECT_LE(largest_difference(logs.marginals().arc, distribution.marginals().arc), kTolerance);
    });
  }
}

// Pairs of words that cling to each other, and hardly to anything else: the determinant has lost all digits
// here. Each pair has two trees that matter, 0→a→b and 0→b→a.
TEST(NonprojectiveLarge, NearlySingularCasesAreExact) {
  for (const double strength : {10.0, 40.0, 200.0, 1000.0}) {
    SCOPED_TRACE(strength);
    const int words = 40;
    std::vector<Arc> arcs;
    for (int m = 1; m <= words; ++m) arcs.insert(arcs.end(), {{0, m}, {m % 2 == 1 ? m + 1 : m - 1, m}});
    LibraryInput input;
    input.assign_candidates(words, Factorization::first, RootMode::multi, arcs);
    input.trees = TreeKind::nonprojective;
    for (int arc = 0; arc < input.arcs.size(); ++arc) {
      input.potentials.arc[arc] = input.arcs[arc].head == 0 ? -strength : strength;
    }
    TreeDistribution distribution;
    input.give_to(distribution);
    const double rest = std::exp(-2 * strength);  // of 0→a, 0→b
    EXPECT_NEAR(distribution.log_partition(), words / 2 * std::log(2 + rest), 1e-9);
    for (int arc = 0; arc < input.arcs.size(); ++arc) {
      const double expected = (input.arcs[arc].head == 0 ? 1 + rest : 1.0) / (2 + rest);
      EXPECT_NEAR(distribution.marginals().arc[arc], expected, 1e-12);
    }
    EXPECT_NEAR(distribution.entropy(), words / 2 * std::log(2.0), 1e-6);
  }
}

// A ring of strong arcs with one weak way in: a single tree, however weak.
TEST(NonprojectiveLarge, OneWeakWayIn) {
  const int words = 30;
  for (const RootMode root : kRootModes) {
    std::vector<Arc> arcs{{0, 7}};
    for (int m = 1; m <= words; ++m) arcs.push_back({m == 1 ? words : m - 1, m});
    LibraryInput input;
    input.assign_candidates(words, Factorization::first, root, arcs);
    input.trees = TreeKind::nonprojective;
    for (double& potential : input.potentials.arc) potential = 1000;
    input.potentials.arc[input.arcs.find(0, 7)] = -1000;
    TreeDistribution distribution;
    input.give_to(distribution);
    EXPECT_NEAR(distribution.log_partition(), 1000.0 * (words - 2), 1e-9);
    for (int arc = 0; arc < input.arcs.size(); ++arc) {
      const bool is_broken = input.arcs[arc] == Arc{6, 7};
      EXPECT_EQ(distribution.marginals().arc[arc], is_broken ? 0.0 : 1.0) << arc;
    }
  }
}

// The textbook's recursion: contract one cycle, solve the rest, break the cycle where the rest enters it.
bool naive_best_tree(const std::vector<std::vector<double>>& scores, Heads& heads) {
  const int n = static_cast<int>(scores.size()) - 1;
  heads.assign(n + 1, 0);
  for (int m = 1; m <= n; ++m) {
    heads[m] = static_cast<int>(std::max_element(scores[m].begin(), scores[m].end()) - scores[m].begin());
    if (scores[m][heads[m]] == kMinusInfinity) return false;
  }
  std::vector<int> cycle;
  for (int start = 1; start <= n && cycle.empty(); ++start) {
    int at = start;
    for (int step = 0; step < n && at != 0; ++step) at = heads[at];
    for (int first = at; at != 0 && (cycle.empty() || at != first); at = heads[at]) cycle.push_back(at);
  }
  if (cycle.empty()) return true;
  const auto is_inside = [&](int word) { return std::find(cycle.begin(), cycle.end(), word) != cycle.end(); };
  std::vector<int> outside;  // in the smaller problem these are 0.., and the cycle is the last word
  for (int word = 0; word <= n; ++word) {
    if (!is_inside(word)) outside.push_back(word);
  }
  const int last = static_cast<int>(outside.size());
  std::vector<std::vector<double>> smaller(last + 1, std::vector<double>(last + 1, kMinusInfinity));
  std::vector<int> entry(last, 0);
  std::vector<int> exit(last, 0);
  for (int i = 0; i < last; ++i) {
    for (int j = 0; j < last; ++j) {
      if (i > 0 && i != j) smaller[i][j] = scores[outside[i]][outside[j]];
    }
    for (const int word : cycle) {
      const double in = scores[word][outside[i]] - scores[word][heads[word]];
      if (entry[i] == 0 || in > smaller[last][i]) {
        smaller[last][i] = in;
        entry[i] = word;
      }
      if (i > 0 && (exit[i] == 0 || scores[outside[i]][word] > smaller[i][last])) {
        smaller[i][last] = scores[outside[i]][word];
        exit[i] = word;
      }
    }
  }
  Heads rest;
  if (!naive_best_tree(smaller, rest)) return false;
  for (int i = 1; i < last; ++i) heads[outside[i]] = rest[i] == last ? exit[i] : outside[rest[i]];
  heads[entry[rest[last]]] = outside[rest[last]];
  return true;
}

double naive_best_score(const LibraryInput& input) {
  const int n = input.words();
  std::vector<std::vector<double>> scores(n + 1, std::vector<double>(n + 1, kMinusInfinity));
  for (int arc = 0; arc < input.arcs.size(); ++arc) {
    scores[input.arcs[arc].modifier][input.arcs[arc].head] = input.potentials.arc[arc];
  }
  double best = kMinusInfinity;
  const auto try_with = [&](const std::vector<std::vector<double>>& matrix) {
    Heads heads;
    if (!naive_best_tree(matrix, heads)) return;
    double sum = 0;
    for (int m = 1; m <= n; ++m) sum += matrix[m][heads[m]];
    best = std::max(best, sum);
  };
  if (input.root == RootMode::multi) {
    try_with(scores);
    return best;
  }
  for (int only = 1; only <= n; ++only) {
    auto matrix = scores;
    for (int m = 1; m <= n; ++m) {
      if (m != only) matrix[m][0] = kMinusInfinity;
    }
    try_with(matrix);
  }
  return best;
}

TEST(NonprojectiveLarge, BestTreesAgreeWithASecondImplementation) {
  for (int number = 0; number < scaled(150); ++number) {
    SCOPED_TRACE(case_name(number));
    Generator random = case_generator(number);
    LibraryInput input;
    assign_random(input, random, uniform_int(random, 2, 30), kRootModes[number % 2], uniform(random, 0.05, 1),
                  kPotentialKinds[number / 2 % kPotentialKinds.size()]);
    const double expected = naive_best_score(input);
    TreeDistribution distribution;
    input.give_to(distribution);
    Heads heads = no_heads(input.words());
    if (expected == kMinusInfinity) {
      EXPECT_THROW(distribution.best_tree(heads), InfeasibleError);
      EXPECT_THROW(distribution.log_partition(), InfeasibleError);
      continue;
    }
    expect_close(expected, distribution.best_tree(heads), "best score");
    expect_close(expected, distribution.score(heads), "score of the best tree");
    std::vector<ScoredTree> trees;
    distribution.k_best(5, trees);
    EXPECT_EQ(trees.front().score, distribution.score(trees.front().heads));
    expect_close(expected, trees.front().score, "first of k best");
  }
}

// What many samples have in common with marginals.
TEST(NonprojectiveLarge, SamplesHaveTheRightArcs) {
  for (const RootMode root : kRootModes) {
    Generator random = case_generator(1);
    LibraryInput input;
    assign_random(input, random, 25, root, 0.7, PotentialKind::tens);
    under_every_arithmetic(input, true, [&](TreeDistribution& distribution) {
      const int draws = 4000;
      std::vector<double> counts(input.arcs.size());
      Heads heads = no_heads(25);
      for (int draw = 0; draw < draws; ++draw) {
        distribution.sample(random, heads);
        for (int m = 1; m <= 25; ++m) counts[input.arcs.find(heads[m], m)] += 1.0 / draws;
      }
      // Five standard deviations of a share of one half.
      EXPECT_LT(largest_difference(counts, distribution.marginals().arc), 5 * 0.5 / std::sqrt(draws));
    });
  }
}

}  // namespace
}  // namespace copse::testing
