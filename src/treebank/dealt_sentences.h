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

// What use(all) makes of the sentences of all processes, which are there only meanwhile. Collective.
template <class Use>
auto with_all_sentences(Team& team, std::span<const Sentence> own, const Use& use) {
  if (team.is_alone()) return use(own);
  const std::vector<Sentence> all = gather_sentences(team, own);
  return use(std::span<const Sentence>(all));
}

// Those of all sentences that are this process's.
std::vector<Sentence> keep_own(const Team& team, std::vector<Sentence> all);

// Deals out sentences that some processes have more of than others. Their numbers are, all processes taken
// together, 0, 1, 2 and so on, and those of a process ascend. Collective.
std::vector<Sentence> deal_anew(Team& team, std::vector<Sentence> sentences,
                                std::span<const std::size_t> numbers);

}  // namespace copse
