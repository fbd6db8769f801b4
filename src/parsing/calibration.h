#pragma once

#include <span>

#include "copse/treebank/sentence.h"
#include "model/parser_model.h"
#include "parallel/task_pool.h"

namespace copse {

// The temperature (see ParserModel) under which the heads of these sentences are most probable, each by
// itself: the one that minimises the sum of - log P(arc). Words without a head do not count. The same for any
// number of threads; 1 if there is nothing to go by. In a team, each process has its own sentences, and all
// get the temperature of all.
double fit_temperature(const ParserModel& model, std::span<const Sentence> sentences, TaskPool& pool);

}  // namespace copse
