#pragma once

#include <string>
#include <vector>

#include "parallel/task_pool.h"
#include "parser_training/trainer.h"
#include "toy_treebank.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {

inline ParserModel toy_model(Factorization factorization, RootMode root, double prune_threshold) {
  TrainingOptions options;
  options.factorization = factorization;
  options.root = root;
  options.features = FeatureSet::paper;
  options.prune_threshold = prune_threshold;
  options.iterations = 6;
  const std::vector<Sentence> sentences = read_text(toy_treebank(30, 1));
  TaskPool pool(1);
  TrainingObserver nobody;
  return train(sentences, {}, options, {}, pool, nobody);
}

// Sentences of the toy language, one after the other, as one long sentence of exactly so many words.
inline Sentence long_sentence(int words) {
  ToyGrammar grammar(5);
  Sentence result;
  while (true) {
    const Sentence next = read_text(grammar.sentence()).at(0);
    for (const Token& word : next.words()) {
      if (result.size() == words) return result;
      result.add_word(word).set_head(kNoHead);
    }
  }
}

}  // namespace copse::testing
