#pragma once

#include <functional>
#include <span>
#include <string>

#include "copse/treebank/conll.h"
#include "copse/treebank/sentence.h"

namespace copse {

// Given a gold sentence and the same sentence of every system, in their order.
using ComparedSentenceVisitor =
    std::function<void(const Sentence& gold, std::span<const Sentence* const> systems)>;

// Reads the gold file and the files of all systems side by side, one sentence of each at a time; "-" is the
// standard input, for one of them. Throws DataError, with the file and the line, unless all have the same
// sentences with the same forms, and every P= in MISC of a system is a probability. Gold trees with cycles
// are refused; what a system wrote may have cycles.
void read_side_by_side(const std::string& gold_path, std::span<const std::string> system_paths,
                       const ComparedSentenceVisitor& visit, int max_words = ConllReadOptions().max_words);

}  // namespace copse
