#include "model/network_labels.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "numeric/log_sum_exp.h"

namespace copse {

NetworkLabels::NetworkLabels(NetworkPass& pass, const RootLabels& root_labels) : pass_(&pass) {
  const std::size_t count = pass.network().description().labels.size();
  for (std::size_t number = 0; number < count; ++number) {
    const auto label = static_cast<Label>(number);
    if (root_labels.allows(label, ArcPlace::inside)) candidates_[0].push_back(label);
    if (root_labels.allows(label, ArcPlace::at_root)) candidates_[1].push_back(label);
  }
}

std::span<const Label> NetworkLabels::allowed(int head, std::span<const Label> known) {
  if (known.empty()) return candidates(head);
  allowed_.clear();
  std::ranges::copy_if(candidates(head), std::back_inserter(allowed_), [&](Label label) {
    return std::find(known.begin(), known.end(), label) != known.end();
  });
  return allowed_.empty() ? candidates(head) : allowed_;
}

void NetworkLabels::label(PreparedSentence sentence, std::span<const int> heads, AllowedLabels known,
                          std::vector<std::string>& labels, std::vector<double>* probabilities) {
  labels.assign(heads.size(), "_");
  if (probabilities != nullptr) probabilities->assign(heads.size(), 0.0);
  if (pass_->network().description().labels.empty()) return;
  const ConstMatrix all = scores(sentence, heads);
  for (std::size_t word = 1; word < heads.size(); ++word) {
    if (heads[word] < 0) continue;
    const std::span<const Label> of_word = known.empty() ? std::span<const Label>() : known[word];
    const std::span<const Label> candidates = allowed(heads[word], of_word);
    if (candidates.empty()) continue;  // no label is known for such an arc
    normalise_label_scores(all.row(word), candidates, scores_);
    const std::size_t best = best_of(scores_);
    if (!std::isfinite(scores_[best])) continue;
    labels[word] = pass_->network().description().labels[candidates[best]];
    if (probabilities != nullptr) (*probabilities)[word] = std::exp(scores_[best]);
  }
}

void normalise_label_scores(const float* scores, std::span<const Label> labels, std::vector<double>& result) {
  result.clear();
  for (const Label label : labels) result.push_back(static_cast<double>(scores[label]));
  const double sum = labels.empty() ? 0.0 : log_sum_exp(result);
  for (double& score : result) score -= sum;
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
