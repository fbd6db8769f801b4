#pragma once

namespace copse {

// Looks for a good step along one direction. Pure numbers: the caller evaluates the function.
//
// Steps grow until two of them enclose what is wanted, a value that is low enough and a slope that is flat
// enough (the strong Wolfe conditions); from then on parabolas shrink the interval to a half or less. Without
// the condition on the slope this is backtracking.
class LineSearch {
 public:
  struct Point {
    double step;
    double value;
    double slope;
  };

  // The slope at the start must be negative.
  LineSearch(double start_value, double start_slope, double first_step, bool wants_flat_slope);

  // The step to try.
  double step() const { return step_; }
  // False when the step cannot change the value by more than its rounding error.
  bool is_step_worthwhile() const;
  // Whether the point at `step` is good; if not, chooses another step. A value or slope that is not finite is
  // a step too long. `predicted_change`: of the value, by the gradient at the start.
  bool accepts(double value, double slope, double predicted_change);
  // The lowest point so far; at step 0 if none was low enough.
  const Point& lowest() const { return low_; }

 private:
  double interpolated() const;
  double extrapolated(const Point& before) const;

  Point start_;
  Point low_;
  Point high_;  // the other end, when it is enclosed
  bool enclosed_ = false;
  bool wants_flat_slope_;
  double step_;
};

}  // namespace copse
