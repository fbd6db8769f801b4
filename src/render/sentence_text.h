#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "copse/treebank/sentence.h"

namespace copse {

// The sentence as one JSON object, without a line end.
std::string sentence_json(const Sentence& sentence);

// The sentence as a graph for Graphviz, which has this name when the sentence has no sent_id.
std::string sentence_dot(const Sentence& sentence, const std::string& usual_name);

// The number that a comment `# key = number` has, if it is one.
std::optional<double> number_in_comment(const Sentence& sentence, std::string_view key);

}  // namespace copse
