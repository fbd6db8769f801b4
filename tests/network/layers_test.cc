// Every layer on the back ends of processors; cuda_layers_test.cc has that of GPUs.
#include "network/byte_back_end.h"
#include "network/float_back_end.h"
#include "network/layer_property.h"

namespace copse::testing {
namespace {

Rows rows_of(ConstMatrix matrix) {
  Rows rows;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    rows.emplace_back(matrix.row(row), matrix.row(row) + matrix.columns);
  }
  return rows;
}

void copy_rows(const Rows& rows, Matrix to) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::ranges::transform(rows[row], to.row(row), [](double number) { return static_cast<float>(number); });
  }
}

struct FloatMachine {
  using BackEnd = FloatBackEnd;
  static constexpr double kTolerance = 3e-6;
  static std::string why_not() { return {}; }

  FloatMachine(const NetworkBlocks& network_blocks, const std::vector<float>& numbers)
      : blocks(&network_blocks),
        all(numbers),
        weights(network_blocks),
        sums(network_blocks),
        gradients(sums.by_weight(network_blocks)) {
    weights.assign(all);
  }
  std::vector<double> effective_weights() const { return {all.begin(), all.end()}; }
  void write(const Rows& rows, Matrix to) { copy_rows(rows, to); }
  Rows read(ConstMatrix matrix) { return rows_of(matrix); }
  Rows read_activations(FloatBackEnd::Activations& values) { return rows_of(values.all()); }
  ReferenceRow read_gradient() const {
    ReferenceRow gradient(sums.dense().begin(), sums.dense().end());
    gradient.resize(blocks->size, 0.0);
    for (const Gradients::Table& table : sums.tables()) {
      for (std::size_t k = 0; k < table.rows.size(); ++k) {
        std::ranges::copy(table.values_of(k), &gradient[table.offset + table.rows[k] * table.columns]);
      }
    }
    return gradient;
  }

  const NetworkBlocks* blocks;
  std::vector<float> all;
  FloatBackEnd on;
  TrainingWeights weights;
  Gradients sums;
  WeightSet<GradientForm> gradients;
};

struct ByteMachine {
  using BackEnd = ByteBackEnd;
  static constexpr double kTolerance = 0.02;
  static std::string why_not() { return {}; }

  ByteMachine(const NetworkBlocks& network_blocks, const std::vector<float>& numbers)
      : blocks(&network_blocks), weights(network_blocks, numbers) {}
  std::vector<double> effective_weights() const {
    std::vector<float> all(blocks->size);
    weights.dequantise(*blocks, all);
    return {all.begin(), all.end()};
  }
  void write(const Rows& rows, Matrix to) { copy_rows(rows, to); }
  Rows read(ConstMatrix matrix) { return rows_of(matrix); }
  Rows read_activations(ByteBackEnd::Activations& values) {
    Rows rows;
    for (std::size_t row = 0; row < values.bytes().rows(); ++row) {
      ReferenceRow& numbers = rows.emplace_back();
      for (const std::uint8_t byte : values.bytes().row(row)) {
        numbers.push_back((static_cast<double>(byte) - kZeroActivation) * values.bytes().scale(row));
      }
    }
    return rows;
  }

  const NetworkBlocks* blocks;
  ByteBackEnd on;
  QuantisedWeights weights;
};

using Machines = ::testing::Types<FloatMachine, ByteMachine>;
INSTANTIATE_TYPED_TEST_SUITE_P(Processors, Layers, Machines);

}  // namespace
}  // namespace copse::testing
