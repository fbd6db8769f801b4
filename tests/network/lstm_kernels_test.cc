#include "network/lstm_kernels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "every_simd_target.h"
#include "random_numbers.h"

namespace copse {
namespace {

using testing::normal_numbers;
using testing::on_every_simd_target;
using Numbers = std::vector<float>;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// A step of one sequence by definition. Pre-activations are sums of two rows.
struct Expected {
  std::vector<double> gates, cell, tanh_cell, output;

  Expected(std::size_t hidden, const Numbers& input, const Numbers& recurrent, const Numbers& previous)
      : gates(4 * hidden), cell(hidden), tanh_cell(hidden), output(hidden) {
    for (std::size_t k = 0; k < 4 * hidden; ++k) {
      const double z = static_cast<double>(input[k]) + (recurrent.empty() ? 0.0F : recurrent[k]);
      gates[k] = k / hidden == 2 ? std::tanh(z) : sigmoid(z);
    }
    for (std::size_t k = 0; k < hidden; ++k) {
      const double c = previous.empty() ? 0.0 : previous[k];
      cell[k] = gates[hidden + k] * c + gates[k] * gates[2 * hidden + k];
      tanh_cell[k] = std::tanh(cell[k]);
      output[k] = gates[3 * hidden + k] * tanh_cell[k];
    }
  }
};

void expect_near(const Numbers& numbers, const std::vector<double>& expected, double tolerance = 1e-6) {
  ASSERT_EQ(numbers.size(), expected.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    ASSERT_NEAR(numbers[k], expected[k], tolerance) << "number " << k;
  }
}

struct Sequence {
  Numbers input, recurrent, previous;
};

std::vector<Sequence> random_sequences(std::mt19937_64& random, std::size_t hidden, std::size_t count) {
  std::vector<Sequence> sequences;
  for (std::size_t s = 0; s < count; ++s) {
    const bool is_first = random() % 3 == 0;
    sequences.push_back({normal_numbers(random, 4 * hidden, 3.0F),
                         is_first ? Numbers() : normal_numbers(random, 4 * hidden, 3.0F),
                         is_first ? Numbers() : normal_numbers(random, hidden)});
  }
  return sequences;
}

const float* pointer(const Numbers& numbers) { return numbers.empty() ? nullptr : numbers.data(); }

TEST(LstmKernels, StepsFollowTheDefinition) {
  on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const std::size_t hidden = 1 + random() % 70;
      const std::vector<Sequence> sequences = random_sequences(random, hidden, 1 + random() % 5);
      std::vector<Numbers> cells, outputs;
      std::vector<std::vector<std::uint8_t>> quantised;
      for (const Sequence& sequence : sequences) {
        cells.push_back(sequence.previous.empty() ? Numbers(hidden, 0.0F) : sequence.previous);
        outputs.emplace_back(hidden);
        quantised.emplace_back(hidden + 1, 77);
      }
      std::vector<LstmStep> steps;
      for (std::size_t s = 0; s < sequences.size(); ++s) {
        steps.push_back({sequences[s].input.data(), pointer(sequences[s].recurrent), cells[s].data(),
                         outputs[s].data(), quantised[s].data()});
      }
      lstm_step(hidden, steps);
      for (std::size_t s = 0; s < sequences.size(); ++s) {
        const Expected expected(hidden, sequences[s].input, sequences[s].recurrent, sequences[s].previous);
        expect_near(cells[s], expected.cell);
        expect_near(outputs[s], expected.output);
        for (std::size_t k = 0; k < hidden; ++k) {
          ASSERT_LE(std::abs(quantised[s][k] - 128 - 127.0F * outputs[s][k]), 0.5001F);
        }
        EXPECT_EQ(quantised[s][hidden], 77) << "nothing behind the row is written";
      }
    }
  });
}

// In training the same numbers come out, bit by bit, and what the way back needs.
TEST(LstmKernels, TrainingKeepsGatesAndCells) {
  on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const std::size_t hidden = 1 + random() % 70;
      const Sequence sequence = random_sequences(random, hidden, 1).front();
      Numbers gates = sequence.input;
      Numbers cell(hidden), tanh_cell(hidden), output(hidden);
      const LstmForwardStep forward = {gates.data(),
                                       pointer(sequence.recurrent),
                                       pointer(sequence.previous),
                                       cell.data(),
                                       tanh_cell.data(),
                                       output.data()};
      lstm_forward_step(hidden, {&forward, 1});
      const Expected expected(hidden, sequence.input, sequence.recurrent, sequence.previous);
      expect_near(gates, expected.gates);
      expect_near(cell, expected.cell);
      expect_near(tanh_cell, expected.tanh_cell);
      expect_near(output, expected.output);

      Numbers parsed_cell = sequence.previous.empty() ? Numbers(hidden, 0.0F) : sequence.previous;
      Numbers parsed_output(hidden);
      const LstmStep step = {sequence.input.data(), pointer(sequence.recurrent), parsed_cell.data(),
                             parsed_output.data(), nullptr};
      lstm_step(hidden, {&step, 1});
      EXPECT_EQ(parsed_cell, cell);
      EXPECT_EQ(parsed_output, output);
    }
  });
}

