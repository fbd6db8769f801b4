// The back ends that every test of batches runs over.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "copse/batch/batch_distribution.h"

namespace copse::testing {

// A value of a parametrised test.
struct BackEndChoice {
  Device device;
  Arithmetic arithmetic;
  int threads = 2;

  BatchDistribution make() const {
    return BatchDistribution({.device = device, .threads = threads, .arithmetic = arithmetic});
  }
};

inline std::string name(const BackEndChoice& choice) {
  return std::string(copse::name(choice.device)) +
         (choice.arithmetic == Arithmetic::log ? "_log" : "_automatic");
}

class BackEnds : public ::testing::TestWithParam<BackEndChoice> {
 protected:
  void SetUp() override {
    const std::string obstacle = why_unavailable(GetParam().device);
    if (!obstacle.empty()) GTEST_SKIP() << obstacle;
  }
};

inline const auto kBackEnds = ::testing::Values(
    BackEndChoice{Device::cpu, Arithmetic::automatic}, BackEndChoice{Device::cpu, Arithmetic::log},
    BackEndChoice{Device::cuda, Arithmetic::automatic}, BackEndChoice{Device::cuda, Arithmetic::log});
inline std::string name_of(const ::testing::TestParamInfo<BackEndChoice>& info) { return name(info.param); }

}  // namespace copse::testing
