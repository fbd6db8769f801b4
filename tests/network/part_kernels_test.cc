// What a GPU computes for parts of low rank, run by emulated blocks, against the host's products.
#include "cuda/part_kernels.h"

#include <gtest/gtest.h>

#include "batch/emulated_block.h"
#include "part_case.h"

namespace copse {
namespace {

using testing::EmulatedBlock;
using testing::normal_numbers;
using testing::PartArrayValues;
using testing::PartCase;

// The case is the second sentence of a batch: other rows, arcs and parts come before its own.
constexpr std::size_t kRowsBefore = 3;
constexpr std::size_t kArcsBefore = 5;
constexpr std::size_t kPartsBefore = 7;

// With the rows of the sentence before.
PartArrayValues in_batch(PartArrayValues values, std::size_t rank) {
  for (std::size_t which = testing::kGrandparents; which <= testing::kModifiers; ++which) {
    std::vector<float>& rows = values.numbers[which];
    rows.insert(rows.begin(), kRowsBefore * rank, 0.0F);
  }
  return values;
}
PartArrayValues out_of_batch(PartArrayValues values, std::size_t rank) {
  for (std::size_t which = testing::kGrandparents; which <= testing::kModifiers; ++which) {
    std::vector<float>& rows = values.numbers[which];
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(kRowsBefore * rank);
    EXPECT_TRUE(std::all_of(rows.begin(), begin, [](float number) { return number == 0.0F; }));
    rows.erase(rows.begin(), begin);
  }
  return values;
}

template <PartKind kKind>
class KernelCase {
 public:
  KernelCase(const PartCase& test, unsigned seed)
      : test_(&test),
        values_(in_batch(test.values, test.rank)),
        rank_(static_cast<int>(test.rank)),
        seed_(seed) {
    EXPECT_TRUE(data_.assign(test.parts));
    sentence_.tables = data_.at(data_.bytes().data());
    std::fill(std::begin(sentence_.begins), std::end(sentence_.begins), kPartsBefore);
    sentence_.first_row = kRowsBefore;
    sentence_.first_arc = kArcsBefore;
  }

  std::vector<double> potentials() {
    std::vector<double> potentials(parts() + kPartsBefore, kUntouched);
    std::vector<float> product(test_->rank);
    EmulatedBlock block(32, 8, seed_);
    for (int arc = 0; arc < test_->arcs.size(); ++arc) {
      block.run([&](const EmulatedBlock::Group& group) {
        cuda::score_parts<kKind>(group, sentence_, factors(), arc, product.data(), potentials.data());
      });
    }
    const auto begin = potentials.begin() + static_cast<std::ptrdiff_t>(kPartsBefore);
    EXPECT_TRUE(std::all_of(potentials.begin(), begin, [](double number) { return number == kUntouched; }));
    potentials.erase(potentials.begin(), begin);
    return potentials;
  }

  // Adds to the gradients of the case.
  void differentiate(std::vector<double> coefficients, PartArrayValues& sums) {
    coefficients.insert(coefficients.begin(), kPartsBefore, kUntouched);
    const std::size_t words = static_cast<std::size_t>(test_->arcs.words()) + 1;
    const auto arcs = static_cast<std::size_t>(test_->arcs.size());
    std::vector<float> by_arc((arcs + kArcsBefore) * test_->rank);
    std::vector<float> weights(by_arc.size());
    std::vector<float> no_sibling(by_arc.size());
    std::vector<float> no_grandparent((words + kRowsBefore) * test_->rank);
    sums = in_batch(std::move(sums), test_->rank);
    const auto rows = [&](testing::PartArray which) { return sums.numbers[which].data(); };
    const cuda::PartGradientsView gradients{.stride = rank_,
                                            .grandparents = rows(testing::kGrandparents),
                                            .heads = rows(testing::kHeads),
                                            .siblings = rows(testing::kSiblings),
                                            .modifiers = rows(testing::kModifiers),
                                            .by_arc = by_arc.data(),
                                            .weights = weights.data(),
                                            .no_sibling = no_sibling.data(),
                                            .no_grandparent = no_grandparent.data()};
    EmulatedBlock of_arcs(rank_, 1, seed_);
    for (int arc = 0; arc < test_->arcs.size(); ++arc) {
      of_arcs.run([&](const EmulatedBlock::Group& group) {
        cuda::arc_backward<kKind>(group, sentence_, factors(), arc, coefficients.data(), gradients);
      });
    }
    const int threads = rank_ * std::max(96 / rank_, 1);
    EmulatedBlock of_words(threads, 1, seed_);
    std::vector<float> room(static_cast<std::size_t>(threads));
    for (int word = 0; word < static_cast<int>(words); ++word) {
      for (int k = 0; k < cuda::kPartRoles; ++k) {
        const auto role = static_cast<cuda::PartRole>(k);
        if (!cuda::has_role(kKind, role)) continue;
        of_words.run([&](const EmulatedBlock::Group& group) {
          cuda::word_backward<kKind>(group, sentence_, factors(), word, role, coefficients.data(), gradients,
                                     room.data());
        });
      }
    }
    add_rows(weights, sums.numbers[testing::kWeights]);
    if (has_sibling(kKind)) add_rows(no_sibling, sums.numbers[testing::kNoSibling]);
    if (has_grandparent(kKind)) add_rows(no_grandparent, sums.numbers[testing::kNoGrandparent]);
    sums = out_of_batch(std::move(sums), test_->rank);
  }

