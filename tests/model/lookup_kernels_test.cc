// Rows of hashes, filters and weights on every instruction set of the machine, against loops over single
// numbers.
#include "model/lookup_kernels.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "every_simd_target.h"
#include "features/row_kernels.h"
#include "inference/test_settings.h"
#include "model/weight_table.h"

namespace copse::testing {
namespace {

TEST(RowKernels, SumRowsOfAnyLength) {
  on_every_simd_target([] {
    std::mt19937_64 random = case_generator(1);
    for (std::size_t size = 0; size < 40; ++size) {
      for (std::size_t count = 1; count <= 4; ++count) {
        std::vector<std::vector<std::uint64_t>> rows(count, std::vector<std::uint64_t>(size));
        std::vector<const std::uint64_t*> pointers;
        const std::uint64_t start = random();
        std::vector<std::uint64_t> expected(size, start);
        for (auto& row : rows) {
          for (std::size_t k = 0; k < size; ++k) expected[k] += row[k] = random();
          pointers.push_back(row.data());
        }
        std::vector<std::uint64_t> found(size);
        sum_rows(pointers, start, size, found.data());
        EXPECT_EQ(found, expected) << size << " numbers of " << count << " rows";
      }
    }
  });
}

TEST(LookupKernels, KeepAndSumAsOneByOne) {
  on_every_simd_target([] {
    for (int number = 0; number < scaled(30); ++number) {
      std::mt19937_64 random = case_generator(number);
      std::vector<std::uint64_t> known(1 + random() % 3000);
      for (std::uint64_t& hash : known) hash = random();
      std::vector<float> weights(known.size());
      for (float& weight : weights) weight = std::normal_distribution<float>()(random);
      const RoundedWeights list = round_weights(known, weights, WeightPrecision());
      const WeightTable table(list);

      std::vector<std::uint64_t> hashes;
      std::vector<int> lengths;
      std::vector<std::uint64_t> possible;
      std::vector<int> possible_lengths;
      for (int lists = 0; lists < 20; ++lists) {
        lengths.push_back(static_cast<int>(random() % 50));
        possible_lengths.push_back(0);
        for (int k = 0; k < lengths.back(); ++k) {
          hashes.push_back(random() % 3 == 0 ? random() : known[random() % known.size()]);
          if (!table.filter().may_contain(hashes.back())) continue;
          possible.push_back(hashes.back());
          ++possible_lengths.back();
        }
      }
      hashes.resize(hashes.size() + HashFilter::kSlack);
      std::vector<std::uint64_t> kept(hashes.size());
      std::vector<int> kept_lengths = lengths;
      const std::size_t total = table.filter().keep(hashes.data(), kept_lengths, kept.data());
      EXPECT_EQ(kept_lengths, possible_lengths);
      EXPECT_EQ(std::vector<std::uint64_t>(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(total)),
                possible);

      // Weights from the list itself; hashes of features that the table takes for others are rare and left
      // out.
      std::vector<std::int64_t> sums(lengths.size());
      table.sum(kept.data(), kept_lengths, sums.data());
      std::vector<std::int64_t> expected(lengths.size());
      std::size_t next = 0;
      for (std::size_t k = 0; k < lengths.size(); ++k) {
        for (int j = 0; j < kept_lengths[k]; ++j) {
          const std::uint64_t bits = kept[next++] >> (64 - list.hash_bits) << (64 - list.hash_bits);
          const auto found = std::lower_bound(list.hashes.begin(), list.hashes.end(), bits);
          if (found == list.hashes.end() || *found != bits) continue;
          expected[k] += units(list.codes[static_cast<std::size_t>(found - list.hashes.begin())]);
        }
      }
      int different = 0;
      for (std::size_t k = 0; k < sums.size(); ++k) different += sums[k] != expected[k] ? 1 : 0;
      EXPECT_LE(different, 1) << case_name(number);
    }
  });
}

}  // namespace
}  // namespace copse::testing
