#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "network/gradients.h"
#include "network/random.h"

namespace copse::testing {

// Compares a gradient with finite differences along random directions within every block. `value` gives the
// loss at the weights as they are.
inline void expect_gradient(const NetworkBlocks& blocks, const Gradients& gradients,
                            std::vector<float>& weights, const std::function<double()>& value,
                            Random& random) {
  std::vector<float> all(gradients.dense().begin(), gradients.dense().end());
  all.resize(blocks.size, 0.0F);
  for (const Gradients::Table& table : gradients.tables()) {
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      const auto values = table.values_of(k);
      std::copy(values.begin(), values.end(),
                all.begin() + static_cast<std::ptrdiff_t>(table.offset + table.rows[k] * table.columns));
    }
  }
  for (const Block* block : blocks.all()) {
    // Along random directions within the block.
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<float> direction(block->size());
      double expected = 0.0;
      for (std::size_t k = 0; k < direction.size(); ++k) {
        direction[k] = random.normal();
        expected += static_cast<double>(direction[k]) * all[block->offset + k];
      }
      const std::vector<float> before = weights;
      const auto move = [&](float step) {
        for (std::size_t k = 0; k < direction.size(); ++k) {
          weights[block->offset + k] = before[block->offset + k] + step * direction[k];
        }
        return value();
      };
      // Rectifiers have kinks, which a step may cross, and floats have rounding errors, in which a short step
      // is lost. A wrong derivative is wrong with all of them.
      bool agrees = false;
      double difference = 0.0;
      for (const float step : {4e-3F, 1e-3F, 2.5e-4F, 6e-5F}) {
        difference = (move(step) - move(-step)) / (2.0 * static_cast<double>(step));
        agrees = agrees || std::abs(expected - difference) < 0.01 * std::abs(difference) + 0.02;
      }
      weights = before;
      EXPECT_TRUE(agrees) << block->name << ": " << expected << " against " << difference;
    }
  }
}

}  // namespace copse::testing
