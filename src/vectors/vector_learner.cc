#include "vectors/vector_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "copse/setting_error.h"
#include "vectors/skip_gram.h"

namespace copse {
namespace {

// Positions that see the same weights. More of them would let threads meet less often, but the updates that a
// frequent word gets at once must not overshoot.
constexpr std::size_t kSmallestBatch = 16;
constexpr std::size_t kLargestBatch = 256;
// What the steps that a vector takes at once may add up to, of predictions that are altogether wrong.
constexpr double kMostUpdate = 4.0;
constexpr std::uint64_t kStepsPerReport = 64;

// The share of the occurrences of a word to learn from: less of the very frequent ones, which say little.
std::vector<double> shares_to_keep(const TextVocabulary& vocabulary, double frequent_share) {
  std::vector<double> shares;
  shares.reserve(vocabulary.counts.size());
  for (const std::uint64_t count : vocabulary.counts) {
    const double ratio = frequent_share * static_cast<double>(vocabulary.total) / static_cast<double>(count);
    shares.push_back(std::min(1.0, std::sqrt(ratio) + ratio));
  }
  return shares;
}

// How often, in a position, the vector of a word is to move: the largest number over all words. The vectors
// that predict share parts, and move each other.
double largest_load(const TextVocabulary& vocabulary, const CharacterNgrams& parts,
                    std::span<const double> keep, const VectorOptions& options) {
  const std::size_t words = vocabulary.words.size();
  std::vector<double> shares(words);
  double total = 0.0;
  double total_root = 0.0;
  for (std::size_t word = 0; word < words; ++word) {
    shares[word] = keep[word] * static_cast<double>(vocabulary.counts[word]);
    total += shares[word];
    total_root += std::sqrt(static_cast<double>(vocabulary.counts[word]));
  }
  std::vector<double> part_shares(parts.rows(), 0.0);
  for (std::size_t word = 0; word < words; ++word) {
    shares[word] /= total;
    for (const std::uint32_t row : parts.rows_of(word)) part_shares[row] += shares[word];
  }
  const double contexts = options.window + 1.0;
  double largest = 0.0;
  for (std::size_t word = 0; word < words; ++word) {
    const double drawn = std::sqrt(static_cast<double>(vocabulary.counts[word])) / total_root;
    const double as_output = shares[word] + options.negative * drawn;
    double overlap = 0.0;
    for (const std::uint32_t row : parts.rows_of(word)) overlap += part_shares[row];
    const double as_input =
        overlap / static_cast<double>(parts.rows_of(word).size()) * (1.0 + options.negative);
    largest = std::max({largest, contexts * as_output, contexts * as_input});
  }
  return largest;
}

class Learner {
 public:
  Learner(TrainingText& text, const TextVocabulary& vocabulary, const VectorOptions& options, TaskPool& pool,
          VectorReport& report)
      : text_(text),
        vocabulary_(vocabulary),
        options_(options),
        pool_(pool),
        report_(report),
        parts_(vocabulary, options.ngrams),
        sampler_(vocabulary.counts, options.window, options.negative),
        model_(parts_, sampler_, vocabulary.words.size(), static_cast<std::size_t>(options.dimension),
               options.seed),
        keep_(shares_to_keep(vocabulary, options.frequent_share)),
        random_(mix(options.seed) + 1) {
    const double batch = kMostUpdate / (options.rate * largest_load(vocabulary, parts_, keep_, options));
    batch_size_ = static_cast<std::size_t>(
        std::clamp(batch, static_cast<double>(kSmallestBatch), static_cast<double>(kLargestBatch)));
    report.on_vocabulary(vocabulary, parts_.rows() - vocabulary.words.size());
  }

  void learn() {
    for (pass_ = 1; pass_ <= options_.passes; ++pass_) {
      text_.read([this](std::span<const std::uint32_t> sentence, std::uint64_t words_read) {
        words_ = static_cast<std::uint64_t>(pass_ - 1) * text_.words() + words_read;
        add(sentence);
        return true;
      });
    }
    pass_ = options_.passes;
    step();
    tell();
  }

  WordVectors vectors() const {
    WordVectorsBuilder builder(model_.dimension());
    std::vector<float> values(model_.stride());
    for (std::size_t word = 0; word < vocabulary_.words.size(); ++word) {
      model_.copy_vector(word, values);
      builder.add(vocabulary_.words[word], std::span(values).first(model_.dimension()));
    }
    return builder.build();
  }

 private:
  std::uint64_t total() const { return static_cast<std::uint64_t>(options_.passes) * text_.words(); }

  void add(std::span<const std::uint32_t> sentence) {
    kept_.clear();
    for (const std::uint32_t word : sentence) {
      if (keep_[word] >= 1.0 || random_.uniform() < keep_[word]) kept_.push_back(word);
    }
    batch_.add(kept_);
    if (batch_.positions.size() >= batch_size_) step();
  }

  void step() {
    const double done = static_cast<double>(words_) / static_cast<double>(total());
    const auto rate = static_cast<float>(options_.rate * std::max(0.0, 1.0 - done));
    loss_ += model_.step(batch_, rate, random_.next(), pool_);
    predictions_ += model_.predictions();
    batch_.clear();
    if (++steps_ % kStepsPerReport == 0) tell();
    if (report_.should_stop()) throw VectorsStopped();
  }

  void tell() {
    const double loss = predictions_ == 0 ? 0.0 : loss_ / static_cast<double>(predictions_);
    // Of the first step, with all probabilities 1/2.
    const double first_loss = 2.0 * options_.window * (1.0 + options_.negative) * std::log(2.0);
    if (!(loss <= 2.0 * first_loss)) {
      throw SettingError("the vectors grow beyond all bounds; learn them with a lower rate", "rate");
    }
    report_.on_progress({pass_, options_.passes, words_, total(), loss});
    loss_ = 0.0;
    predictions_ = 0;
  }

  TrainingText& text_;
  const TextVocabulary& vocabulary_;
  const VectorOptions& options_;
  TaskPool& pool_;
  VectorReport& report_;
  CharacterNgrams parts_;
  SkipGramSampler sampler_;
  SkipGram model_;
  std::vector<double> keep_;
  RandomNumbers random_;
  SkipGramBatch batch_;
  std::size_t batch_size_ = kLargestBatch;
  std::vector<std::uint32_t> kept_;
  int pass_ = 0;
  std::uint64_t words_ = 0;
  std::uint64_t steps_ = 0;
  double loss_ = 0.0;
  std::uint64_t predictions_ = 0;
};

}  // namespace

WordVectors learn_vectors(TrainingText& text, const VectorOptions& options, TaskPool& pool,
                          VectorReport& report) {
  const TextVocabulary& vocabulary = text.choose(options.min_count, options.max_words);
  if (vocabulary.words.empty()) {
    throw SettingError(
        fmt::format("the text has no word that comes {} times; give more text, or ask for fewer times",
                    options.min_count),
        "min_count");
  }
  Learner learner(text, vocabulary, options, pool, report);
  learner.learn();
  return learner.vectors();
}

}  // namespace copse
