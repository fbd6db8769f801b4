#include "vectors/skip_gram.h"

#include <gtest/gtest.h>

#include <cmath>

#include "every_simd_target.h"
#include "inference/test_settings.h"

namespace copse::testing {
namespace {

// The loss of skip_gram_kernels.h by its definition, in double precision.
double loss_of(const std::vector<double>& matrix, std::size_t stride, std::span<const std::uint32_t> rows,
               std::span<const float> labels, std::span<const float> weights,
               std::span<const double> hidden) {
  double loss = 0.0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double score = 0.0;
    for (std::size_t i = 0; i < stride; ++i) score += matrix[rows[k] * stride + i] * hidden[i];
    // -log p, and -log(1 - p) in a form that keeps its digits
    loss += weights[k] * std::log1p(std::exp(labels[k] == 1.0F ? -score : score));
  }
  return loss;
}

TEST(SkipGram, GradientOfPredictions) {
  for (int number = 0; number < scaled(40); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    std::normal_distribution<float> normal;
    const std::size_t stride = kRowPadding * (1 + random() % 3);
    const std::size_t words = 1 + random() % 20;
    std::vector<std::uint32_t> rows;  // a word can come twice
    for (std::size_t k = 0; k < words; ++k) rows.push_back(static_cast<std::uint32_t>(random() % 12));
    std::vector<float> matrix(12 * stride);
    std::vector<float> hidden(stride);
    const float size = number % 3 == 0 ? 3.0F : 0.3F;  // probabilities near 0 and 1, too
    for (float& value : matrix) value = size * normal(random);
    for (float& value : hidden) value = 0.5F * normal(random);
    std::vector<float> labels(32);
    std::vector<float> weights(32);
    for (std::size_t k = 0; k < words; ++k) {
      labels[k] = random() % 2 == 0 ? 1.0F : 0.0F;
      weights[k] = 0.25F * static_cast<float>(1 + random() % 8);
    }
    const std::vector<double> exact_matrix(matrix.begin(), matrix.end());
    const std::vector<double> exact_hidden(hidden.begin(), hidden.end());
    const auto loss_at = [&](const std::vector<double>& m, std::span<const double> h) {
      return loss_of(m, stride, rows, labels, weights, h);
    };
    const double expected = loss_at(exact_matrix, exact_hidden);
    on_every_simd_target([&] {
      std::vector<float> coefficients(32);
      std::vector<float> gradient(stride);
      const float loss = predict({matrix.data(), stride, rows, labels.data(), weights.data()}, hidden.data(),
                                 coefficients.data(), gradient.data());
      EXPECT_NEAR(loss, expected, 1e-4 * (1.0 + expected));
      constexpr double kStep = 1e-5;
      for (int check = 0; check < 10; ++check) {
        const std::size_t i = random() % stride;
        std::vector<double> up = exact_hidden;
        std::vector<double> down = exact_hidden;
        up[i] += kStep;
        down[i] -= kStep;
        const double slope = (loss_at(exact_matrix, up) - loss_at(exact_matrix, down)) / (2 * kStep);
        EXPECT_NEAR(-gradient[i], slope, 1e-3 * (1.0 + std::abs(slope)));
        const std::size_t k = random() % words;
        std::vector<double> changed = exact_matrix;
        changed[rows[k] * stride + i] += kStep;
        const double higher = loss_at(changed, exact_hidden);
        changed[rows[k] * stride + i] -= 2 * kStep;
        const double row_slope = (higher - loss_at(changed, exact_hidden)) / (2 * kStep);
        double sum = 0.0;  // over all places of the row
        for (std::size_t other = 0; other < words; ++other) {
          if (rows[other] == rows[k]) sum -= static_cast<double>(coefficients[other]) * hidden[i];
        }
        EXPECT_NEAR(sum, row_slope, 1e-3 * (1.0 + std::abs(row_slope)));
      }
    });
  }
}

struct Toy {
  TextVocabulary vocabulary;
  SkipGramBatch batch;
};

Toy random_toy(std::mt19937_64& random) {
  Toy toy;
  for (int word = 0; word < 40; ++word) {
    toy.vocabulary.words.push_back("ab" + std::to_string(word));
    toy.vocabulary.counts.push_back(100 - static_cast<std::uint64_t>(word));
  }
  for (int sentence = 0; sentence < 12; ++sentence) {
    std::vector<std::uint32_t> words(random() % 15);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random() % 40);
    toy.batch.add(words);
  }
  return toy;
}