// loss = a · h + b · c'. Its differences come from the definition in double precision.
TEST(LstmKernels, BackwardStepsAgreeWithDifferences) {
  on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const std::size_t hidden = 1 + random() % 40;
      const Sequence sequence = random_sequences(random, hidden, 1).front();
      const Numbers a = normal_numbers(random, hidden);
      const Numbers recurrent_a = sequence.recurrent.empty() ? Numbers() : normal_numbers(random, hidden);
      const Numbers b = normal_numbers(random, hidden);
      const auto loss = [&](const Numbers& input, const Numbers& previous) {
        const Expected expected(hidden, input, sequence.recurrent, previous);
        double sum = 0.0;
        for (std::size_t k = 0; k < hidden; ++k) {
          sum += (a[k] + (recurrent_a.empty() ? 0.0 : recurrent_a[k])) * expected.output[k] +
                 b[k] * expected.cell[k];
        }
        return sum;
      };
      Numbers gates = sequence.input;
      Numbers cell(hidden), tanh_cell(hidden), output(hidden);
      const LstmForwardStep forward = {gates.data(),
                                       pointer(sequence.recurrent),
                                       pointer(sequence.previous),
                                       cell.data(),
                                       tanh_cell.data(),
                                       output.data()};
      lstm_forward_step(hidden, {&forward, 1});
      Numbers cell_gradient = b;
      const LstmBackwardStep backward = {a.data(),         pointer(recurrent_a),       gates.data(),
                                         tanh_cell.data(), pointer(sequence.previous), cell_gradient.data(),
                                         gates.data()};
      lstm_backward_step(hidden, {&backward, 1});

      // The parameter moves by exactly representable steps.
      const float step = 0x1p-7F;
      const auto difference = [&](Numbers numbers, std::size_t k, const auto& value) {
        const float middle = numbers[k];
        numbers[k] = middle + step;
        const double distance_up = static_cast<double>(numbers[k]) - middle;
        const double up = value(numbers);
        numbers[k] = middle - step;
        const double distance_down = static_cast<double>(middle) - numbers[k];
        return (up - value(numbers)) / (distance_up + distance_down);
      };
      for (std::size_t k = 0; k < 4 * hidden; ++k) {
        const double expected = difference(
            sequence.input, k, [&](const Numbers& input) { return loss(input, sequence.previous); });
        ASSERT_NEAR(gates[k], expected, 2e-4) << "gate " << k;
      }
      for (std::size_t k = 0; k < hidden && !sequence.previous.empty(); ++k) {
        const double expected = difference(
            sequence.previous, k, [&](const Numbers& previous) { return loss(sequence.input, previous); });
        ASSERT_NEAR(cell_gradient[k], expected, 2e-4) << "cell " << k;
      }
    }
  });
}

// The place of a number in its row and the width of the row do not matter, bit by bit.
TEST(LstmKernels, ResultsDoNotDependOnThePlace) {
  on_every_simd_target([] {
    std::mt19937_64 random(7);
    const std::size_t hidden = 53;
    const Sequence wide = random_sequences(random, hidden, 1).front();
    Numbers cells(hidden, 0.25F), outputs(hidden);
    const LstmStep step = {wide.input.data(), nullptr, cells.data(), outputs.data(), nullptr};
    lstm_step(hidden, {&step, 1});
    for (std::size_t k = 0; k < hidden; ++k) {
      const Numbers gates = {wide.input[k], wide.input[hidden + k], wide.input[2 * hidden + k],
                             wide.input[3 * hidden + k]};
      float cell = 0.25F;
      float output = 0.0F;
      const LstmStep single = {gates.data(), nullptr, &cell, &output, nullptr};
      lstm_step(1, {&single, 1});
      ASSERT_EQ(cell, cells[k]) << k;
      ASSERT_EQ(output, outputs[k]) << k;
    }
  });
}

// Vectors of any size give the same bits where multiplications and additions are fused.
TEST(LstmKernels, ProcessorsWithFusedMultiplyAddsAgree) {
  std::mt19937_64 random(9);
  const std::size_t hidden = 300;
  const Sequence sequence = random_sequences(random, hidden, 1).front();
  Numbers first_output;
  on_every_simd_target([&] {
    if (hwy::SupportedTargets() == HWY_SCALAR) return;
    Numbers cells(hidden, -0.75F), output(hidden);
    const LstmStep step = {sequence.input.data(), nullptr, cells.data(), output.data(), nullptr};
    lstm_step(hidden, {&step, 1});
    if (first_output.empty()) first_output = output;
    EXPECT_EQ(output, first_output);
  });
}

}  // namespace
}  // namespace copse
