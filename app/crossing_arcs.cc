#include "crossing_arcs.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "trees/heads.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"best-match", "pseudo", "nonprojective"};

// Enough to tell ways apart that differ by half a point, in less time than the training that follows.
constexpr std::size_t kMostToLearnFrom = 4000;
constexpr std::size_t kMostToJudgeBy = 1000;
constexpr std::size_t kHeldOut = 10;  // every so manieth sentence

bool has_head(const Sentence& sentence) {
  return std::any_of(sentence.words().begin(), sentence.words().end(),
                     [](const Token& word) { return word.head() != kNoHead; });
}

// At most so many sentences, spread evenly.
std::vector<Sentence> sample(std::span<const Sentence* const> sentences, std::size_t most) {
  const std::size_t size = std::min(sentences.size(), most);
  std::vector<Sentence> chosen;
  chosen.reserve(size);
  for (std::size_t k = 0; k < size; ++k) chosen.push_back(*sentences[k * sentences.size() / size]);
  return chosen;
}

}  // namespace

std::string_view name(CrossingArcs way) { return kNames[static_cast<std::size_t>(way)]; }

TrainingOptions with_crossing_arcs(TrainingOptions options, CrossingArcs way) {
  if (way == CrossingArcs::nonprojective) {
    options.trees = TreeKind::nonprojective;
    options.factorization = Factorization::first;
  }
  return options;
}

CrossingArcsChoice choose_crossing_arcs(std::span<const Sentence> sentences,
                                        std::span<const Sentence> development,
                                        std::span<const CrossingArcs> ways, const TryCrossingArcs& try_way) {
  CrossingArcsChoice choice;
  choice.way = ways.front();
  std::vector<const Sentence*> to_learn_from;
  std::vector<const Sentence*> to_judge_by;
  for (const Sentence& sentence : development) {
    if (has_head(sentence)) to_judge_by.push_back(&sentence);
  }
  const bool has_development = !to_judge_by.empty();
  for (const Sentence& sentence : sentences) {
    if (!has_head(sentence)) continue;
    const std::vector<int> heads = sentence.heads();
    if (is_tree(heads) && !is_projective(heads)) ++choice.nonprojective_trees;
    const bool is_held_out = !has_development && ++choice.trees % kHeldOut == 0;
    (is_held_out ? to_judge_by : to_learn_from).push_back(&sentence);
  }
  choice.trees = static_cast<std::int64_t>(to_learn_from.size() + (has_development ? 0 : to_judge_by.size()));
  if (choice.nonprojective_trees == 0 || ways.size() < 2 || to_judge_by.empty()) return choice;
  const std::vector<Sentence> held_out = sample(to_judge_by, kMostToJudgeBy);
  double best = -1.0;
  for (const CrossingArcs way : ways) {
    const CrossingArcsTrial& trial =
        choice.trials.emplace_back(try_way(way, sample(to_learn_from, kMostToLearnFrom), held_out));
    const double score = trial.las > 0.0 ? trial.las : trial.uas;
    if (score <= best) continue;
    best = score;
    choice.way = way;
  }
  return choice;
}

}  // namespace copse
