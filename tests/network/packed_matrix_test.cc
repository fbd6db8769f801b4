// Products in bfloat16 against products of floats, for sizes that are multiples of nothing.
#include "network/packed_matrix.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include "every_simd_target.h"
#include "network/bfloat16_kernels.h"
#include "network/random.h"
#include "network/training_matrix.h"

namespace copse {
namespace {

constexpr std::uint64_t kPackedSeed = 20261117;

struct Sizes {
  std::size_t rows, inner, columns;
};
constexpr Sizes kSizes[] = {{1, 1, 1},      {1, 384, 1536}, {2, 3, 5},      {16, 64, 64},  {17, 33, 65},
                            {63, 100, 49},  {250, 201, 97}, {33, 770, 130}, {1, 2, 1000},  {97, 1, 31},
                            {129, 64, 487}, {0, 5, 7},      {40, 320, 320}, {250, 320, 1}, {31, 96, 384},
                            {5, 70, 400},   {3, 45, 193}};

class PackedNumbers {
 public:
  // With columns that nobody should touch.
  PackedNumbers(std::size_t rows, std::size_t columns, Random& random, std::size_t gap = 0)
      : rows_(rows), columns_(columns), stride_(columns + gap), values_(rows * stride_) {
    for (float& value : values_) value = 2.0F * random.uniform() - 1.0F;
  }
  operator ConstMatrix() const { return {values_.data(), rows_, columns_, stride_}; }  // NOLINT: implicit
  Matrix matrix() { return {values_.data(), rows_, columns_, stride_}; }
  const std::vector<float>& values() const { return values_; }
  // As products see it.
  PackedNumbers in(Precision precision) const;

