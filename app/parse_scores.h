#pragma once

#include <vector>

#include "evaluation/evaluator.h"
#include "parallel/task_pool.h"
#include "pipeline/pipeline.h"

namespace copse {

// How well sentences are parsed whose trees are known, all words counted.
Scores parse_scores(const Model& pipeline, const PipelineOptions& settings, const std::vector<Sentence>& gold,
                    TaskPool& pool);

}  // namespace copse
