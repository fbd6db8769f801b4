// Sentences of files are dealt out to the processes of a team in turn (number_of_own() in parallel/team.h).
#pragma once

#include <span>
#include <vector>

#include "copse/treebank/sentence.h"
#include "parallel/team.h"

namespace copse {

// The sentences of all processes in the order of the files, with all that they say. Collective. Throws
// std::logic_error for shares that are not dealt out.
std::vector<Sentence> gather_sentences(Team& team, std::span<const Sentence> own);

// Those of all sentences that are this process's.
std::vector<Sentence> keep_own(const Team& team, std::vector<Sentence> all);

}  // namespace copse
