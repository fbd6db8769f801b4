#pragma once

#include <string>
#include <vector>

#include "treebank/conll_helpers.h"

namespace copse::testing {

inline std::string row(const std::string& id, const std::string& form, const std::string& upos,
                       const std::string& xpos, const std::string& head, const std::string& label,
                       const std::string& misc = "_") {
  return id + "\t" + form + "\t_\t" + upos + "\t" + xpos + "\t_\t" + head + "\t" + label + "\t_\t" + misc +
         "\n";
}

inline Sentence sentence_of(const std::string& rows) {
  ConllReadOptions options;
  options.format = ConllFormat::conllu;
  return read_text(rows, options).at(0);
}

inline const std::string kGoldDogs =
    row("1", "The", "DET", "DT", "2", "det") + row("2", "dogs", "NOUN", "NNS", "3", "nsubj:pass") +
    row("3", "left", "VERB", "VBN", "0", "root") + row("4", ",", "PUNCT", ",", "5", "punct") +
    row("5", "too", "ADV", "RB", "3", "advmod") + row("6", ".", "PUNCT", ".", "3", "punct");

// Against kGoldDogs: subtype missing (2), wrong head (4), wrong label (5), no head (6).
inline const std::string kSystemDogs =
    row("1", "The", "_", "_", "2", "det", "P=0.9") + row("2", "dogs", "_", "_", "3", "nsubj", "P=0.8") +
    row("3", "left", "_", "_", "0", "root", "P=0.9") + row("4", ",", "_", "_", "3", "punct", "X=1|P=0.6") +
    row("5", "too", "_", "_", "3", "obl") + row("6", ".", "_", "_", "_", "punct", "P=0.5");

// The root is punctuation, and one word has no gold head.
inline const std::string kGoldShout =
    row("1", "!", "PUNCT", ".", "0", "root") + row("2", "psst", "INTJ", "UH", "_", "_");
inline const std::string kSystemShout =
    row("1", "!", "PUNCT", ".", "0", "root") + row("2", "psst", "INTJ", "UH", "1", "dep");

}  // namespace copse::testing
