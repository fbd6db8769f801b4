// Logistic regression over sparse examples, divided among the processes of a team: enough for learners.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "optimisers/fixed_point.h"
#include "optimisers/objective.h"
#include "parallel/team.h"

namespace copse::testing {

// Example number g of all is made of its number alone, whoever makes it.
class LinearExamples : public Objective {
 public:
  LinearExamples(const Team& team, std::size_t examples, std::size_t weights) : weights_(weights) {
    for (std::size_t number = 0; number < examples; ++number) {
      if (is_own(team, number)) examples_.push_back(make(number, weights));
    }
  }

  std::size_t examples() const override { return examples_.size(); }
  std::uint64_t number(std::size_t example) const override { return examples_[example].number; }
  std::size_t weights() const override { return weights_; }
  std::size_t cost(std::size_t example) const override { return examples_[example].features.size(); }
  std::unique_ptr<ExampleWorkspace> make_workspace() const override {
    return std::make_unique<Workspace>(examples_);
  }

 private:
  struct Example {
    std::uint64_t number;
    std::vector<std::uint32_t> features;
    double sign;
  };

  static Example make(std::uint64_t number, std::size_t weights) {
    std::mt19937_64 random(number + 17);
    Example example{number, std::vector<std::uint32_t>(5 + number % 20), 1.0};
    for (std::uint32_t& feature : example.features) {
      // Some features come often, most of them seldom.
      const std::uint64_t range = random() % 2 == 0 ? 20 : weights;
      feature = static_cast<std::uint32_t>(random() % std::min<std::uint64_t>(range, weights));
    }
    if ((example.features.front() + number % 7) % 2 == 0) example.sign = -1.0;
    return example;
  }

  class Workspace : public ExampleWorkspace {
   public:
    explicit Workspace(std::span<const Example> examples) : examples_(examples) {}
    double loss(std::size_t example, std::span<const float> weights) override {
      now_ = &examples_[example];
      double score = 0.0;
      for (const std::uint32_t feature : now_->features) score += weights[feature];
      const double loss = std::log1p(std::exp(-now_->sign * score));
      slope_ = -now_->sign * (1.0 - std::exp(-loss));
      return loss;
    }
    void add_gradient(std::int64_t* sums, std::vector<std::uint32_t>* touched) override {
      add_coefficients(*this, sums, touched);
    }
    template <class Add>
    void for_each_coefficient(Add add) {
      for (const std::uint32_t feature : now_->features) add(feature, to_fixed_point(slope_));
    }
    std::span<const Rival> rivals(std::size_t, std::span<const float>, int) override {
      throw std::logic_error("nobody asks for rivals");
    }
    void append_difference(std::size_t, SparseVector&) override {}
    void append_weights(std::size_t example, std::vector<std::uint32_t>& numbers) override {
      const Example& own = examples_[example];
      numbers.insert(numbers.end(), own.features.begin(), own.features.end());
    }

   private:
    std::span<const Example> examples_;
    const Example* now_ = nullptr;
    double slope_ = 0.0;
  };

  std::size_t weights_;
  std::vector<Example> examples_;
};

}  // namespace copse::testing
