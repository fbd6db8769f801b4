#pragma once

#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "inference/random_cases.h"

namespace copse::testing {

template <std::size_t count>
std::string_view pick(Generator& random, const std::array<std::string_view, count>& choices) {
  return choices[static_cast<std::size_t>(uniform_int(random, 0, static_cast<int>(count) - 1))];
}

// A sentence without heads over so few forms and tags that features of one place are seen again at others.
inline Sentence random_sentence(Generator& random, int words) {
  static constexpr std::array<std::string_view, 8> kForms = {"end", "NN",   "Über",  "über",
                                                             "and", "x-y1", "naïve", "VB"};
  static constexpr std::array<std::string_view, 5> kFineTags = {"NN", "NNS", "CC", "VB", "_"};
  static constexpr std::array<std::string_view, 3> kCoarseTags = {"NOUN", "VERB", "CCONJ"};
  static constexpr std::array<std::string_view, 3> kLemmas = {"a", "band", "_"};
  // Of CoNLL-U, of CoNLL-X, and such as people should not write.
  static constexpr std::array<std::string_view, 9> kFeats = {"Case=Nom",
                                                             "Case=Nom|Number=Sing",
                                                             "Number=Plur|Case=Acc",
                                                             "_",
                                                             "sg|nom",
                                                             "pl|nom|masc",
                                                             "Case=Acc||Case=Nom|Case=Acc|",
                                                             "=|=x|y=",
                                                             "a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t|u"};
  Sentence sentence;
  for (int word = 0; word < words; ++word) {
    Token token;
    token.set_form(pick(random, kForms));
    token.set_xpos(pick(random, kFineTags));
    token.set_upos(pick(random, kCoarseTags));
    token.set_lemma(pick(random, kLemmas));
    token.set_feats(pick(random, kFeats));
    sentence.add_word(token);
  }
  return sentence;
}

}  // namespace copse::testing
