#include "training/crossing_arcs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "parallel/team_values.h"
#include "treebank/dealt_sentences.h"
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

// Sentences of a treebank, those of this process, with their numbers among all.
struct NumberedSentences {
  std::vector<const Sentence*> sentences;
  std::vector<std::uint64_t> numbers;

  void add(const Sentence& sentence, std::uint64_t number) {
    sentences.push_back(&sentence);
    numbers.push_back(number);
  }
};

NumberedSentences with_heads(std::span<const Sentence> sentences, const Team& team) {
  NumberedSentences chosen;
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    if (has_head(sentences[k])) chosen.add(sentences[k], number_of_own(team, k));
  }
  return chosen;
}

// At most so many of the sentences of all processes, spread evenly; dealt out again.
std::vector<Sentence> sample(const NumberedSentences& sentences, std::size_t most, Team& team) {
  const Places places = find_places(team, sentences.numbers);
  const std::size_t size = std::min(places.all, most);
  std::vector<Sentence> chosen;
  std::vector<std::size_t> numbers;
  std::size_t next = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t place = k * places.all / size;
    while (next < places.own.size() && places.own[next] < place) ++next;
    if (next == places.own.size() || places.own[next] != place) continue;
    chosen.push_back(*sentences.sentences[next]);
    numbers.push_back(k);
  }
  return deal_anew(team, std::move(chosen), numbers);
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
                                        std::span<const CrossingArcs> ways, const TryCrossingArcs& try_way,
                                        Team& team) {
  CrossingArcsChoice choice;
  choice.way = ways.front();
  NumberedSentences to_learn_from;
  NumberedSentences to_judge_by = with_heads(development, team);
  const bool has_development = team.any(!to_judge_by.sentences.empty());
  const NumberedSentences trees = with_heads(sentences, team);
  const Places places = find_places(team, trees.numbers);
  for (std::size_t k = 0; k < trees.sentences.size(); ++k) {
    const std::vector<int> heads = trees.sentences[k]->heads();
    if (is_tree(heads) && !is_projective(heads)) ++choice.nonprojective_trees;
    const bool is_held_out = !has_development && (places.own[k] + 1) % kHeldOut == 0;
    (is_held_out ? to_judge_by : to_learn_from).add(*trees.sentences[k], trees.numbers[k]);
  }
  choice.trees = static_cast<std::int64_t>(places.all);
  choice.nonprojective_trees = team.sum(choice.nonprojective_trees);
  const bool has_judges = team.any(!to_judge_by.sentences.empty());
  if (choice.nonprojective_trees == 0 || ways.size() < 2 || !has_judges) return choice;
  const std::vector<Sentence> held_out = sample(to_judge_by, kMostToJudgeBy, team);
  double best = -1.0;
  for (const CrossingArcs way : ways) {
    const CrossingArcsTrial& trial =
        choice.trials.emplace_back(try_way(way, sample(to_learn_from, kMostToLearnFrom, team), held_out));
    const double score = trial.las > 0.0 ? trial.las : trial.uas;
    if (score <= best) continue;
    best = score;
    choice.way = way;
  }
  return choice;
}

}  // namespace copse
