#pragma once

#include <vector>

#include "parallel/team.h"
#include "parser_training/training_set.h"

namespace copse {

// Moves sentences, whose candidates are set, between the processes of a team until all have about the same
// work with them: in every iteration they wait for each other. What is learnt does not depend on it. Of a
// sentence that moves, nothing but its words comes along.
void even_out(std::vector<TrainingSentence>& sentences, Factorization factorization, Team& team);

}  // namespace copse
