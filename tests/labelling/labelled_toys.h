// Little trees whose labels follow from tags and relatives, for tests that train.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "treebank/conll_helpers.h"

namespace copse::testing {

// Verbs with a subject and one or two objects: the label of an object depends on whether there is another
// one. Heads and labels as the columns have them.
inline std::string labelled_toys(int sentences, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::vector<std::string> kNouns = {"dog", "tree", "house", "river", "child", "garden"};
  const std::vector<std::string> kVerbs = {"gives", "shows", "sells", "finds"};
  const auto pick = [&](const std::vector<std::string>& words) { return words[random() % words.size()]; };
  std::string text;
  for (int number = 1; number <= sentences; ++number) {
    text += "# sent_id = toy-" + std::to_string(number) + "\n";
    const int objects = 1 + static_cast<int>(random() % 2);
    constexpr int kVerb = 3;
    int id = 0;
    const auto add = [&](const std::string& form, const char* tag, int head, const char* label) {
      text += std::to_string(++id) + "\t" + form + "\t_\t" + tag + "\t_\t_\t" + std::to_string(head) + "\t" +
              label + "\t_\t_\n";
    };
    const auto noun_phrase = [&](const char* label) {
      add("the", "DET", id + 2, "det");
      add(pick(kNouns), "NOUN", kVerb, label);
    };
    noun_phrase("nsubj");
    add(pick(kVerbs), "VERB", 0, "root");
    if (objects == 2) noun_phrase("iobj");
    noun_phrase("obj");
    add(".", "PUNCT", kVerb, "punct");
    text += "\n";
  }
  return text;
}

}  // namespace copse::testing