// A step once more, by its definition: in double precision, one position after the other.
TEST(SkipGram, StepAgainstItsDefinition) {
  for (int number = 0; number < scaled(10); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const Toy toy = random_toy(random);
    const CharacterNgrams parts(toy.vocabulary, {3, 4});
    const SkipGramSampler sampler(toy.vocabulary.counts, 3, 2);
    SkipGram model(parts, sampler, 40, 21, random());
    TaskPool pool(1);
    for (int warm_up = 0; warm_up < 3; ++warm_up) {
      model.step(toy.batch, 0.5F, random(), pool);  // away from output weights of zero
    }
    const std::size_t stride = model.stride();
    ASSERT_EQ(stride, 32U);
    const std::vector<double> input(model.input().begin(), model.input().end());
    const std::vector<double> output(model.output().begin(), model.output().end());
    std::vector<double> new_input = input;
    std::vector<double> new_output = output;
    const std::uint64_t seed = random();
    const double rate = 0.125;
    double expected_loss = 0.0;
    for (std::size_t position = 0; position < toy.batch.positions.size(); ++position) {
      RandomNumbers numbers(seed + position);
      SkipGramSample sample;
      sampler.sample(toy.batch, position, numbers, sample);
      if (sample.contexts == 0) continue;
      const auto rows = parts.rows_of(toy.batch.positions[position].word);
      std::vector<double> hidden(stride, 0.0);
      for (const std::uint32_t row : rows) {
        for (std::size_t i = 0; i < stride; ++i) {
          hidden[i] += input[row * stride + i] / static_cast<double>(rows.size());
        }
      }
      for (std::size_t k = 0; k < sample.words.size(); ++k) {
        const bool is_context = k < sample.contexts;
        const double weight = is_context ? 1.0 : sample.negative_weight;
        double score = 0.0;
        for (std::size_t i = 0; i < stride; ++i) score += hidden[i] * output[sample.words[k] * stride + i];
        const double probability = 1.0 / (1.0 + std::exp(-score));
        expected_loss -= weight * std::log(is_context ? probability : 1.0 - probability);
        const double push = rate * weight * ((is_context ? 1.0 : 0.0) - probability);
        for (std::size_t i = 0; i < stride; ++i) {
          new_output[sample.words[k] * stride + i] += push * hidden[i];
          for (const std::uint32_t row : rows) {
            new_input[row * stride + i] += push * output[sample.words[k] * stride + i];
          }
        }
      }
    }
    const double loss = model.step(toy.batch, static_cast<float>(rate), seed, pool);
    EXPECT_NEAR(loss, expected_loss, 1e-4 * expected_loss);
    for (std::size_t k = 0; k < input.size(); ++k) ASSERT_NEAR(model.input()[k], new_input[k], 1e-4);
    for (std::size_t k = 0; k < output.size(); ++k) ASSERT_NEAR(model.output()[k], new_output[k], 1e-4);
  }
}

TEST(SkipGram, SamplesAreWordsAroundAndOthers) {
  std::mt19937_64 random = case_generator(0);
  const Toy toy = random_toy(random);
  const SkipGramSampler sampler(toy.vocabulary.counts, 3, 5);
  std::set<std::size_t> reaches;
  for (std::size_t position = 0; position < toy.batch.positions.size(); ++position) {
    SCOPED_TRACE(case_name(static_cast<int>(position)));
    const SkipGramBatch::Position& here = toy.batch.positions[position];
    for (int repetition = 0; repetition < 20; ++repetition) {
      RandomNumbers numbers(random());
      SkipGramSample sample;
      sampler.sample(toy.batch, position, numbers, sample);
      ASSERT_LE(sample.words.size(), sampler.most_words());
      // The contexts are those of one of the three windows.
      bool is_window = false;
      for (std::size_t reach = 1; reach <= 3; ++reach) {
        std::vector<std::uint32_t> window;
        for (std::size_t other = here.sentence; other < here.end; ++other) {
          const std::size_t distance = other > position ? other - position : position - other;
          if (distance > 0 && distance <= reach) window.push_back(toy.batch.positions[other].word);
        }
        const bool is_this =
            std::vector(sample.words.begin(),
                        sample.words.begin() + static_cast<std::ptrdiff_t>(sample.contexts)) == window;
        if (is_this && here.end - here.sentence > 8) reaches.insert(reach);
        is_window = is_window || is_this;
      }
      EXPECT_TRUE(is_window);
      for (std::size_t k = sample.contexts; k < sample.words.size(); ++k) {
        for (std::size_t c = 0; c < sample.contexts; ++c) EXPECT_NE(sample.words[k], sample.words[c]);
      }
      // Five for every word around it, if none had to be left out.
      EXPECT_FLOAT_EQ(sample.negative_weight * 10, static_cast<float>(5 * sample.contexts));
    }
  }
  EXPECT_EQ(reaches.size(), 3U);
}

TEST(SkipGram, WeightedChoiceFollowsItsWeights) {
  const std::vector<double> weights = {5.0, 0.0, 1.0, 3.0, 0.5, 0.5};
  const WeightedChoice choice(weights);
  RandomNumbers random(base_seed());
  std::vector<int> counts(weights.size());
  constexpr int kDraws = 200'000;
  for (int k = 0; k < kDraws; ++k) ++counts[choice.draw(random)];
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double share = weights[k] / 10.0;
    const double deviation = std::sqrt(kDraws * share * (1.0 - share));
    EXPECT_NEAR(counts[k], kDraws * share, 5 * deviation) << "seed " << base_seed() << " number " << k;
  }
}

}  // namespace
}  // namespace copse::testing
