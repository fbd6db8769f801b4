#include "parsing/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "parsing/parser.h"

namespace copse {
namespace {

constexpr double kLowest = 0.25;
constexpr double kHighest = 8.0;
constexpr int kSteps = 12;
constexpr int kLongest = 200;               // words: longer sentences take long and say little more
constexpr double kLeastProbability = 1e-4;  // pruned arcs have none, and no temperature can change that

double loss_of(Parser& parser, const Sentence& sentence) {
  parser.assign(sentence);
  const std::vector<double>& probabilities = parser.trees().marginals().arc;
  double loss = 0.0;
  for (int word = 1; word <= sentence.size(); ++word) {
    if (sentence[word].head() == kNoHead) continue;
    const int arc = parser.arcs().find(sentence[word].head(), word);
    const double probability = arc < 0 ? 0.0 : probabilities[static_cast<std::size_t>(arc)];
    loss -= std::log(std::max(probability, kLeastProbability));
  }
  return loss;
}

double loss_at(double temperature, const ParserModel& model, std::span<const Sentence> sentences,
               TaskPool& pool) {
  ParserOptions options;
  options.temperature = temperature;
  std::vector<Parser> parsers;
  parsers.reserve(static_cast<std::size_t>(pool.threads()));
  for (int thread = 0; thread < pool.threads(); ++thread) parsers.emplace_back(model, options);
  std::vector<double> losses(sentences.size());
  pool.for_each(sentences.size(), [&](std::size_t k, int worker) {
    if (sentences[k].empty() || sentences[k].size() > kLongest) return;
    losses[k] = loss_of(parsers[static_cast<std::size_t>(worker)], sentences[k]);
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

}  // namespace

// Golden-section search over the logarithm: the loss has one minimum.
double fit_temperature(const ParserModel& model, std::span<const Sentence> sentences, TaskPool& pool) {
  const bool has_heads = std::any_of(sentences.begin(), sentences.end(), [](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(),
                       [](const Token& word) { return word.head() != kNoHead; });
  });
  if (!has_heads) return 1.0;
  const auto loss = [&](double logarithm) { return loss_at(std::exp(logarithm), model, sentences, pool); };
  const double ratio = (std::sqrt(5.0) - 1.0) / 2.0;
  double low = std::log(kLowest);
  double high = std::log(kHighest);
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  double left_loss = loss(left);
  double right_loss = loss(right);
  for (int step = 0; step < kSteps; ++step) {
    if (left_loss <= right_loss) {
      high = right;
      right = left;
      right_loss = left_loss;
      left = high - ratio * (high - low);
      left_loss = loss(left);
    } else {
      low = left;
      left = right;
      left_loss = right_loss;
      right = low + ratio * (high - low);
      right_loss = loss(right);
    }
  }
  return std::exp((low + high) / 2.0);
}

}  // namespace copse
