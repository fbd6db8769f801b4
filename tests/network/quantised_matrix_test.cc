#include "network/quantised_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "copse/error.h"
#include "counted_allocations.h"
#include "every_simd_target.h"
#include "random_numbers.h"

namespace copse {
namespace {

using testing::normal_numbers;
using testing::on_every_simd_target;
using Numbers = std::vector<float>;

// Weights and activations of a random size; activations as those of tanh.
struct Case {
  std::size_t rows, inputs, outputs;
  Numbers weights, activations, bias;

  Case(std::mt19937_64& random, std::size_t most_rows, std::size_t most_inputs, std::size_t most_outputs)
      : rows(1 + random() % most_rows),
        inputs(1 + random() % most_inputs),
        outputs(1 + random() % most_outputs),
        weights(normal_numbers(random, inputs * outputs, 0.1F)),
        activations(normal_numbers(random, rows * inputs)),
        bias(random() % 2 == 0 ? Numbers() : normal_numbers(random, outputs)) {
    for (float& x : activations) x = std::tanh(x);
  }
  ConstMatrix weight_matrix() const { return {weights.data(), inputs, outputs}; }
  ConstMatrix activation_matrix() const { return {activations.data(), rows, inputs}; }
};

Numbers product(const QuantisedMatrix& matrix, const QuantisedRows& rows, const Numbers& bias) {
  Numbers result(rows.rows() * matrix.outputs(), -1.0F);
  matrix.multiply(rows, bias, Matrix(result.data(), rows.rows(), matrix.outputs()));
  return result;
}

TEST(QuantisedMatrix, ProductsAreThoseOfTheRoundedNumbers) {
  on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const Case test(random, 70, 90, 170);
      const QuantisedMatrix matrix = QuantisedMatrix::from(test.weight_matrix());
      ASSERT_EQ(matrix.inputs(), test.inputs);
      ASSERT_EQ(matrix.outputs(), test.outputs);
      Numbers rounded(test.weights.size());
      matrix.dequantise(Matrix(rounded.data(), test.inputs, test.outputs));
      for (std::size_t k = 0; k < rounded.size(); ++k) {
        ASSERT_NEAR(rounded[k], test.weights[k], 0.501F / 127 * 0.7F) << "half a step, for weights below 0.7";
      }
      QuantisedRows rows;
      const bool is_bounded = seed % 2 == 0;
      if (is_bounded) {
        rows.assign_bounded(test.activation_matrix());
      } else {
        rows.assign(test.activation_matrix());
      }
      const Numbers result = product(matrix, rows, test.bias);
      for (std::size_t r = 0; r < test.rows; ++r) {
        for (std::size_t k = 0; k < test.inputs; ++k) {
          const float x = rows.scale(r) * static_cast<float>(rows.row(r)[k] - 128);
          ASSERT_NEAR(x, test.activations[r * test.inputs + k], 0.502F / 127);
        }
        for (std::size_t c = 0; c < test.outputs; ++c) {
          double sum = test.bias.empty() ? 0.0 : test.bias[c];
          for (std::size_t k = 0; k < test.inputs; ++k) {
            sum +=
                static_cast<double>(rows.scale(r)) * (rows.row(r)[k] - 128) * rounded[k * test.outputs + c];
          }
          ASSERT_NEAR(result[r * test.outputs + c], sum, 3e-6) << "row " << r << " column " << c;
        }
      }
    }
  });
}

// Every row alone, and the first few of them, give the bits that all together give.
TEST(QuantisedMatrix, ARowDoesNotDependOnItsBatch) {
  on_every_simd_target([] {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(seed);
      std::mt19937_64 random(seed);
      const Case test(random, 130, 70, 150);
      const QuantisedMatrix matrix = QuantisedMatrix::from(test.weight_matrix());
      QuantisedRows rows;
      rows.assign(test.activation_matrix());
      const Numbers together = product(matrix, rows, test.bias);
      const std::size_t some = 1 + random() % test.rows;
      Numbers first(some * test.outputs);
      matrix.multiply(rows, test.bias, Matrix(first.data(), some, test.outputs));
      EXPECT_EQ(std::memcmp(first.data(), together.data(), first.size() * sizeof(float)), 0);
      for (std::size_t r = 0; r < test.rows; ++r) {
        QuantisedRows row;
        row.assign({test.activation_matrix().row(r), 1, test.inputs});
        const Numbers alone = product(matrix, row, test.bias);
        ASSERT_EQ(std::memcmp(alone.data(), together.data() + r * test.outputs, alone.size() * sizeof(float)),
                  0)
            << "row " << r;
      }
    }
  });
}

