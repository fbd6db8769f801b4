#pragma once

#include <optional>
#include <vector>

#include "copse/parse.h"
#include "copse/treebank/text_range.h"
#include "text/value_writer.h"

namespace copse {

// What is told about a sentence and its parse. All of it is borrowed. Vectors have an entry for each word
// behind one that means nothing.
struct DescribedParse {
  const Sentence& sentence;  // with the best tree in its columns
  const Parse& parse;
  const std::vector<std::optional<TextRange>>& ranges;  // of words in the text; empty: not known
  // Which heads and labels were known beforehand; empty if none were.
  const std::vector<bool>& has_known_head;
  const std::vector<bool>& has_known_label;
  // Heads to be listed, those that are at least so probable; null: none.
  const std::vector<std::vector<HeadAlternative>>* alternatives = nullptr;
  double min_alternative = 0.0;
  std::optional<double> min_confidence = {};  // words below it are doubtful
};

// The members of the object that stands for a sentence in answers of /v1/parse (docs/serving.md) and in
// Python's to_dict().
void write_parse_members(const DescribedParse& described, ValueWriter& json);

}  // namespace copse
