#pragma once

#include "network/dropout_plan.h"

namespace copse {

// Multiplies columns by factors that are the same for all rows of a sequence: 0 where the plan drops the
// column, otherwise so much more than 1 that the mean stays. The gradient takes the same way back.
template <class BackEnd>
class Dropout {
 public:
  void draw(BackEnd& on, const DropoutSite& site) {
    drops_ = !site.states.empty();
    if (drops_) on.draw_factors(site, factors_);
  }
  bool drops() const { return drops_; }
  void apply(BackEnd& on, const typename BackEnd::Sequences& sequences, typename BackEnd::Matrix rows) {
    if (drops_) on.multiply_sequences(sequences, factors_, rows);
  }

 private:
  bool drops_ = false;
  typename BackEnd::Values factors_;  // [sequence][column]
};

}  // namespace copse
