#include "learning/preparation.h"

#include <algorithm>

#include "parsing/projectivize.h"

namespace copse {

std::vector<TrainingSentence> prepare_training_set(std::span<const Sentence> sentences,
                                                   const TrainingOptions& options,
                                                   PreparationReport& report) {
  std::vector<TrainingSentence> examples;
  Projectivizer projectivizer;
  for (const Sentence& sentence : sentences) {
    const std::vector<int> heads = sentence.heads();
    const auto known = std::count_if(heads.begin(), heads.end(), [](int head) { return head != kNoHead; });
    if (known == 0) {
      ++report.without_heads;
      continue;
    }
    if (options.max_length > 0 && sentence.size() > options.max_length) {
      ++report.too_long;
      continue;
    }
    TrainingSentence& example = examples.emplace_back();
    if (const int changed = projectivizer.projectivize(heads, options.tree_space(), example.heads);
        changed > 0) {
      ++report.projectivized;
      report.changed_heads += changed;
    }
    example.sentence = sentence;
    example.is_complete =
        std::find(example.heads.begin() + 1, example.heads.end(), kNoHead) == example.heads.end();
    if (!example.is_complete) ++report.partial;
    ++report.sentences;
    report.words += sentence.size();
  }
  return examples;
}

}  // namespace copse
