#include "parsing/treebank_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "copse/error.h"
#include "copse/inference/tree_distribution.h"

namespace copse {
namespace {

// So many that a thread that is done early does not wait long for the others, and so few that the memory of a
// batch does not matter.
constexpr int kSentencesPerThread = 128;
constexpr int kWordsPerThread = 8192;

}  // namespace

BatchParser::BatchParser(const ParserModel& model, const ParseOptions& settings, TaskPool& pool)
    : BatchParser([&] { return std::make_unique<SentenceParser>(model, settings); }, pool) {}

BatchParser::BatchParser(const AnalyserFactory& make, TaskPool& pool) : pool_(&pool) {
  for (int thread = 0; thread < pool.threads(); ++thread) parsers_.push_back(make());
}

std::span<const ParsedSentence> BatchParser::parse(std::span<const Sentence> sentences,
                                                   std::int64_t first_number) {
  results_.resize(std::max(results_.size(), sentences.size()));
  longest_first_.resize(sentences.size());
  std::iota(longest_first_.begin(), longest_first_.end(), std::size_t{0});
  std::stable_sort(longest_first_.begin(), longest_first_.end(),
                   [&](std::size_t a, std::size_t b) { return sentences[a].size() > sentences[b].size(); });
  pool_->for_each(sentences.size(), [&](std::size_t index, int worker) {
    const std::size_t sentence = longest_first_[index];
    try {
      parsers_[static_cast<std::size_t>(worker)]->parse(sentences[sentence], results_[sentence]);
    } catch (const InfeasibleError& error) {
      throw DataError(
          fmt::format("sentence {}: {}", first_number + static_cast<std::int64_t>(sentence), error.what()));
    }
  });
  return std::span(results_).first(sentences.size());
}

TreebankParser::TreebankParser(const AnalyserFactory& make, TaskPool& pool, SentenceWriter& writer,
                               ParsingObserver& observer)
    : parser_(make, pool),
      writer_(&writer),
      observer_(&observer),
      max_sentences_(static_cast<std::size_t>(pool.threads()) * kSentencesPerThread),
      max_words_(std::int64_t{pool.threads()} * kWordsPerThread) {}

void TreebankParser::add(Sentence&& sentence) {
  batch_words_ += sentence.size();
  batch_.push_back(std::move(sentence));
  if (batch_.size() >= max_sentences_ || batch_words_ >= max_words_) flush();
}

void TreebankParser::flush() {
  if (batch_.empty()) return;
  for (const ParsedSentence& result : parser_.parse(batch_, sentences_ + 1)) {
    ++sentences_;
    const int words = result.trees.front().size();
    words_ += words;
    if (result.pieces > 1 || result.had_to_prune) observer_->on_long_sentence(sentences_, words, result);
    for (const Sentence& tree : result.trees) writer_->write(tree);
  }
  writer_->flush();
  batch_.clear();
  batch_words_ = 0;
  observer_->on_progress(sentences_, words_);
}

}  // namespace copse
