#pragma once

#include <vector>

#include "copse/evaluation/evaluator.h"
#include "copse/parallel/task_pool.h"
#include "copse/pipeline/pipeline.h"

namespace copse {

// How well sentences are parsed whose trees are known, all words counted.
Scores parse_scores(const Pipeline& pipeline, const PipelineSettings& settings,
                    const std::vector<Sentence>& gold, TaskPool& pool);

}  // namespace copse
