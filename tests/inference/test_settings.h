#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

namespace copse::testing {

// COPSE_TEST_SCALE multiplies the number of random cases: below 1 for slow (sanitized) builds, above 1 for a
// long search.
inline double test_scale() {
  static const double scale = [] {
    const char* text = std::getenv("COPSE_TEST_SCALE");
    return text == nullptr ? 1.0 : std::strtod(text, nullptr);
  }();
  return scale;
}

inline int scaled(int cases) { return std::max(1, static_cast<int>(std::lround(cases * test_scale()))); }

// For lists of cases that are not drawn at random: a scale below 1 leaves out some of them, evenly spread.
inline bool is_within_scale(int number) {
  return test_scale() >= 1 || std::floor((number + 1) * test_scale()) > std::floor(number * test_scale());
}

// COPSE_TEST_SEED chooses another set of random cases.
inline std::uint64_t base_seed() {
  static const std::uint64_t seed = [] {
    const char* text = std::getenv("COPSE_TEST_SEED");
    return text == nullptr ? std::uint64_t{20260401} : std::strtoull(text, nullptr, 10);
  }();
  return seed;
}

// Every case has its own generator, so a failing one can be repeated from the base seed and its number.
inline std::mt19937_64 case_generator(int number) {
  std::seed_seq sequence{base_seed() & 0xffffffffu, base_seed() >> 32, static_cast<std::uint64_t>(number)};
  return std::mt19937_64(sequence);
}

struct CaseCounts {
  long run = 0;
  long infeasible = 0;
  long refused_by_linear = 0;
};

inline CaseCounts& case_counts() {
  static CaseCounts counts;
  return counts;
}

inline std::string case_name(int number) {
  ++case_counts().run;
  return "seed " + std::to_string(base_seed()) + " case " + std::to_string(number);
}

class CaseReport : public ::testing::Environment {
 public:
  void SetUp() override {
    std::cout << "COPSE_TEST_SEED=" << base_seed() << " COPSE_TEST_SCALE=" << test_scale() << std::endl;
  }
  void TearDown() override {
    const CaseCounts& counts = case_counts();
    std::cout << "random cases: " << counts.run << " (infeasible " << counts.infeasible
              << ", refused by linear arithmetic " << counts.refused_by_linear << "), seed " << base_seed()
              << std::endl;
    ::testing::Test::RecordProperty("random_cases", std::to_string(counts.run));
    ::testing::Test::RecordProperty("seed", std::to_string(base_seed()));
  }
};

inline ::testing::Environment* const kCaseReport = ::testing::AddGlobalTestEnvironment(new CaseReport);

}  // namespace copse::testing
