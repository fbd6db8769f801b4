#include "network/network_description.h"

#include "features/lemma_rule.h"

namespace copse {

std::string TagColumn::value_of(const Token& word, Row::Column column) {
  switch (column) {
    case Row::kUpos:
      return std::string(word.upos());
    case Row::kXpos:
      return std::string(word.xpos());
    case Row::kFeats:
      return std::string(word.feats());
    default:
      return LemmaRule::between(word.form(), word.lemma()).text();
  }
}

std::string_view name_of(Row::Column column) {
  switch (column) {
    case Row::kUpos:
      return "UPOS";
    case Row::kXpos:
      return "XPOS";
    case Row::kFeats:
      return "FEATS";
    case Row::kLemma:
      return "LEMMA";
    default:
      return "_";
  }
}

}  // namespace copse
