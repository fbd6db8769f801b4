#pragma once

#include <string>
#include <vector>

#include "features/lemma_rule.h"
#include "sequence/sequence_model.h"
#include "tagging/tagger_model.h"

namespace copse {

// The label that stands for the value of a word: the value itself, or of a lemma the rule.
std::string label_text(const Token& word, TagAttribute attribute);

struct TaggerLayer {
  TagAttribute attribute = TagAttribute::upos;
  std::vector<std::string> labels;  // by number
  SequenceModel model;

  bool is_lemma() const { return attribute == TagAttribute::lemma; }

  // What follows from the labels.
  std::vector<LemmaRule> rules;       // by label, of lemmas
  std::vector<std::uint64_t> hashes;  // by label, for the features of later layers

  // Fills them in; false if a label is not what it should be.
  bool read_labels();
};

// What the next layer gets to know of a word that has this tag, and now this label.
std::uint64_t next_tag(std::uint64_t tag, std::uint64_t label_hash);

}  // namespace copse
