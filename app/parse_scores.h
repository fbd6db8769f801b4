#pragma once

#include <vector>

#include "copse/evaluation/evaluator.h"
#include "copse/model/model.h"
#include "copse/parallel/task_pool.h"
#include "copse/treebank/sentence.h"

namespace copse {

// How well a model parses sentences whose trees are known, all words counted.
Scores parse_scores(const Model& model, const std::vector<Sentence>& gold, TaskPool& pool);

}  // namespace copse
