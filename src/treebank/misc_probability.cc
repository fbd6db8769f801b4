#include "treebank/misc_probability.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/attribute_list.h"

namespace copse {

void set_misc_probability(Token& word, std::string_view key, double probability) {
  word.set_misc(with_attribute(word.misc(), key, fmt::format("{:.4f}", std::clamp(probability, 0.0, 1.0))));
}

void remove_misc_probability(Token& word, std::string_view key) {
  if (!word.misc().starts_with('P') && word.misc().find("|P") == std::string_view::npos) return;
  const std::string rest = without_attribute(word.misc(), key);
  if (rest != word.misc()) word.set_checked(Row::kMisc, rest);
}

void make_conllu(Sentence& sentence) {
  if (sentence.layout().format == ConllFormat::conllu) return;
  sentence.layout().format = ConllFormat::conllu;
  for (Token& word : sentence.words()) {
    word.set_deps("_");
    word.set_misc("_");
  }
}

}  // namespace copse
