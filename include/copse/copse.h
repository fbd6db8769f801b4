// Copse, a probabilistic dependency parser: text to trees in a few lines.
//
//     copse::Pipeline pipeline(copse::Model::load("english"), {.probabilities = true});
//     for (const copse::ParsedSentence& parsed : pipeline.parse_text("It works.")) {
//       ...  // parsed.sentence has the words, parsed.parse the trees
//     }
//
// Exact inference under scores of your own is in copse/inference/tree_distribution.h.
#pragma once

#include "copse/error.h"
#include "copse/model.h"
#include "copse/parse.h"
#include "copse/parse_options.h"
#include "copse/pipeline.h"
#include "copse/setting_error.h"
#include "copse/treebank/conll.h"
#include "copse/treebank/sentence.h"
#include "copse/treebank/text_range.h"
