// Sums over all trees, arcs may cross, by eliminating one word after the other.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "copse/inference/factorization.h"

namespace copse {

// What Kirchhoff's theorem says with a determinant, computed without a subtraction: every word k has the
// incoming weight d = Σ_h w(h, k), and trees over all words sum up to d times those over the other
// words, if each of these gets the paths through k in addition:
//
//   w(h, m) += w(k, m) · w(h, k) / d        for all words m and heads h that are left, h ≠ m
//
// This is Gaussian elimination on the Laplacian matrix, whose diagonal is never stored: it is the sum of the
// other entries, before and after (Grassmann, Taksar and Heyman 1985). All terms are positive, so all results
// are right to nearly the last digit, however badly the matrix is conditioned.
//
// A single root: arcs from the root get a factor t, and only terms of the lowest power of t are kept. They
// are kept apart: as long as any word can be the head of a word, arcs from the root do not count among its
// incoming arcs. Once a word has no incoming arc but that from the root, the single root arc has been used:
// all other words descend from that word, whose arcs become arcs from the root without t.
template <class Numbers>
class ArborescenceSums {
 public:
  // Weights have n + 1 rows of n + 1 numbers: [m][h] is that of the arc from h to m. Row 0 is ignored,
  // the diagonal zero. They are borrowed until the next assign(). The log of the sum; minus infinity if there
  // is no tree, and then nothing else may be called.
  double assign(int words, RootMode root, std::span<const double> weights);

  // The probability of every arc, as ordinary numbers in the same places.
  void marginals(std::span<double> probabilities);

  // The lowest log of a product of small d's that numbers have been divided by so far: what is lost by
  // underflow can grow that much.
  double log_underflow_bound() const { return log_underflow_bound_; }

  void sample(std::mt19937_64& random, std::span<int> heads);

 private:
  // Square, over the root (0) and some words. Of a word that has been eliminated, the row holds w(h, k) / d
  // for the heads that were left then, and the column w(k, m).
  struct Matrix {
    std::vector<double> numbers;
    int stride = 0;
    int power = 0;                     // of t in all numbers of column 0 that words which are left have
    std::vector<int> powers;           // the same by word that was eliminated, at that time
    int root_word = 0;                 // the word below the root, once the single root arc has been used
    double log_underflow_bound = 0.0;  // log of the product of all d below 1

    double* row(int position) { return numbers.data() + static_cast<std::ptrdiff_t>(position) * stride; }
    void resize(int positions);
  };

  static std::ptrdiff_t offset(int row, int stride) { return static_cast<std::ptrdiff_t>(row) * stride; }
  // target[i] += factor * source[i]
  static void add_multiple(double* target, const double* source, double factor, int count);
  double eliminate(Matrix& matrix, int last, int kept);

  // What is left when other words have been eliminated: positions 0 (the root) and those of first..last.
  struct Remainder {
    const double* numbers;
    int stride;
    int power;
    double log_underflow_bound;
    int first;
    int last;
  };
  void leave_one_out(const Remainder& matrix, std::size_t depth);
  void leave_one_of(const Remainder& matrix, int first_kept, int last_kept, std::size_t depth);
  int draw_component(std::mt19937_64& random, int head, int modifier, int left);
  int draw(std::mt19937_64& random);

  int words_ = 0;
  RootMode root_ = RootMode::multi;
  double log_underflow_bound_ = 0.0;
  std::span<const double> weights_;
  Matrix all_;  // all words eliminated, the last one first

  std::vector<Matrix> levels_;        // by depth of the recursion
  std::vector<double> incoming_;      // by word: its incoming weight d when it is eliminated last
  std::vector<double> escapes_;       // [h][k]: from h upwards, the chance of the root before k
  std::vector<double> root_rows_[2];  // by power of t, by k: one if that is the power of d

  std::vector<int> through_;  // of samples, by word: which word's elimination its arc comes from, 0 if none
  std::vector<std::uint8_t> below_root_;
  std::vector<double> choices_;
  std::vector<int> chosen_;
};

}  // namespace copse
