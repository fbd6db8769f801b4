// A little language whose trees follow from its words, for tests that train.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace copse::testing {

class ToyGrammar {
 public:
  // With `ambiguous`, the phrases with "with" depend on the verb or the object by chance: nobody can learn
  // that, so that learners never come to an end.
  explicit ToyGrammar(std::uint32_t seed, bool ambiguous = false) : random_(seed), ambiguous_(ambiguous) {}

  // In CoNLL-U, with the blank line.
  std::string sentence() {
    words_.clear();
    const int subject = noun_phrase();
    const int verb = add(pick({"sees", "finds", "likes", "draws"}), "VERB", "VBZ", "root");
    head(subject) = verb;
    label(subject) = "nsubj";
    const int object = noun_phrase();
    head(object) = verb;
    label(object) = "obj";
    if (chance(2)) {
      const int with = add("with", "ADP", "IN", "case");
      const int companion = add_name("obl");
      head(with) = companion;
      head(companion) = ambiguous_ && chance(2) ? object : verb;
    }
    head(add(".", "PUNCT", ".", "punct")) = verb;
    return text();
  }

  std::string treebank(int sentences) {
    std::string result;
    for (int k = 1; k <= sentences; ++k) result += "# sent_id = toy-" + std::to_string(k) + "\n" + sentence();
    return result;
  }

 private:
  struct Word {
    std::string form, upos, xpos, label;
    int head = 0;
  };

  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  std::string pick(const std::vector<std::string>& forms) {
    return ambiguous_ ? forms[0] : forms[random_() % forms.size()];
  }
  int& head(int word) { return words_[static_cast<std::size_t>(word) - 1].head; }
  std::string& label(int word) { return words_[static_cast<std::size_t>(word) - 1].label; }

  int add(const std::string& form, const std::string& upos, const std::string& xpos,
          const std::string& label) {
    words_.push_back({form, upos, xpos, label, 0});
    return static_cast<int>(words_.size());
  }

  int add_name(const std::string& label) { return add(pick({"Anna", "Ben", "Cleo"}), "PROPN", "NNP", label); }

  // Returns the noun.
  int noun_phrase() {
    const int determiner = add(pick({"the", "a"}), "DET", "DT", "det");
    const int adjective = chance(3) ? add(pick({"old", "green", "quiet"}), "ADJ", "JJ", "amod") : 0;
    const int noun = add(pick({"dog", "tree", "house", "river", "child"}), "NOUN", "NN", "nmod");
    head(determiner) = noun;
    if (adjective > 0) head(adjective) = noun;
    if (chance(3)) {
      const int of = add("of", "PART", "POS", "case");  // the tag tells it from "with"
      const int owner = add_name("nmod");
      head(of) = owner;
      head(owner) = noun;
    }
    return noun;
  }

  std::string text() const {
    std::string rows;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      const Word& word = words_[k];
      rows += std::to_string(k + 1) + "\t" + word.form + "\t_\t" + word.upos + "\t" + word.xpos + "\t_\t" +
              std::to_string(word.head) + "\t" + word.label + "\t_\t_\n";
    }
    return rows + "\n";
  }

  std::mt19937 random_;
  bool ambiguous_;
  std::vector<Word> words_;
};

inline std::string toy_treebank(int sentences, std::uint32_t seed) {
  return ToyGrammar(seed).treebank(sentences);
}

}  // namespace copse::testing
