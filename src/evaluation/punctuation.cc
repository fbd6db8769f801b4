#include "evaluation/punctuation.h"

#include <algorithm>

#include "text/unicode.h"
#include "text/utf8.h"
#include "treebank/tags.h"

namespace copse {
namespace {

// `text` is valid UTF-8, as fields are.
bool is_all_punctuation(std::string_view text) {
  while (!text.empty()) {
    if (!is_punctuation_character(take_character(text))) return false;
  }
  return true;
}

}  // namespace

bool is_punctuation(const Token& gold, Punctuation convention) {
  switch (convention) {
    case Punctuation::keep:
      break;
    case Punctuation::ptb: {
      constexpr std::array<std::string_view, 5> kTags = {"''", "``", ":", ",", "."};
      return std::find(kTags.begin(), kTags.end(), fine_tag(gold)) != kTags.end();
    }
    case Punctuation::ctb:
      return fine_tag(gold) == "PU";
    case Punctuation::ud:
      return gold.upos() == "PUNCT";
    case Punctuation::unicode:
      return is_all_punctuation(gold.form());
  }
  return false;
}

}  // namespace copse
