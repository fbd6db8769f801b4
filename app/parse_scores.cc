#include "parse_scores.h"

#include "parsing/treebank_parser.h"

namespace copse {

Scores parse_scores(const Model& pipeline, const PipelineOptions& settings, const std::vector<Sentence>& gold,
                    TaskPool& pool) {
  BatchParser parser(make_analysers(pipeline, settings), pool);
  Evaluator evaluator;
  const auto parsed = parser.parse(gold);
  for (std::size_t k = 0; k < gold.size(); ++k) evaluator.add(gold[k], parsed[k].trees.front());
  return evaluator.scores();
}

}  // namespace copse
