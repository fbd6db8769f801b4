#include "pipeline/parallel_pipeline.h"

#include <algorithm>
#include <numeric>

#include "copse/error.h"

namespace copse {

ParallelPipeline::ParallelPipeline(const Model& model, const ParseOptions& options, TaskPool& pool)
    : pool_(&pool), keeps_known_(options.keep_known) {
  for (int thread = 0; thread < pool.threads(); ++thread) pipelines_.emplace_back(model, options);
}

void ParallelPipeline::set_options(const ParseOptions& options) {
  keeps_known_ = options.keep_known;
  for (Pipeline& pipeline : pipelines_) pipeline.set_options(options);
}

void ParallelPipeline::parse(std::span<PipelineItem> items) { run(items, false); }
void ParallelPipeline::parse_and_write_columns(std::span<PipelineItem> items) { run(items, true); }

void ParallelPipeline::run(std::span<PipelineItem> items, bool writes_columns) {
  lengths_.clear();
  for (const PipelineItem& item : items) lengths_.push_back(item.sentence.size());
  deal_out(lengths_);
  pool_->for_each(batches_.size(), [&](std::size_t batch, int worker) {
    parse_batch(items, std::span(longest_first_).subspan(batches_[batch].begin, batches_[batch].size),
                pipelines_[static_cast<std::size_t>(worker)], writes_columns);
  });
}

void ParallelPipeline::tag(std::span<Sentence> sentences) {
  lengths_.clear();
  for (const Sentence& sentence : sentences) lengths_.push_back(sentence.size());
  deal_out(lengths_);
  pool_->for_each(batches_.size(), [&](std::size_t batch, int worker) {
    std::vector<Sentence*> own;
    for (std::size_t k = 0; k < batches_[batch].size; ++k) {
      own.push_back(&sentences[longest_first_[batches_[batch].begin + k]]);
    }
    pipelines_[static_cast<std::size_t>(worker)].tag(own);
  });
}

// Sentences of about the same length together, so many that a network is at its best, and so few that all
// threads have something to do until the end.
void ParallelPipeline::deal_out(std::span<const int> lengths) {
  longest_first_.resize(lengths.size());
  std::iota(longest_first_.begin(), longest_first_.end(), std::size_t{0});
  std::stable_sort(longest_first_.begin(), longest_first_.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
  constexpr std::size_t kMostSentences = 64;
  constexpr int kMostWords = 1500;
  const std::size_t share = lengths.size() / (4 * static_cast<std::size_t>(pool_->threads())) + 1;
  const std::size_t most = std::min(share, kMostSentences);
  batches_.clear();
  int words = 0;
  for (std::size_t k = 0; k < longest_first_.size(); ++k) {
    const int own = lengths[longest_first_[k]];
    if (batches_.empty() || batches_.back().size == most || words + own > kMostWords) {
      batches_.push_back({k, 0});
      words = 0;
    }
    ++batches_.back().size;
    words += own;
  }
}

void ParallelPipeline::parse_batch(std::span<PipelineItem> items, std::span<const std::size_t> numbers,
                                   Pipeline& pipeline, bool writes_columns) const {
  std::vector<Sentence> as_given;
  std::vector<Sentence*> sentences;
  for (const std::size_t number : numbers) {
    if (keeps_known_) as_given.push_back(items[number].sentence);
    sentences.push_back(&items[number].sentence);
  }
  try {
    pipeline.prepare(sentences);
  } catch (...) {
    for (const std::size_t number : numbers) items[number].error = std::current_exception();
    return;
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    PipelineItem& item = items[numbers[k]];
    try {
      pipeline.parse_prepared(k, item.parse);
      if (writes_columns) write_columns(item.parse, 0, item.sentence);
    } catch (const InfeasibleError& error) {
      if (!keeps_known_) throw;
      item.sentence = std::move(as_given[k]);
      item.conflict = error.what();
    } catch (...) {
      item.error = std::current_exception();
    }
  }
}

}  // namespace copse