// Nothing saturates where all numbers are as large as they can be, by any instructions.
TEST(QuantisedMatrix, LargestNumbersDoNotOverflow) {
  on_every_simd_target([] {
    const std::size_t inputs = 1000;
    const std::size_t outputs = 80;
    Numbers weights(inputs * outputs);
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] = k % outputs % 2 == 0 ? 1.0F : -1.0F;
    const QuantisedMatrix matrix = QuantisedMatrix::from({weights.data(), inputs, outputs});
    const Numbers ones(7 * inputs, 1.0F);
    QuantisedRows rows;
    rows.assign_bounded({ones.data(), 7, inputs});
    Numbers best = product(matrix, rows, {});
    Numbers single(best.size());
    multiply_bytes(rows.view(), matrix.view(), nullptr, Matrix(single.data(), 7, outputs),
                   ByteProducts::single);
    EXPECT_EQ(best, single);
    for (std::size_t k = 0; k < best.size(); ++k) {
      ASSERT_NEAR(best[k], k % outputs % 2 == 0 ? 1000.0F : -1000.0F, 1e-3) << k;
    }
  });
}

TEST(QuantisedMatrix, ZerosAndNumbersThatAreNotFinite) {
  on_every_simd_target([] {
    std::mt19937_64 random(5);
    const std::size_t inputs = 37;
    const std::size_t outputs = 21;
    Numbers weights = normal_numbers(random, inputs * outputs);
    for (std::size_t k = 0; k < inputs; ++k) weights[k * outputs + 3] = 0.0F;
    const QuantisedMatrix matrix = QuantisedMatrix::from({weights.data(), inputs, outputs});
    Numbers activations = normal_numbers(random, 4 * inputs);
    std::fill_n(activations.begin(), inputs, 0.0F);
    activations[inputs + 20] = std::numeric_limits<float>::quiet_NaN();
    activations[2 * inputs + 36] = -std::numeric_limits<float>::infinity();
    QuantisedRows rows;
    rows.assign({activations.data(), 4, inputs});
    const Numbers result = product(matrix, rows, {});
    for (std::size_t c = 0; c < outputs; ++c) {
      EXPECT_EQ(result[c], 0.0F);
      EXPECT_TRUE(std::isnan(result[outputs + c])) << "not silently a number";
      EXPECT_TRUE(std::isnan(result[2 * outputs + c]));
      EXPECT_TRUE(std::isfinite(result[3 * outputs + c]));
    }
    EXPECT_EQ(result[3 * outputs + 3], 0.0F);
    weights[5] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(QuantisedMatrix::from({weights.data(), inputs, outputs}), std::invalid_argument);
  });
}

TEST(QuantisedMatrix, ImpossibleSizesThrow) {
  const Numbers weights(6, 1.0F);
  const QuantisedMatrix matrix = QuantisedMatrix::from({weights.data(), 2, 3});
  QuantisedRows rows;
  rows.assign_zeros(2, 2);
  Numbers result(9);
  EXPECT_NO_THROW(matrix.multiply(rows, {}, Matrix(result.data(), 2, 3)));
  EXPECT_THROW(matrix.multiply(rows, {}, Matrix(result.data(), 3, 3)), std::invalid_argument);
  EXPECT_THROW(matrix.multiply(rows, {}, Matrix(result.data(), 2, 2)), std::invalid_argument);
  EXPECT_THROW(matrix.multiply(rows, Numbers(2), Matrix(result.data(), 2, 3)), std::invalid_argument);
  rows.assign_zeros(2, 3);
  EXPECT_THROW(matrix.multiply(rows, {}, Matrix(result.data(), 2, 3)), std::invalid_argument);
  EXPECT_THROW(matrix.dequantise(Matrix(result.data(), 3, 2)), std::invalid_argument);
}

TEST(QuantisedMatrix, SteadyStateAllocatesNothing) {
  std::mt19937_64 random(1);
  const Case test(random, 30, 60, 90);
  const QuantisedMatrix matrix = QuantisedMatrix::from(test.weight_matrix());
  QuantisedRows rows;
  Numbers result(test.rows * test.outputs);
  const auto run = [&](std::size_t count) {
    rows.assign({test.activations.data(), count, test.inputs});
    matrix.multiply(rows, test.bias, Matrix(result.data(), count, test.outputs));
  };
  run(test.rows);
  const long before = allocations;
  for (std::size_t count = 1; count <= test.rows; ++count) run(count);
  EXPECT_EQ(allocations, before);
}

