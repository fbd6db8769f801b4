#pragma once

#include <string>
#include <vector>

#include "analysis/analyzer.h"
#include "evaluation/evaluation_helpers.h"

namespace copse::testing {

// Systems are called "A", "B" and so on. All texts must have the same words.
inline Analysis analysis_of(const std::string& gold_text, const std::vector<std::string>& system_texts,
                            const AnalysisOptions& options = {}) {
  ConllReadOptions system_options;
  system_options.validate_trees = false;
  const std::vector<Sentence> gold = read_text(gold_text);
  std::vector<std::vector<Sentence>> systems;
  for (const std::string& text : system_texts) systems.push_back(read_text(text, system_options));
  Analyzer analyzer(systems.size(), options);
  for (size_t number = 0; number < gold.size(); ++number) {
    std::vector<const Sentence*> parsed;
    for (const std::vector<Sentence>& system : systems) parsed.push_back(&system.at(number));
    analyzer.add(gold[number], parsed);
  }
  Analysis analysis = analyzer.result();
  analysis.gold_file = "gold.conllu";
  for (size_t k = 0; k < systems.size(); ++k) {
    analysis.systems[k].name = std::string(1, static_cast<char>('A' + k));
    analysis.systems[k].file = "file" + std::to_string(k);
  }
  return analysis;
}

inline const std::string kGold = kGoldDogs + "\n" + kGoldShout + "\n";
inline const std::string kSystem = kSystemDogs + "\n" + kSystemShout + "\n";

// The same with "_" in place of all labels.
inline std::string without_labels(const std::string& text) {
  std::vector<Sentence> sentences;
  ConllReadOptions options;
  options.validate_trees = false;
  sentences = read_text(text, options);
  for (Sentence& sentence : sentences) {
    for (Token& word : sentence.words()) word.set_deprel("_");
  }
  return write_text(sentences);
}

}  // namespace copse::testing
