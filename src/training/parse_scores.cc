#include "training/parse_scores.h"

#include <memory>
#include <utility>

#include "pipeline/parallel_pipeline.h"
#include "treebank/dealt_sentences.h"

namespace copse {

Evaluator evaluate_parses(const ModelComponents& model, const ParseOptions& options,
                          const std::vector<Sentence>& gold, TaskPool& pool) {
  // Borrows the components for as long as this takes.
  const Model shared(std::shared_ptr<const ModelComponents>(std::shared_ptr<void>(), &model));
  ParallelPipeline pipeline(shared, options, pool);
  std::vector<PipelineItem> items(gold.size());
  for (std::size_t k = 0; k < gold.size(); ++k) items[k].sentence = gold[k];
  pipeline.parse_and_write_columns(items);
  std::vector<Sentence> parsed;
  for (PipelineItem& item : items) {
    if (item.error) std::rethrow_exception(item.error);
    parsed.push_back(std::move(item.sentence));
  }
  Evaluator evaluator;
  const auto evaluate = [&evaluator](const std::vector<Sentence>& right, const std::vector<Sentence>& found) {
    for (std::size_t k = 0; k < right.size(); ++k) evaluator.add(right[k], found[k]);
  };
  Team& team = pool.team();
  if (team.is_alone())
    evaluate(gold, parsed);
  else
    evaluate(gather_sentences(team, gold), gather_sentences(team, parsed));
  return evaluator;
}

Scores parse_scores(const ModelComponents& model, const ParseOptions& options,
                    const std::vector<Sentence>& gold, TaskPool& pool) {
  return evaluate_parses(model, options, gold, pool).scores();
}

}  // namespace copse
