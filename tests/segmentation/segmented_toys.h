// A little language with abbreviations, contractions and paragraphs, for tests that train.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "segmentation/segmenter_trainer.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {

// "Dr." and "Mr." keep their full stops, other words do not; "don't" and the like are two words.
inline std::string segmented_toys(int sentences, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::vector<std::string> kNouns = {"dog", "tree", "house", "river", "child", "garden"};
  const std::vector<std::string> kVerbs = {"see", "like", "climb", "paint"};
  const std::vector<std::string> kHelpers = {"do", "did", "would", "could", "should"};
  const std::vector<std::string> kNames = {"Anna", "Ben", "Cleo"};
  const auto pick = [&](const std::vector<std::string>& words) { return words[random() % words.size()]; };
  std::string text;
  for (int number = 1; number <= sentences; ++number) {
    if (number % 4 == 1) text += "# newpar\n";
    int id = 0;
    const auto row = [&](const std::string& place, const std::string& form, bool has_space) {
      text += place + "\t" + form + "\t_\t_\t_\t_\t_\t_\t_\t" + (has_space ? "_" : "SpaceAfter=No") + "\n";
    };
    const auto add = [&](const std::string& form, bool has_space = true) {
      ++id;
      row(std::to_string(id), form, has_space);
    };
    if (random() % 2 == 0) {
      add(random() % 2 == 0 ? "Dr." : "Mr.");
      add(pick(kNames));
    } else {
      add("The");
      add(pick(kNouns));
    }
    if (random() % 2 == 0) {
      const std::string helper = pick(kHelpers);
      row(std::to_string(id + 1) + "-" + std::to_string(id + 2), helper + "n't", true);
      add(helper);
      add("n't");
    }
    add(pick(kVerbs));
    if (random() % 3 == 0) {
      add("(", false);
      add("a", true);
      add(pick(kNouns), false);
      add(")", false);
    } else {
      add("the");
      add(pick(kNouns), false);
    }
    add(random() % 3 == 0 ? "!" : ".");
    text += "\n";
  }
  return text;
}

// A language that writes articles and pronouns in one with nouns, of which there are thousands, and "ti" in
// one with "pa" as "tipe"; "des" is "de" and "les" before a token with an article, and a word otherwise.
inline std::string glued_toys(int sentences, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string text;
  const auto noun = [&random] {
    std::string letters;
    for (std::size_t syllable = 2 + random() % 2; syllable > 0; --syllable) {
      letters += "bdgkrsv"[random() % 7];
      letters += "eou"[random() % 3];
    }
    return letters;
  };
  for (int number = 0; number < sentences; ++number) {
    int id = 0;
    const auto row = [&](const std::string& place, const std::string& form) {
      text += place + "\t" + form + "\t_\t_\t_\t_\t_\t_\t_\t_\n";
    };
    const auto add = [&](const std::string& form, const std::vector<std::string>& words) {
      if (words.size() > 1) {
        row(std::to_string(id + 1) + "-" + std::to_string(id + static_cast<int>(words.size())), form);
      }
      for (const std::string& word : words) row(std::to_string(++id), word);
    };
    for (int token = 0; token < 4; ++token) {
      const std::string stem = noun();
      const bool has_article = random() % 2 == 0;
      const bool has_pronoun = random() % 3 == 0;
      if (token > 0 && random() % 2 == 0) {
        add("des", has_article ? std::vector<std::string>{"de", "les"} : std::vector<std::string>{"des"});
      }
      std::vector<std::string> words;
      std::string form;
      if (has_article && random() % 4 == 0) {
        words = {"ti", "pa"};
        form = "tipe";
      } else if (has_article) {
        words = {"tila"};
        form = "tila";
      }
      words.push_back(stem);
      form += stem;
      if (has_pronoun) {
        words.emplace_back("mi");
        form += "mi";
      }
      add(form, words);
    }
    add(".", {"."});
    text += "\n";
  }
  return text;
}

inline SegmenterModel toy_segmenter(TaskPool& pool, const SegmenterTrainingOptions& options = {},
                                    int sentences = 150) {
  SegmenterObserver observer;
  return train_segmenter(read_text(segmented_toys(sentences, 1)), {}, options, pool, observer);
}

inline SegmenterModel toy_segmenter(const SegmenterTrainingOptions& options = {}) {
  TaskPool pool(1);
  return toy_segmenter(pool, options);
}

}  // namespace copse::testing
