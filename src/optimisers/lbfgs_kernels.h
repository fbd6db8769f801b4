// The passes of L-BFGS over its vectors: what is done in one range of all of them. A pass reads every
// vector once; s and y, the differences of neighbouring iterates, are formed on the way and never stored.
// With a penalty `l1` above 0, "gradient" means the pseudo-gradient.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimisers/chunked_sums.h"

namespace copse {

// Ranges begin and end at multiples of this, which divides kVectorChunk. Vectors are padded with zeros, which
// change nothing.
constexpr std::size_t kVectorPadding = 8;

struct IterateView {
  const float* x;
  const float* gradient;
};

// A direction as a sum of the newest gradient, s and y. Pair j lies between the iterates j and j + 1.
struct DirectionWeights {
  struct Pair {
    double s = 0.0;
    double y = 0.0;
  };
  double gradient = 0.0;
  std::vector<Pair> pairs;
};

// Where the sums of `add_newest_products` lie: first those of the newest iterate alone, then, for each pair,
// those of the newest y and the newest gradient with the pair's s and y.
enum NewestSum : std::size_t { kStepSquare, kXSquare, kGradientSquare, kNewestSums };
enum PairSum : std::size_t { kNewestYWithS, kNewestYWithY, kGradientWithS, kGradientWithY, kPairSums };

void add_newest_products(std::span<const IterateView> iterates, double l1, VectorRange range, double* sums);

// Sums over a trial point: the square of its distance from the newest iterate, the change of the value that
// the gradient predicts, the absolute values of its coordinates, and gradient times direction.
enum TrialSum : std::size_t { kDistanceSquare, kPredictedChange, kAbsoluteX, kSlope, kTrialSums };

// The direction, and the trial point at `step` on it. With a penalty, the direction keeps to descending
// coordinates and the trial point to the orthant of the newest iterate.
void write_direction(std::span<const IterateView> iterates, double l1, const DirectionWeights& weights,
                     double step, VectorRange range, float* direction, float* trial_x, double* sums);

// The trial point alone, for another step on the same direction.
void write_trial(const IterateView& newest, double l1, const float* direction, double step, VectorRange range,
                 float* trial_x, double* sums);

// Adds the product of two vectors to one sum.
void add_product(const float* a, const float* b, VectorRange range, double* sum);

}  // namespace copse
