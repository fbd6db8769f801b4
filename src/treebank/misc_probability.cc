#include "treebank/misc_probability.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace copse {

void set_misc_probability(Token& word, std::string_view key, double probability) {
  const std::string entry = fmt::format("{}={:.4f}", key, std::clamp(probability, 0.0, 1.0));
  std::string misc;
  std::string_view rest = word.misc() == "_" ? std::string_view() : word.misc();
  bool is_placed = false;
  const auto add = [&misc](std::string_view text) {
    if (!misc.empty()) misc += '|';
    misc += text;
  };
  while (!rest.empty()) {
    const std::string_view old = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(rest.size(), old.size() + 1));
    const bool is_probability = old.substr(0, old.find('=')) == key;
    if (!is_probability) {
      add(old);
    } else if (!std::exchange(is_placed, true)) {
      add(entry);
    }
  }
  if (!is_placed) add(entry);
  word.set_misc(misc);
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