 private:
  std::size_t rows_, columns_, stride_;
  std::vector<float> values_;
};

float as_float(std::uint16_t half) { return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16); }

float rounded(float value) {
  const ConstMatrix one(&value, 1, 1);
  std::uint16_t half = 0;
  convert_to_bfloat16(one, &half);
  return as_float(half);
}

PackedNumbers PackedNumbers::in(Precision precision) const {
  PackedNumbers result(*this);
  if (precision == Precision::float32) return result;
  for (float& value : result.values_) value = rounded(value);
  return result;
}

// left(r, k) right(k, c), summed over k: of factors in [-1, 1]. Products of rounded factors are exact in
// floats, so only sums have errors.
template <class Left, class Right>
void expect_sums(ConstMatrix found, const std::vector<float>& before, Into into, std::size_t inner,
                 const Left& left, const Right& right) {
  for (std::size_t r = 0; r < found.rows; ++r) {
    for (std::size_t c = 0; c < found.stride; ++c) {
      const double old = before[r * found.stride + c];
      if (c >= found.columns) {
        ASSERT_EQ(found.row(r)[c], before[r * found.stride + c]);  // in the gap
        continue;
      }
      double sum = into == Into::add ? old : 0.0;
      double largest = std::abs(sum) + 1e-3;
      for (std::size_t k = 0; k < inner; ++k) {
        const double product = static_cast<double>(left(r, k)) * right(k, c);
        sum += product;
        largest += std::abs(product);
      }
      ASSERT_NEAR(found.row(r)[c], sum, 2e-6 * largest)
          << r << ", " << c << " of " << found.rows << " × " << inner << " × " << found.columns;
    }
  }
}

class PackedMatrixTest : public ::testing::TestWithParam<Precision> {
 protected:
  void SetUp() override {
    if (GetParam() == Precision::bfloat16 && !has_bfloat16()) GTEST_SKIP() << "no bfloat16 on this processor";
  }
};

TEST_P(PackedMatrixTest, MultipliesLikeTheDefinition) {
  SCOPED_TRACE(::testing::Message() << "seed " << kPackedSeed);
  Random random(kPackedSeed);
  for (const Sizes& sizes : kSizes) {
    for (const std::size_t gap : {0, 3}) {
      for (const Into into : {Into::replace, Into::add, Into::replace}) {
        const PackedNumbers a(sizes.rows, sizes.inner, random, gap);
        const PackedNumbers b(sizes.inner, sizes.columns, random, gap);
        const PackedNumbers transposed(sizes.columns, sizes.inner, random, gap);
        PackedNumbers result(sizes.rows, sizes.columns, random, gap);
        const PackedNumbers rounded_a = a.in(GetParam()), rounded_b = b.in(GetParam());
        const PackedNumbers rounded_transposed = transposed.in(GetParam());
        const ConstMatrix left = rounded_a, right = rounded_b, other = rounded_transposed;
        const auto at = [](ConstMatrix matrix) {
          return [matrix](std::size_t r, std::size_t c) { return matrix.row(r)[c]; };
        };
        PackedMatrix packed;
        packed.assign(b, GetParam());
        ASSERT_EQ(packed.rows(), sizes.inner);
        ASSERT_EQ(packed.columns(), sizes.columns);
        std::vector<float> before = result.values();
        multiply(a, packed, result.matrix(), into);
        expect_sums(result, before, into, sizes.inner, at(left), at(right));
        packed.assign_transposed(transposed, GetParam());
        ASSERT_EQ(packed.rows(), sizes.inner);
        ASSERT_EQ(packed.columns(), sizes.columns);
        before = result.values();
        multiply(a, packed, result.matrix(), into);
        expect_sums(result, before, into, sizes.inner, at(left),
                    [&](std::size_t k, std::size_t c) { return other.row(c)[k]; });
      }
    }
  }
}

TEST_P(PackedMatrixTest, DifferentiatesWeightsLikeTheDefinition) {
  SCOPED_TRACE(::testing::Message() << "seed " << kPackedSeed);
  Random random(kPackedSeed);
  for (const Sizes& sizes : kSizes) {
    for (const std::size_t gap : {0, 5}) {
      for (const Into into : {Into::add, Into::replace}) {
        const PackedNumbers a(sizes.rows, sizes.inner, random, gap);
        const PackedNumbers b(sizes.rows, sizes.columns, random, gap);
        PackedNumbers result(sizes.inner, sizes.columns, random, gap);
        const std::vector<float> before = result.values();
        multiply_by_transposed(a, b, result.matrix(), into, GetParam());
        const PackedNumbers rounded_a = a.in(GetParam()), rounded_b = b.in(GetParam());
        const ConstMatrix left = rounded_a, right = rounded_b;
        expect_sums(
            result, before, into, sizes.rows, [&](std::size_t r, std::size_t k) { return left.row(k)[r]; },
            [&](std::size_t k, std::size_t c) { return right.row(k)[c]; });
      }
    }
  }
}

// Weights change from step to step, sizes stay; and so with a matrix of another size.
TEST_P(PackedMatrixTest, IsAssignedAgain) {
  Random random(kPackedSeed);
  const PackedNumbers first(40, 50, random), second(40, 50, random), third(50, 40, random);
  const PackedNumbers a(9, 40, random), b(9, 50, random);
  PackedMatrix again;
  again.assign(first, GetParam());
  const auto expect_same = [&](ConstMatrix weights, ConstMatrix rows) {
    again.assign(weights, GetParam());
    PackedMatrix fresh;
    fresh.assign(weights, GetParam());
    std::vector<float> found(9 * weights.columns), expected(found);
    multiply(rows, again, Matrix(found.data(), 9, weights.columns));
    multiply(rows, fresh, Matrix(expected.data(), 9, weights.columns));
    EXPECT_EQ(found, expected);
  };
  expect_same(second, a);
  expect_same(third, b);
}

TEST_P(PackedMatrixTest, GivesTheSameInEveryThread) {
  Random random(kPackedSeed);
  const PackedNumbers weights(96, 384, random), rows(77, 96, random), gradient(77, 384, random);
  TrainingMatrix matrix;
  matrix.assign(weights, GetParam());
  const auto run = [&] {
    std::vector<float> all(77 * 384 + 77 * 96 + 96 * 384, 0.0F);
    const Matrix row_gradient(all.data() + 77 * 384, 77, 96);
    matrix.multiply(rows, Matrix(all.data(), 77, 384));
    matrix.differentiate_rows(gradient, row_gradient);
    matrix.differentiate_weights(rows, gradient, Matrix(row_gradient.data + 77 * 96, 96, 384));
    return all;
  };
  const std::vector<float> expected = run();
  std::vector<std::vector<float>> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& result : found) threads.emplace_back([&result, &run] { result = run(); });
  }
  for (const auto& result : found) EXPECT_EQ(result, expected);
}

