#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "copse/treebank/sentence.h"
#include "parallel/team.h"
#include "treebank/tags.h"

namespace copse {

// How the coarse tag of a word follows from its columns.
enum class CoarseRule : std::uint8_t {
  treebank,  // the UPOS (CPOSTAG) column
  english,   // the first two characters of the fine tag, and the whole of PRP and PRP$ (Penn Treebank)
  czech,     // the first character of the fine tag (positional tags)
  chinese,   // the fine tag without its last character, and the whole of PU, CD and tags of one character
  none,      // the fine tag: there are no coarse ones
};

// The same words in the command line, in Python and in files.
std::string_view name(CoarseRule rule);
std::optional<CoarseRule> parse_coarse_rule(std::string_view name);

// A view of the token's columns; fine_tag() is among the tags of treebank.
std::string_view coarse_tag(const Token& token, CoarseRule rule);

// The rule for a treebank that nothing is known about. If both columns are in use, `treebank`. If only one
// is, its tags decide: `chinese` if NR or VV is among them, which the English tag set does not have; else
// `english` if NN, NNP or VBD is (the Chinese set has NN, too); else `none`. In a team, each process has its
// own share of the sentences.
CoarseRule choose_coarse_rule(std::span<const Sentence> sentences, Team& team = Team::alone());

}  // namespace copse
