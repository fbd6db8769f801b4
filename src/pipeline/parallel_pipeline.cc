#include "pipeline/parallel_pipeline.h"

#include <algorithm>
#include <numeric>

#include "copse/error.h"

namespace copse {

ParallelPipeline::ParallelPipeline(const Model& model, const ParseOptions& options, TaskPool& pool)
    : pool_(&pool), keeps_known_(options.keep_known) {
  for (int thread = 0; thread < pool.threads(); ++thread) pipelines_.emplace_back(model, options);
}

void ParallelPipeline::parse(std::span<PipelineItem> items) { run(items, false); }
void ParallelPipeline::parse_and_write_columns(std::span<PipelineItem> items) { run(items, true); }

void ParallelPipeline::run(std::span<PipelineItem> items, bool writes_columns) {
  longest_first_.resize(items.size());
  std::iota(longest_first_.begin(), longest_first_.end(), std::size_t{0});
  std::stable_sort(longest_first_.begin(), longest_first_.end(), [&](std::size_t a, std::size_t b) {
    return items[a].sentence.size() > items[b].sentence.size();
  });
  pool_->for_each(items.size(), [&](std::size_t index, int worker) {
    PipelineItem& item = items[longest_first_[index]];
    Sentence as_given;
    if (keeps_known_) as_given = item.sentence;
    try {
      pipelines_[static_cast<std::size_t>(worker)].parse(item.sentence, item.parse);
      if (writes_columns) write_columns(item.parse, 0, item.sentence);
    } catch (const InfeasibleError& error) {
      if (!keeps_known_) throw;
      item.sentence = std::move(as_given);
      item.conflict = error.what();
    } catch (...) {
      item.error = std::current_exception();
    }
  });
}

}  // namespace copse
