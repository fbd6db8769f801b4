#pragma once

#include <vector>

#include "copse/parse_options.h"
#include "evaluation/evaluator.h"
#include "parallel/task_pool.h"
#include "pipeline/model_components.h"

namespace copse {

// How well sentences are parsed whose trees are known, all words counted. With probabilities, if the options
// ask for them. In a team (of the pool), each process parses its own share, dealt out in turn, and all get to
// know how well all sentences are parsed.
Evaluator evaluate_parses(const ModelComponents& model, const ParseOptions& options,
                          const std::vector<Sentence>& gold, TaskPool& pool);
Scores parse_scores(const ModelComponents& model, const ParseOptions& options,
                    const std::vector<Sentence>& gold, TaskPool& pool);

}  // namespace copse