// The root of the mean squared error of products relative to that of the products, where either has `levels`
// steps on each side of 0.
double relative_error(std::mt19937_64& random, std::size_t inputs, double weight_levels, double levels) {
  const std::size_t outputs = 200;
  const Numbers weights = normal_numbers(random, inputs * outputs, 0.1F);
  Numbers activations = normal_numbers(random, inputs);
  for (float& x : activations) x = std::tanh(x);
  double error = 0.0;
  double size = 0.0;
  for (std::size_t c = 0; c < outputs; ++c) {
    double largest = 0.0;
    for (std::size_t k = 0; k < inputs; ++k) {
      largest = std::max<double>(largest, std::abs(weights[k * outputs + c]));
    }
    double exact = 0.0;
    double rounded = 0.0;
    for (std::size_t k = 0; k < inputs; ++k) {
      const double w = weights[k * outputs + c];
      const double step = largest / weight_levels;
      exact += w * activations[k];
      rounded += std::round(w / step) * step * std::round(activations[k] * levels) / levels;
    }
    error += (exact - rounded) * (exact - rounded);
    size += exact * exact;
  }
  return std::sqrt(error / size);
}

// Why both have 8 bits, although 7 in either of them would be faster on processors without VNNI.
TEST(QuantisedMatrix, SevenBitsWouldLoseMore) {
  for (const std::size_t inputs : {256, 800}) {
    double eight = 0.0;
    double short_weights = 0.0;
    double short_activations = 0.0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
      std::mt19937_64 random(seed);
      eight += relative_error(random, inputs, 127.0, 127.0) / 20;
      short_weights += relative_error(random, inputs, 64.0, 127.0) / 20;
      short_activations += relative_error(random, inputs, 127.0, 64.0) / 20;
    }
    std::cout << inputs << " inputs: relative error " << eight << ", " << short_weights
              << " with 7 bits for weights, " << short_activations << " with 7 bits for activations\n";
    EXPECT_LT(eight, 0.01);
    EXPECT_LT(eight, 0.8 * short_weights);
    EXPECT_LT(eight, 0.8 * short_activations);
  }
}

class QuantisedMatrixFile : public ::testing::Test {
 protected:
  ~QuantisedMatrixFile() override { std::filesystem::remove(path_); }

  // A file with these two sections.
  template <class Weights, class Scales>
  SectionFile file(const Weights& weights, const Scales& scales) {
    SectionFileWriter writer(path_);
    writer.add_numbers("layer.weights", weights);
    writer.add_numbers("layer.scales", scales);
    writer.close();
    return SectionFile::open(path_);
  }
  std::string error(const SectionFile& file) {
    try {
      QuantisedMatrix::from_file(file, "layer");
    } catch (const DataError& problem) {
      return problem.what();
    }
    return "no error";
  }

  const std::string path_ = ::testing::TempDir() + "quantised_matrix_test.bin";
};

TEST_F(QuantisedMatrixFile, KeepsEveryWeight) {
  std::mt19937_64 random(11);
  const Case test(random, 9, 50, 100);
  const QuantisedMatrix matrix = QuantisedMatrix::from(test.weight_matrix());
  SectionFileWriter writer(path_);
  matrix.add_to(writer, "layer");
  writer.close();
  const QuantisedMatrix read = QuantisedMatrix::from_file(SectionFile::open(path_), "layer");
  ASSERT_EQ(read.inputs(), test.inputs);
  ASSERT_EQ(read.outputs(), test.outputs);
  QuantisedRows rows;
  rows.assign(test.activation_matrix());
  EXPECT_EQ(product(read, rows, test.bias), product(matrix, rows, test.bias));
}

TEST_F(QuantisedMatrixFile, DamagedSectionsAreRefused) {
  using Bytes = std::vector<std::int8_t>;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Bytes weights = {1, -127, 127, 0, 5, 6};
  EXPECT_EQ(error(file(weights, Numbers{0.5F, 0.0F, 2.0F})), "no error");
  const auto has = [](const std::string& message, const std::string& part) {
    return message.find("quantised_matrix_test.bin: the matrix 'layer'") != std::string::npos &&
           message.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(error(file(weights, Numbers(4, 1.0F))), "not rectangular"));
  EXPECT_TRUE(has(error(file(weights, Numbers())), "not rectangular"));
  EXPECT_TRUE(has(error(file(weights, Numbers{1.0F, kInfinity, 1.0F})), "scale"));
  EXPECT_TRUE(has(error(file(weights, Numbers{1.0F, -1.0F, 1.0F})), "scale"));
  EXPECT_TRUE(has(error(file(weights, Numbers{1.0F, std::nanf(""), 1.0F})), "scale"));
  EXPECT_TRUE(has(error(file(Bytes{1, -128, 0}, Numbers(3, 1.0F))), "too large"));
  EXPECT_TRUE(has(error(file(Bytes(200'000, 1), Numbers{1.0F})), "too many inputs"));
  EXPECT_NE(error(file(weights, Bytes{1, 2, 3})), "no error") << "not a whole number of floats";
  SectionFileWriter writer(path_);
  writer.add_numbers("layer.weights", weights);
  writer.close();
  EXPECT_NE(error(SectionFile::open(path_)), "no error") << "a section is missing";
}

}  // namespace
}  // namespace copse
