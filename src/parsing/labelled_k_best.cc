#include "parsing/labelled_k_best.h"

#include <algorithm>

namespace copse {

void LabelChoices::add_word(std::span<const Label> labels, std::span<const double> scores) {
  const auto first = static_cast<std::ptrdiff_t>(choices_.size());
  const double best = scores.empty() ? 0.0 : *std::max_element(scores.begin(), scores.end());
  for (std::size_t k = 0; k < labels.size(); ++k) choices_.push_back({labels[k], best - scores[k]});
  std::stable_sort(choices_.begin() + first, choices_.end(),
                   [](const Choice& a, const Choice& b) { return a.loss < b.loss; });
  starts_.push_back(choices_.size());
}

void LabelledKBest::run(int k, std::span<const ScoredTree> trees, const Choose& choose,
                        std::vector<LabelledParse>& result) {
  if (trees_.size() < trees.size()) trees_.resize(trees.size());
  for (Tree& tree : trees_) tree.is_open = false;
  labellings_.clear();
  heap_.clear();
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    push({trees[tree].score, static_cast<int>(tree)});
  }
  const auto is_later = [this](int a, int b) {
    const double difference =
        labellings_[static_cast<std::size_t>(a)].score - labellings_[static_cast<std::size_t>(b)].score;
    return difference < 0.0 || (difference == 0.0 && a > b);
  };
  std::make_heap(heap_.begin(), heap_.end(), is_later);
  std::size_t found = 0;
  while (found < static_cast<std::size_t>(std::max(k, 0)) && !heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    const int number = heap_.back();
    heap_.pop_back();
    const auto at = static_cast<std::size_t>(labellings_[static_cast<std::size_t>(number)].tree);
    if (!trees_[at].is_open) open(trees_[at], trees[at].heads, choose);
    if (result.size() <= found) result.emplace_back();
    write(number, trees[at].heads, result[found]);
    ++found;
    const std::size_t before = heap_.size();
    add_successors(number);
    for (std::size_t size = before + 1; size <= heap_.size(); ++size) {
      std::push_heap(heap_.begin(), heap_.begin() + static_cast<std::ptrdiff_t>(size), is_later);
    }
  }
  result.resize(found);
}

void LabelledKBest::open(Tree& tree, std::span<const int> heads, const Choose& choose) {
  tree.is_open = true;
  tree.choices.clear();
  choose(heads, tree.choices);
  tree.places.clear();
  for (int word = 1; word <= tree.choices.words(); ++word) {
    if (tree.choices.count(word) > 1) tree.places.push_back(word);
  }
  std::stable_sort(tree.places.begin(), tree.places.end(),
                   [&](int a, int b) { return tree.choices.loss(a, 1) < tree.choices.loss(b, 1); });
}

void LabelledKBest::push(const Labelling& labelling) {
  labellings_.push_back(labelling);
  heap_.push_back(static_cast<int>(labellings_.size()) - 1);
}

// Every labelling but the best one has exactly one predecessor, which is no worse. With p its last place that
// has not the best label: if the rank in p is above 1, one rank less; else, if place p - 1 has its best label
// (and there is one), rank 1 moves from p to p - 1, which loses no more; else the best label in p.
void LabelledKBest::add_successors(int number) {
  const Labelling last = labellings_[static_cast<std::size_t>(number)];
  const Tree& tree = trees_[static_cast<std::size_t>(last.tree)];
  const auto add = [&](int base, int place, int rank) {
    if (place >= static_cast<int>(tree.places.size())) return;
    const int word = tree.places[static_cast<std::size_t>(place)];
    if (rank >= tree.choices.count(word)) return;
    const double score = labellings_[static_cast<std::size_t>(base)].score - tree.choices.loss(word, rank);
    push({score, last.tree, base, place, rank});
  };
  if (last.place == kNone) return add(number, 0, 1);
  add(last.base, last.place, last.rank + 1);
  add(number, last.place + 1, 1);
  if (last.rank == 1) add(last.base, last.place + 1, 1);
}

void LabelledKBest::write(int number, std::span<const int> heads, LabelledParse& result) const {
  const Labelling& labelling = labellings_[static_cast<std::size_t>(number)];
  const Tree& tree = trees_[static_cast<std::size_t>(labelling.tree)];
  result.heads.assign(heads.begin(), heads.end());
  result.score = labelling.score;
  result.labels.assign(heads.size(), LabelledParse::kNoLabel);
  for (int word = 1; word <= tree.choices.words(); ++word) {
    if (tree.choices.count(word) > 0) {
      result.labels[static_cast<std::size_t>(word)] = tree.choices.label(word, 0);
    }
  }
  for (Labelling at = labelling; at.place != kNone; at = labellings_[static_cast<std::size_t>(at.base)]) {
    const int word = tree.places[static_cast<std::size_t>(at.place)];
    result.labels[static_cast<std::size_t>(word)] = tree.choices.label(word, at.rank);
  }
}

}  // namespace copse
