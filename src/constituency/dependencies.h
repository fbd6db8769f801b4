#pragma once

#include "constituency/constituent_tree.h"
#include "constituency/conversion_rules.h"
#include "copse/treebank/sentence.h"

namespace copse {

// The same tree without empty elements (traces and the like) and without the constituents that nothing
// else is in; empty if nothing remains.
ConstituentTree without_empty_elements(const ConstituentTree& tree, const ConversionRules& rules);

// The words of a tree with their tags in XPOS and with the heads and labels that the rules give them. In
// every constituent the heads of the children depend on the head of the child that the rules choose, so
// the result is projective and has one word under the root. A tree without words gives an empty sentence.
Sentence to_dependencies(const ConstituentTree& tree, const ConversionRules& rules);

}  // namespace copse
