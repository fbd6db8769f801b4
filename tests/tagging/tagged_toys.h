// A little language whose tags, features and lemmas follow from forms and neighbours, for tests that train.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tagging/tagger_trainer.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {

// Nouns take -s, verbs -s and -ed. Words that can be both are told apart by the word before.
inline std::string tagged_toys(int sentences, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::vector<std::string> kNouns = {"dog",   "tree", "house", "river",
                                           "child", "walk", "talk",  "garden"};
  const std::vector<std::string> kVerbs = {"walk", "talk", "climb", "paint", "open", "visit"};
  const std::vector<std::string> kNames = {"Anna", "Ben", "Cleo"};
  std::string text;
  const auto pick = [&](const std::vector<std::string>& words) { return words[random() % words.size()]; };
  for (int number = 1; number <= sentences; ++number) {
    text += "# sent_id = toy-" + std::to_string(number) + "\n";
    int id = 0;
    const auto add = [&](std::string form, const std::string& lemma, const char* upos, const char* xpos,
                         const char* feats) {
      if (id == 0) form[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(form[0])));
      text += std::to_string(++id) + "\t" + form + "\t" + lemma + "\t" + upos + "\t" + xpos + "\t" + feats +
              "\t_\t_\t_\t_\n";
    };
    const auto noun_phrase = [&] {
      if (random() % 4 == 0) {
        const std::string name = pick(kNames);
        add(name, name, "PROPN", "NNP", "Number=Sing");
        return;
      }
      add("the", "the", "DET", "DT", "Definite=Def");
      const std::string noun = pick(kNouns);
      if (random() % 2 == 0)
        add(noun, noun, "NOUN", "NN", "Number=Sing");
      else
        add(noun + "s", noun, "NOUN", "NNS", "Number=Plur");
    };
    noun_phrase();
    const std::string verb = pick(kVerbs);
    if (random() % 2 == 0)
      add(verb + "ed", verb, "VERB", "VBD", "Tense=Past");
    else
      add(verb + "s", verb, "VERB", "VBZ", "Tense=Pres");
    noun_phrase();
    add(".", ".", "PUNCT", ".", "_");
    text += "\n";
  }
  return text;
}

inline TaggerModel toy_tagger(TaskPool& pool, const TaggerTrainingOptions& options = {},
                              int sentences = 150) {
  TaggerObserver observer;
  return train_tagger(read_text(tagged_toys(sentences, 1)), {}, options, pool, observer);
}

// Everything that a tagger learns, taken away.
inline Sentence without_tags(Sentence sentence) {
  for (Token& word : sentence.words()) {
    word.set_upos("_");
    word.set_xpos("_");
    word.set_feats("_");
    word.set_lemma("_");
  }
  return sentence;
}

}  // namespace copse::testing
