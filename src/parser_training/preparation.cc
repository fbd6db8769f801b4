#include "parser_training/preparation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "features/sentence_parts.h"
#include "parsing/projectivize.h"

namespace copse {
namespace {

bool has_head(std::span<const int> heads) {
  return std::any_of(heads.begin(), heads.end(), [](int head) { return head != kNoHead; });
}

// Sums over the team.
template <class... Counts>
void add_up_all(Team& team, Counts&... counts) {
  std::array<std::int64_t, sizeof...(counts)> sums = {counts...};
  team.add_up(sums);
  std::size_t k = 0;
  ((counts = sums[k++]), ...);
}

bool is_too_long(const Sentence& sentence, const TrainingOptions& options) {
  return options.max_length > 0 && sentence.size() > options.max_length;
}

// Calls use(sentence, its heads, its number) for sentences that can be learnt from, and counts the others.
template <class Report, class Use>
void for_each_usable(std::span<const Sentence> sentences, const TrainingOptions& options, const Team& team,
                     Report& report, const Use& use) {
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    std::vector<int> heads = sentences[k].heads();
    if (!has_head(heads)) {
      ++report.without_heads;
    } else if (is_too_long(sentences[k], options)) {
      ++report.too_long;
    } else {
      use(sentences[k], std::move(heads), number_of_own(team, k));
    }
  }
}

}  // namespace

std::vector<TrainingSentence> prepare_training_set(std::span<const Sentence> sentences,
                                                   const TrainingOptions& options, PreparationReport& report,
                                                   Team& team) {
  std::vector<TrainingSentence> examples;
  Projectivizer projectivizer;
  const auto prepare = [&](const Sentence& sentence, const std::vector<int>& heads, std::uint64_t number) {
    TrainingSentence& example = examples.emplace_back();
    if (const int changed = projectivizer.projectivize(heads, options.tree_space(), example.heads);
        changed > 0) {
      ++report.projectivized;
      report.changed_heads += changed;
    }
    example.sentence = sentence;
    example.number = number;
    example.is_complete =
        std::find(example.heads.begin() + 1, example.heads.end(), kNoHead) == example.heads.end();
    if (!example.is_complete) ++report.partial;
    ++report.sentences;
    report.words += sentence.size();
  };
  for_each_usable(sentences, options, team, report, prepare);
  add_up_all(team, report.sentences, report.words, report.too_long, report.without_heads, report.partial,
             report.projectivized, report.changed_heads);
  return examples;
}

std::vector<TrainingSentence> prepare_development_set(std::span<const Sentence> sentences,
                                                      const TrainingOptions& options,
                                                      DevelopmentReport& report, Team& team) {
  std::vector<TrainingSentence> examples;
  const auto keep = [&](const Sentence& sentence, std::vector<int> heads, std::uint64_t number) {
    examples.push_back({sentence, std::move(heads), true, {}, number});
  };
  for_each_usable(sentences, options, team, report, keep);
  add_up_all(team, report.too_long, report.without_heads);
  return examples;
}

void remove_large_sentences(std::vector<TrainingSentence>& sentences, const TrainingOptions& options,
                            DevelopmentReport& report, Team& team) {
  SentenceParts parts;
  const auto removed = std::erase_if(sentences, [&](const TrainingSentence& example) {
    parts.assign(example.sentence.size(), example.candidates, options.factorization);
    return parts.parts().count() > options.max_parts;
  });
  report.too_large += team.sum(static_cast<std::int64_t>(removed));
}

}  // namespace copse
