#include "treebank/format_detection.h"

#include <algorithm>
#include <array>

namespace copse {
namespace {

constexpr std::array<std::string_view, 18> kUniversalTags = {
    "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",    "CONJ" /* UD version 1 */};

bool has_universal_tag(const Token& word) {
  return std::find(kUniversalTags.begin(), kUniversalTags.end(), word.upos()) != kUniversalTags.end();
}

bool has_conllu_columns(const Token& word) {
  const size_t colon = word.deps().find(':');
  const bool is_enhanced_graph =
      colon != std::string_view::npos && word.deps()[0] >= '0' && word.deps()[0] <= '9';
  return is_enhanced_graph || word.misc().find('=') != std::string_view::npos;
}

bool has_projective_head(const Token& word) { return parse_head(word.deps()).value_or(kNoHead) != kNoHead; }

}  // namespace

bool looks_like_tab3(std::string_view line) {
  if (std::count(line.begin(), line.end(), '\t') != 2) return false;
  return !line.starts_with('#') || parse_head(line.substr(line.rfind('\t') + 1)).has_value();
}

bool has_conllu_lines(const Sentence& sentence) {
  return !sentence.comments().empty() || !sentence.multiwords().empty() || !sentence.empty_nodes().empty();
}

ConllFormat judge_ten_columns(const Sentence& sentence) {
  const auto words = sentence.words();
  if (has_conllu_lines(sentence) || std::any_of(words.begin(), words.end(), has_conllu_columns)) {
    return ConllFormat::conllu;
  }
  if (std::any_of(words.begin(), words.end(), has_projective_head)) return ConllFormat::conllx;
  return std::all_of(words.begin(), words.end(), has_universal_tag) ? ConllFormat::conllu
                                                                    : ConllFormat::conllx;
}

}  // namespace copse
