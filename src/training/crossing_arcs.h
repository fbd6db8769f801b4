#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "parallel/team.h"
#include "parser_training/training_options.h"

namespace copse {

// How a parser is made from trees with arcs that cross.
enum class CrossingArcs : std::uint8_t {
  best_match,     // from the nearest projective trees
  pseudo,         // from projective trees whose labels say what was changed
  nonprojective,  // from the trees as they are: first order, over all trees
};
// As in the command line and in the log.
std::string_view name(CrossingArcs way);

// The options of a parser that is made in this way.
TrainingOptions with_crossing_arcs(TrainingOptions options, CrossingArcs way);

// How well a parser did that was made in one of the ways, on sentences that it had not seen.
struct CrossingArcsTrial {
  CrossingArcs way;
  double uas;
  double las;  // 0 without labels
};

struct CrossingArcsChoice {
  CrossingArcs way = CrossingArcs::best_match;
  std::int64_t trees = 0;
  std::int64_t nonprojective_trees = 0;   // among these
  std::vector<CrossingArcsTrial> trials;  // none if nothing crosses: then all ways are the same
};

// Makes a parser from the first sentences and scores it on the second ones, with trees as in the treebank.
using TryCrossingArcs = std::function<CrossingArcsTrial(CrossingArcs way, std::vector<Sentence> sentences,
                                                        const std::vector<Sentence>& held_out)>;

// The way with the best LAS, or UAS where there are no labels; of equal ones, the first of `ways`. Parsers
// are tried on part of a large treebank. They are judged by development data, or where there is none by every
// tenth sentence, which they do not learn from. The same answer for the same data, of which each process of a
// team has its own share, dealt out in turn, in the trials, too.
CrossingArcsChoice choose_crossing_arcs(std::span<const Sentence> sentences,
                                        std::span<const Sentence> development,
                                        std::span<const CrossingArcs> ways, const TryCrossingArcs& try_way,
                                        Team& team);

}  // namespace copse
