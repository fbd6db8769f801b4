#include "model/network_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/log_sum_exp.h"

namespace copse {

void NetworkLabels::label(std::size_t number, std::span<const int> heads, std::vector<std::string>& labels,
                          std::vector<double>* probabilities) {
  const std::vector<std::string>& names = pass_->network().description().labels;
  labels.assign(heads.size(), "_");
  if (probabilities != nullptr) probabilities->assign(heads.size(), 0.0);
  if (names.empty()) return;
  const ConstMatrix all = pass_->label_scores(number, heads);
  scores_.resize(names.size());
  for (std::size_t word = 1; word < heads.size(); ++word) {
    if (heads[word] < 0) continue;
    const ArcPlace place = place_of_arc(heads[word]);
    for (std::size_t label = 0; label < names.size(); ++label) {
      scores_[label] = root_labels_->allows(static_cast<Label>(label), place)
                           ? static_cast<double>(all.row(word)[label])
                           : -std::numeric_limits<double>::infinity();
    }
    const std::size_t best = best_of(scores_);
    if (!std::isfinite(scores_[best])) continue;  // no label is known for such an arc
    labels[word] = names[best];
    if (probabilities != nullptr) (*probabilities)[word] = std::exp(scores_[best] - log_sum_exp(scores_));
  }
}

RootLabels count_root_labels(std::span<const std::string> labels,
                             std::span<const Sentence* const> sentences) {
  RootLabels result(labels.size());
  for (const Sentence* sentence : sentences) {
    for (const Token& word : sentence->words()) {
      const auto found = std::lower_bound(labels.begin(), labels.end(), word.deprel());
      if (word.head() < 0 || found == labels.end() || *found != word.deprel()) continue;
      result.count(static_cast<Label>(found - labels.begin()), place_of_arc(word.head()));
    }
  }
  return result;
}

}  // namespace copse