INSTANTIATE_TEST_SUITE_P(Precisions, PackedMatrixTest,
                         ::testing::Values(Precision::float32, Precision::bfloat16),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST(PackedMatrix, RefusesImpossibleSizes) {
  Random random(kPackedSeed);
  const PackedNumbers weights(4, 5, random), rows(2, 3, random);
  PackedNumbers result(2, 5, random);
  PackedMatrix packed;
  packed.assign(weights, Precision::float32);
  EXPECT_THROW(multiply(rows, packed, result.matrix()), std::invalid_argument);
  EXPECT_THROW(multiply_by_transposed(rows, weights, result.matrix(), Into::add, Precision::float32),
               std::invalid_argument);
}

TEST(Bfloat16, RoundsToTheNearest) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float exact : {0.0F, -0.0F, 1.0F, -1.5F, 0x1p-126F, 3.0e38F, infinity, -infinity}) {
    const float found = rounded(exact);
    EXPECT_EQ(std::signbit(found), std::signbit(exact));
    if (exact == 3.0e38F) {
      EXPECT_NEAR(found / exact, 1.0F, 0x1p-8F);
    } else {
      EXPECT_EQ(found, exact);
    }
  }
  EXPECT_EQ(rounded(1.0F + 0x1p-8F), 1.0F);               // halfway, to even
  EXPECT_EQ(rounded(1.0F + 0x3p-8F), 1.0F + 0x1p-6F);     // halfway, to even
  EXPECT_EQ(rounded(1.0F + 0x1.01p-8F), 1.0F + 0x1p-7F);  // above
  EXPECT_TRUE(std::isnan(rounded(std::numeric_limits<float>::quiet_NaN())));
  // Any number of them alike.
  Random random(kPackedSeed);
  for (std::size_t size = 0; size < 70; ++size) {
    const PackedNumbers numbers(3, size, random, 2);
    std::vector<std::uint16_t> found(3 * size);
    convert_to_bfloat16(numbers, found.data());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const float value = ConstMatrix(numbers).row(k / size)[k % size];
      EXPECT_EQ(as_float(found[k]), rounded(value));
    }
  }
}

// The order that bfloat16_kernels.h describes, of a block with rows and columns that do not fill it.
TEST(Bfloat16, IsPackedInPairs) {
  testing::on_every_simd_target([] {
    Random random(kPackedSeed);
    for (const std::size_t inner : {1, 2, 31, 32, 33, 64, 97}) {
      for (const std::size_t width : {1, 7, 63, 64}) {
        const PackedNumbers weights(inner, width, random, 3), transposed(width, inner, random, 3);
        const ConstMatrix w = weights, t = transposed;
        const std::size_t tiles = (inner + kPackedRows - 1) / kPackedRows;
        std::vector<std::uint16_t> found(tiles * kPackedRows * kPackedColumns, 1), other(found);
        pack_block(w, found.data());
        pack_transposed_block(t, other.data());
        for (std::size_t k = 0; k < tiles * kPackedRows; ++k) {
          for (std::size_t c = 0; c < kPackedColumns; ++c) {
            const std::size_t place = (k / 2) * 2 * kPackedColumns + 2 * c + k % 2;
            const bool is_there = k < inner && c < width;
            ASSERT_EQ(as_float(found[place]), is_there ? rounded(w.row(k)[c]) : 0.0F) << k << ", " << c;
            ASSERT_EQ(as_float(other[place]), is_there ? rounded(t.row(c)[k]) : 0.0F) << k << ", " << c;
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace copse
