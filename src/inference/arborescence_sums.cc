#include "inference/arborescence_sums.h"

#include <algorithm>

#include "numeric/numbers.h"

namespace copse {
template <class Numbers>
void ArborescenceSums<Numbers>::Matrix::resize(int positions) {
  stride = positions;
  numbers.resize(static_cast<std::size_t>(positions) * static_cast<std::size_t>(positions));
  powers.resize(static_cast<std::size_t>(positions));
  root_word = 0;
}

template <class Numbers>
void ArborescenceSums<Numbers>::add_multiple(double* target, const double* source, double factor, int count) {
  if (factor == Numbers::kZero) return;
  for (int i = 0; i < count; ++i) target[i] = Numbers::add(target[i], Numbers::multiply(factor, source[i]));
}

// Eliminates the positions `last` down to `kept` + 1. Returns the log of the product of their weights.
template <class Numbers>
double ArborescenceSums<Numbers>::eliminate(Matrix& matrix, int last, int kept) {
  double log_product = 0.0;
  for (int k = last; k > kept; --k) {
    double* from = matrix.row(k);
    double total = Numbers::kZero;
    for (int h = 1; h < k; ++h) total = Numbers::add(total, from[h]);
    const bool uses_root_arc = matrix.power == 1 && total == Numbers::kZero;
    if (matrix.power == 0 || uses_root_arc) total = Numbers::add(total, from[0]);
    if (total == Numbers::kZero) return kMinusInfinity;
    log_product += Numbers::log(total);
    matrix.log_underflow_bound += std::min(0.0, Numbers::log(total));
    if (uses_root_arc) {
      matrix.root_word = k;
      matrix.power = 0;
      for (int m = 1; m < k; ++m) matrix.row(m)[0] = Numbers::kZero;
    }
    matrix.powers[static_cast<std::size_t>(k)] = matrix.power;
    for (int h = 0; h < k; ++h) from[h] = Numbers::divide(from[h], total);
    for (int m = 1; m < k; ++m) {
      double* to = matrix.row(m);
      add_multiple(to, from, to[k], k);
      to[m] = Numbers::kZero;
    }
  }
  return log_product;
}

template <class Numbers>
double ArborescenceSums<Numbers>::assign(int words, RootMode root, std::span<const double> weights) {
  words_ = words;
  root_ = root;
  weights_ = weights;
  all_.resize(words + 1);
  all_.power = root == RootMode::single ? 1 : 0;
  all_.log_underflow_bound = 0.0;
  std::copy(weights.begin(), weights.end(), all_.numbers.begin());
  const double log_sum = eliminate(all_, words, 0);
  log_underflow_bound_ = all_.log_underflow_bound;
  return log_sum;
}

// P(h → k) = w(h, k) · (trees without the arc into k, with h not below k) / (all trees). The latter is d, if
// k is eliminated last, times the trees without any arc into k. And of these, h is below the root in as many
// as is the chance of a walk up from h, by heads drawn from their weights, to get to the root before k.
template <class Numbers>
void ArborescenceSums<Numbers>::marginals(std::span<double> probabilities) {
  const auto positions = static_cast<std::size_t>(words_) + 1;
  incoming_.resize(positions);
  escapes_.resize(positions * positions);
  for (std::vector<double>& row : root_rows_) row.assign(positions, Numbers::kZero);
  const int power = root_ == RootMode::single ? 1 : 0;
  leave_one_out({weights_.data(), words_ + 1, power, 0.0, 1, words_}, 0);
  std::copy(root_rows_[power].begin(), root_rows_[power].end(), escapes_.begin());
  for (std::size_t k = 1; k < positions; ++k) {
    for (std::size_t h = 0; h < positions; ++h) {
      const double weight = weights_[k * positions + h];
      probabilities[k * positions + h] =
          weight == Numbers::kZero
              ? 0.0
              : std::min(1.0, Numbers::ratio(Numbers::multiply(weight, escapes_[h * positions + k]),
                                             incoming_[k]));
    }
  }
}

// Everything about the words first..last when each of them is eliminated last. Half of them are left out at
// a time, so that words share the work for the others: O(n³) for all together.
template <class Numbers>
void ArborescenceSums<Numbers>::leave_one_out(const Remainder& matrix, std::size_t depth) {
  const auto [numbers, stride, power, log_underflow_bound, first, last] = matrix;
  if (first == last) {
    const auto k = static_cast<std::size_t>(first);
    incoming_[k] = numbers[stride];
    log_underflow_bound_ =
        std::min(log_underflow_bound_, log_underflow_bound + std::min(0.0, Numbers::log(incoming_[k])));
    escapes_[k * (static_cast<std::size_t>(words_) + 1) + k] = Numbers::kZero;
    root_rows_[power][k] = Numbers::kOne;
    return;
  }
  const int middle = first + (last - first) / 2;
  leave_one_of(matrix, first, middle, depth);
  leave_one_of(matrix, middle + 1, last, depth);
}

template <class Numbers>
void ArborescenceSums<Numbers>::leave_one_of(const Remainder& matrix, int first_kept, int last_kept,
                                             std::size_t depth) {
  if (levels_.size() <= depth) levels_.resize(depth + 1);
  const int first = matrix.first;
  const int size = matrix.last - first + 1;
  const int kept = last_kept - first_kept + 1;
  // The words to keep come first. They are one end of all, so that others are shifted or change places.
  const int before = first_kept - first;
  const auto place_of = [=](int position) {
    if (position == 0) return 0;
    return position > before ? position - before : position + kept;
  };
  {
    Matrix& level = levels_[depth];
    level.resize(size + 1);
    level.power = matrix.power;
    level.log_underflow_bound = matrix.log_underflow_bound;
    for (int m = 1; m <= size; ++m) {
      const double* from = matrix.numbers + offset(m, matrix.stride);
      double* to = level.row(place_of(m));
      for (int h = 0; h <= size; ++h) to[place_of(h)] = from[h];
    }
    if (eliminate(level, size, kept) == kMinusInfinity) {
      log_underflow_bound_ = kMinusInfinity;  // all incoming arcs of some word have underflowed
      return;
    }
    leave_one_out(
        {level.numbers.data(), level.stride, level.power, level.log_underflow_bound, first_kept, last_kept},
        depth + 1);
  }
  // The recursion may have moved the levels, but it has not changed this one.
  Matrix& level = levels_[depth];
  const auto escapes_of = [&](int word) { return escapes_.data() + offset(word, words_ + 1) + first_kept; };
  const auto word_at = [=](int place) {
    if (place <= kept) return first_kept + place - 1;
    return before > 0 ? first + place - kept - 1 : first + place - 1;
  };
  for (int k = kept + 1; k <= size; ++k) {
    double* target = escapes_of(word_at(k));
    std::fill_n(target, kept, Numbers::kZero);
    const double* row = level.row(k);
    add_multiple(target, root_rows_[level.powers[static_cast<std::size_t>(k)]].data() + first_kept, row[0],
                 kept);
    for (int h = 1; h < k; ++h) add_multiple(target, escapes_of(word_at(h)), row[h], kept);
  }
}

template <class Numbers>
int ArborescenceSums<Numbers>::draw(std::mt19937_64& random) {
  const double largest = *std::max_element(choices_.begin(), choices_.end());
  double total = 0.0;
  for (double& choice : choices_) total += choice = Numbers::ratio(choice, largest);
  // 53 random bits; the standard distributions may differ from library to library.
  double threshold = static_cast<double>(random() >> 11) * 0x1.0p-53 * total;
  std::size_t last_possible = 0;
  for (std::size_t k = 0; k < choices_.size(); ++k) {
    if (choices_[k] <= 0.0) continue;
    last_possible = k;
    threshold -= choices_[k];
    if (threshold < 0.0) break;
  }
  return chosen_[last_possible];
}

// When the words 1..left are left, the weight of an arc is its own, and what each elimination has added.
// Draws one of them: 0 or the word.
template <class Numbers>
int ArborescenceSums<Numbers>::draw_component(std::mt19937_64& random, int head, int modifier, int left) {
  choices_.clear();
  chosen_.clear();
  const auto add = [&](int word, double weight) {
    choices_.push_back(weight);
    chosen_.push_back(word);
  };
  const bool root_arc_is_used = head == 0 && all_.root_word > left;
  if (!root_arc_is_used) {
    add(0, weights_[static_cast<std::size_t>(offset(modifier, words_ + 1) + head)]);
  }
  const double* column = all_.row(modifier);
  for (int k = left + 1; k <= (root_arc_is_used ? all_.root_word : words_); ++k) {
    add(k, Numbers::multiply(column[k], all_.row(k)[head]));
  }
  return draw(random);
}

// Words come back in the reverse order of their elimination. Let there be a tree over the words before k, and
// let S be those among them whose arcs are paths through k. Cut these arcs: then the trees with k in which
// exactly the words S hang on k differ in the head of k alone, which is any word still below the root. The
// paths through k that make S hang together in one tree weigh the same in sum as these heads do (by Cayley's
// formula: each part of the tree chooses its head among all others). So S is right as it is, and the head of
// k is drawn.
template <class Numbers>
void ArborescenceSums<Numbers>::sample(std::mt19937_64& random, std::span<int> heads) {
  heads[0] = 0;
  through_.assign(static_cast<std::size_t>(words_) + 1, 0);
  below_root_.resize(static_cast<std::size_t>(words_) + 1);
  for (int k = 1; k <= words_; ++k) {
    enum : std::uint8_t { unknown, no, yes };
    std::fill_n(below_root_.begin(), k, unknown);
    below_root_[0] = yes;
    for (int m = 1; m < k; ++m) {
      int at = m;
      std::uint8_t answer = unknown;
      while ((answer = below_root_[at]) == unknown && through_[at] != k) at = heads[at];
      if (answer == unknown) answer = no;
      for (int back = m; below_root_[back] == unknown; back = heads[back]) {
        below_root_[back] = answer;
        if (through_[back] == k) break;
      }
    }
    choices_.clear();
    chosen_.clear();
    const double* row = all_.row(k);
    for (int h = 0; h < k; ++h) {
      // While the single root arc has not been used, an arc from the root counts nothing beside one from a
      // word.
      const bool is_last_resort = h == 0 && all_.powers[static_cast<std::size_t>(k)] == 1;
      if (below_root_[h] != yes || row[h] == Numbers::kZero || is_last_resort) continue;
      choices_.push_back(row[h]);
      chosen_.push_back(h);
    }
    const int head = chosen_.empty() ? 0 : draw(random);
    for (int m = 1; m < k; ++m) {
      if (through_[m] != k) continue;
      heads[m] = k;
      through_[m] = draw_component(random, k, m, k);
    }
    heads[k] = head;
    through_[k] = draw_component(random, head, k, k);
  }
}

template class ArborescenceSums<LinearNumbers>;
template class ArborescenceSums<LogNumbers>;

}  // namespace copse
