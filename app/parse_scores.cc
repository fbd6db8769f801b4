#include "parse_scores.h"

#include <memory>

#include "pipeline/parallel_pipeline.h"

namespace copse {

Evaluator evaluate_parses(const ModelComponents& model, const ParseOptions& options,
                          const std::vector<Sentence>& gold, TaskPool& pool) {
  // Borrows the components for as long as this takes.
  const Model shared(std::shared_ptr<const ModelComponents>(std::shared_ptr<void>(), &model));
  ParallelPipeline pipeline(shared, options, pool);
  std::vector<PipelineItem> items(gold.size());
  for (std::size_t k = 0; k < gold.size(); ++k) items[k].sentence = gold[k];
  pipeline.parse_and_write_columns(items);
  Evaluator evaluator;
  for (std::size_t k = 0; k < gold.size(); ++k) {
    if (items[k].error) std::rethrow_exception(items[k].error);
    evaluator.add(gold[k], items[k].sentence);
  }
  return evaluator;
}

Scores parse_scores(const ModelComponents& model, const ParseOptions& options,
                    const std::vector<Sentence>& gold, TaskPool& pool) {
  return evaluate_parses(model, options, gold, pool).scores();
}

}  // namespace copse
