#include "inference/word_gains.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace copse {
namespace {

constexpr double kImpossible = -1e4;

// Off by at most 0.06, which is nothing here: the exponent, and the mantissa for its logarithm.
double rough_log(double x) {
  const auto bits = static_cast<double>(std::bit_cast<std::int64_t>(x));
  return (bits * 0x1p-52 - 1023.0) * std::numbers::ln2;
}

}  // namespace

int WordGains::widest(int words) { return std::min(words, std::max(64, words / 8)); }

void WordGains::assign(int words) {
  words_ = words;
  widest_ = widest(words);
  stride_ = widest_ + 1;
  logs_.assign(2 * static_cast<std::size_t>(words + 1) * stride_, kImpossible);
  prefix_.assign(static_cast<std::size_t>(words) + 1, 0.0);
  opened_.assign(static_cast<std::size_t>(words) + 1, 0.0);
  gains_.assign(static_cast<std::size_t>(words) + 1, 0.0);
}

void WordGains::set(Side side, int head, int width, double value) {
  if (value > 0.0 && std::isfinite(value)) row(side, head)[width] = rough_log(value);
}

// prefix[k] = the highest log-value of a forest over the words 1..k: a row of trees, none of which reaches
// further than the widest span from its root. The incoming part of a root is unknown, and costs the same for
// all. With gain[k] = prefix[k-1] - prefix[k], a forest that is best has the value 1 whatever its length, and
// no tree in it has a higher one than its root costs.
double WordGains::estimate_with(double cost_of_root) {
  prefix_[0] = 0.0;
  for (int k = 1; k <= words_; ++k) {
    const int reach = std::min(widest_, k - 1);
    const double* left = row(Side::left, k);
    double best = kImpossible * words_;
    for (int width = 0; width <= reach; ++width) best = std::max(best, prefix_[k - width - 1] + left[width]);
    opened_[k] = best - cost_of_root;
    best = kImpossible * words_;
    const double* right = row(Side::right, k);
    for (int width = 0; width <= reach; ++width) {
      best = std::max(best, opened_[k - width] + right[width - 2 * width * stride_]);
    }
    prefix_[k] = best;
    gains_[k] = prefix_[k - 1] - best;
  }
  return -prefix_[words_] / words_;
}

const std::vector<double>& WordGains::estimate() {
  // A root should cost more than a usual word loses, or every word becomes a root, and not much more, because
  // it stands for a word that hangs on one further away. The loss is found in a few rounds.
  double loss = 5.0;
  for (int round = 0; round < 4; ++round) loss = estimate_with(3.0 * std::max(0.0, loss) + 5.0);
  largest_ = 0.0;
  for (const double gain : gains_) largest_ = std::max(largest_, std::abs(gain));
  return gains_;
}

}  // namespace copse
