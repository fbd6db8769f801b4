#include "parsing/calibration.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <vector>

#include "parsing/parser.h"

namespace copse {
namespace {

constexpr double kLowest = 0.25;
constexpr double kHighest = 8.0;
constexpr int kSteps = 12;
constexpr int kLongest = 200;               // words: longer sentences take long and say little more
constexpr double kLeastProbability = 1e-4;  // pruned arcs have none, and no temperature can change that

// What scores of parts are kept in, from temperature to temperature. Those of other sentences are found anew.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

double loss_of(const Sentence& sentence, const ArcSet& arcs, TreeDistribution& trees) {
  const std::vector<double>& probabilities = trees.marginals().arc;
  double loss = 0.0;
  for (int word = 1; word <= sentence.size(); ++word) {
    if (sentence[word].head() == kNoHead) continue;
    const int arc = arcs.find(sentence[word].head(), word);
    const double probability = arc < 0 ? 0.0 : probabilities[static_cast<std::size_t>(arc)];
    loss -= std::log(std::max(probability, kLeastProbability));
  }
  return loss;
}

// Of the values of sentences that were dealt out to the processes of a team, in the order of all: the same
// bits for any number of processes.
double sum_in_order(Team& team, std::span<const double> own) {
  std::vector<std::vector<double>> values;  // by rank
  std::size_t most = 0;
  for (const std::vector<std::byte>& parcel : team.gather(std::as_bytes(own))) {
    std::vector<double>& of_rank = values.emplace_back(parcel.size() / sizeof(double));
    std::copy(parcel.begin(), parcel.end(), std::as_writable_bytes(std::span(of_rank)).begin());
    most = std::max(most, of_rank.size());
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < most; ++k) {
    for (const std::vector<double>& of_rank : values) {
      if (k < of_rank.size()) sum += of_rank[k];
    }
  }
  return sum;
}

ParserOptions with_temperature(double temperature) {
  ParserOptions options;
  options.temperature = temperature;
  return options;
}

// The losses of sentences at several temperatures. Finding the features of a sentence takes longer than all
// that is done with its scores, so scores are kept. With labels, they depend on the temperature.
class TemperatureLoss {
 public:
  // Borrows all of them.
  TemperatureLoss(const ParserModel& model, std::span<const Sentence> sentences, TaskPool& pool)
      : model_(model),
        sentences_(sentences),
        pool_(pool),
        scored_(sentences.size()),
        losses_(sentences.size()),
        workspaces_(static_cast<std::size_t>(pool.threads())) {
    if (model.labels() == nullptr) score();
  }

  double at(double temperature) {
    std::vector<Parser> parsers = make_parsers(temperature);
    pool_.for_each(sentences_.size(), [&](std::size_t k, int worker) {
      if (is_left_out(sentences_[k])) return;
      const auto number = static_cast<std::size_t>(worker);
      if (scored_[k].is_kept) {
        losses_[k] = loss_of_kept(k, temperature, workspaces_[number]);
      } else {
        parsers[number].assign(sentences_[k]);
        losses_[k] = loss_of(sentences_[k], parsers[number].arcs(), parsers[number].trees());
      }
    });
    return sum_in_order(pool_.team(), losses_);
  }

 private:
  struct Scored {
    bool is_kept = false;
    std::vector<Arc> candidates;  // all arcs if empty
    Potentials potentials;        // at temperature 1
  };
  struct Workspace {
    SentenceParts parts;
    Potentials potentials;
    TreeDistribution trees;
  };

  static bool is_left_out(const Sentence& sentence) { return sentence.empty() || sentence.size() > kLongest; }

  std::vector<Parser> make_parsers(double temperature) const {
    std::vector<Parser> parsers;
    parsers.reserve(static_cast<std::size_t>(pool_.threads()));
    for (int thread = 0; thread < pool_.threads(); ++thread) {
      parsers.emplace_back(model_, with_temperature(temperature));
    }
    return parsers;
  }

  void score() {
    std::vector<Parser> parsers = make_parsers(1.0);
    std::atomic<std::size_t> bytes = 0;
    pool_.for_each(sentences_.size(), [&](std::size_t k, int worker) {
      if (is_left_out(sentences_[k]) || bytes >= kMostBytes) return;
      Parser& parser = parsers[static_cast<std::size_t>(worker)];
      parser.assign(sentences_[k]);
      const std::size_t own = static_cast<std::size_t>(parser.parts().count()) * sizeof(double);
      if (bytes.fetch_add(own) + own > kMostBytes) return;
      Scored& scored = scored_[k];
      if (!parser.arcs().is_full()) {
        scored.candidates.assign(parser.arcs().all().begin(), parser.arcs().all().end());
      }
      scored.potentials = parser.potentials();
      scored.is_kept = true;
    });
  }

  double loss_of_kept(std::size_t k, double temperature, Workspace& workspace) const {
    const Scored& scored = scored_[k];
    workspace.parts.assign(sentences_[k].size(), scored.candidates, model_.factorization());
    workspace.potentials = scored.potentials;
    workspace.potentials.scale(1.0 / temperature);
    workspace.trees.assign(workspace.parts.parts(), workspace.potentials, model_.trees());
    return loss_of(sentences_[k], workspace.parts.arcs(), workspace.trees);
  }

  const ParserModel& model_;
  std::span<const Sentence> sentences_;
  TaskPool& pool_;
  std::vector<Scored> scored_;
  std::vector<double> losses_;
  std::vector<Workspace> workspaces_;
};

}  // namespace

// Golden-section search over the logarithm: the loss has one minimum.
double fit_temperature(const ParserModel& model, std::span<const Sentence> sentences, TaskPool& pool) {
  const bool has_own_heads = std::any_of(sentences.begin(), sentences.end(), [](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(),
                       [](const Token& word) { return word.head() != kNoHead; });
  });
  if (!pool.team().any(has_own_heads)) return 1.0;
  TemperatureLoss losses(model, sentences, pool);
  const auto loss = [&](double logarithm) { return losses.at(std::exp(logarithm)); };
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
