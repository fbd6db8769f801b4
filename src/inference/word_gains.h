// Scales under which sums over the trees of a long sentence stay within the range of doubles.
//
// Every tree has exactly one part of highest order that ends in each word, so the weights of all parts that
// end in word m may be multiplied by exp(gain[m]): log Z changes by the sum of the gains, and probabilities
// do not change. Weights that are at most 1 lose some nats a word, and after some hundred words their sums
// underflow. Gains that give back what a word loses keep them near 1.
#pragma once

#include <vector>

#include "copse/inference/arc_set.h"

namespace copse {

// What sums over short spans say about the loss of each word.
class WordGains {
 public:
  // Wider spans are not looked at. That much of a long sentence takes some 5% of the time of its sums.
  static int widest(int words);

  // Forgets all spans. Those that are not set are impossible.
  void assign(int words);
  // The sum over trees of a complete span of up to widest() words beside its head, which is not the root.
  void set(Side side, int head, int width, double value);

  // The gain of each word, entry 0 unused.
  const std::vector<double>& estimate();
  // No gain is above this, and none of them below its negative.
  double largest() const { return largest_; }

 private:
  double estimate_with(double cost_of_root);
  double* row(Side side, int head) {
    return logs_.data() + (2 * static_cast<std::ptrdiff_t>(head) + (side == Side::right ? 1 : 0)) * stride_;
  }

  int words_ = 0;
  int widest_ = 0;
  std::ptrdiff_t stride_ = 0;
  std::vector<double> logs_;    // [head][side][width]
  std::vector<double> prefix_;  // [word]: log of the best forest over the words up to it
  std::vector<double>
      opened_;  // [head]: log of the best forest that ends in the left half of the head's span
  std::vector<double> gains_;
  double largest_ = 0.0;
};

}  // namespace copse