 private:
  static constexpr double kUntouched = -99.0;

  std::size_t parts() const { return static_cast<std::size_t>(test_->parts.count(kKind)); }

  cuda::PartFactorsView factors() const {
    const auto rows = [&](testing::PartArray which) { return values_.numbers[which].data(); };
    return {.rank = rank_,
            .stride = rank_,
            .grandparents = rows(testing::kGrandparents),
            .heads = rows(testing::kHeads),
            .siblings = rows(testing::kSiblings),
            .modifiers = rows(testing::kModifiers),
            .no_grandparent = values_.numbers[testing::kNoGrandparent].data(),
            .no_sibling = values_.numbers[testing::kNoSibling].data(),
            .weights = values_.numbers[testing::kWeights].data()};
  }

  void add_rows(const std::vector<float>& rows, std::vector<float>& sums) const {
    for (std::size_t k = 0; k < rows.size(); ++k) sums[k % test_->rank] += rows[k];
  }

  const PartCase* test_;
  PartArrayValues values_;
  int rank_;
  unsigned seed_;
  ChartTableData data_;
  cuda::PartSentence sentence_{};
};

template <PartKind kKind>
void check_kernels(Factorization factorization) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(::testing::Message() << name(factorization) << " seed " << seed << " kind " << name(kKind));
    std::mt19937_64 random(seed);
    PartCase test(random, factorization);
    KernelCase<kKind> kernels(test, seed);
    const PartFactors factors = test.values.factors(test.rank);
    const auto parts = static_cast<std::size_t>(test.parts.count(kKind));

    std::vector<double> expected(parts);
    add_part_products(test.parts, kKind, factors, 1.0, expected);
    const std::vector<double> found = kernels.potentials();
    ASSERT_EQ(found.size(), parts);
    for (std::size_t k = 0; k < parts; ++k) {
      ASSERT_NEAR(found[k], expected[k], 1e-5 * (1.0 + std::abs(expected[k]))) << "part " << k;
    }

    std::vector<double> coefficients(parts);
    for (double& coefficient : coefficients) coefficient = std::normal_distribution<double>()(random);
    PartArrayValues of_host = test.values;  // what stood there stays: gradients are added
    PartArrayValues of_kernels = test.values;
    add_part_gradients(test.parts, kKind, factors, coefficients, of_host.gradients(test.rank));
    kernels.differentiate(coefficients, of_kernels);
    for (std::size_t which = 0; which < testing::kPartArrays; ++which) {
      for (std::size_t k = 0; k < of_host.numbers[which].size(); ++k) {
        const double number = of_host.numbers[which][k];
        ASSERT_NEAR(of_kernels.numbers[which][k], number, 1e-4 * (1.0 + std::abs(number)))
            << "array " << which << " number " << k;
      }
    }
  }
}

TEST(PartKernels, AreTheProductsOfTheHost) {
  check_kernels<PartKind::sibling>(Factorization::sibling);
  check_kernels<PartKind::grandchild>(Factorization::grandchild);
  for (const PartKind kind : part_kinds(Factorization::grandsibling)) {
    if (kind == PartKind::sibling) check_kernels<PartKind::sibling>(Factorization::grandsibling);
    if (kind == PartKind::grandchild) check_kernels<PartKind::grandchild>(Factorization::grandsibling);
    if (kind == PartKind::grandsibling) check_kernels<PartKind::grandsibling>(Factorization::grandsibling);
  }
}

}  // namespace
}  // namespace copse
