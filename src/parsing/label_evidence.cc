#include "parsing/label_evidence.h"

namespace copse {

void LabelEvidence::assign(PotentialSource& source, int words, TreeSpace trees,
                           const Constraints& constraints, AllowedLabels known, bool are_roots_attached) {
  are_roots_attached_ = are_roots_attached;
  allowed_.assign(known.begin(), known.end());
  impossible_.clear();
  set_aside_.clear();
  if (known.empty()) return;
  all_arcs_.assign(words, {}, Factorization::first);
  losses_.assign(all_arcs_.parts());
  const ArcSet& arcs = all_arcs_.arcs();
  for (int arc = 0; arc < arcs.size(); ++arc) {
    if (!is_possible(source, arcs[arc])) losses_.arc[static_cast<std::size_t>(arc)] = -1.0;
  }
  set_aside_fewest(trees, constraints);
  for (int arc = 0; arc < arcs.size(); ++arc) {
    const bool is_lost = losses_.arc[static_cast<std::size_t>(arc)] < 0.0;
    if (is_lost && !allowed(arcs[arc]).empty()) impossible_.push_back(arcs[arc]);
  }
}

bool LabelEvidence::is_possible(PotentialSource& source, Arc arc) const {
  const std::span<const Label> wanted = allowed(arc);
  if (wanted.empty()) return true;
  const std::span<const Label> candidates = source.candidate_labels(arc);
  return std::any_of(wanted.begin(), wanted.end(), [&](Label label) {
    return std::find(candidates.begin(), candidates.end(), label) != candidates.end();
  });
}

// Whether an arc may have a label depends on the arc alone, so a tree of first order says how many labels
// must go.
void LabelEvidence::set_aside_fewest(TreeSpace trees, const Constraints& constraints) {
  trees_.assign(all_arcs_.parts(), losses_, trees, constraints);
  heads_.resize(static_cast<std::size_t>(all_arcs_.arcs().words()) + 1);
  if (trees_.best_tree(heads_) == 0.0) return;
  for (int word = 1; word < static_cast<int>(heads_.size()); ++word) {
    const auto at = static_cast<std::size_t>(word);
    const int arc = all_arcs_.arcs().find(heads_[at], word);
    if (losses_.arc[static_cast<std::size_t>(arc)] == 0.0) continue;
    set_aside_.push_back(word);
    allowed_[at] = {};
  }
}

ArcLabels LabelEvidence::restrict(Arc arc, const ArcLabels& labels) {
  const std::span<const Label> wanted = allowed(arc);
  if (wanted.empty()) return labels;
  kept_.clear();
  labels_.clear();
  for (std::size_t k = 0; k < labels.labels.size(); ++k) {
    if (std::find(wanted.begin(), wanted.end(), labels.labels[k]) == wanted.end()) continue;
    kept_.push_back(k);
    labels_.push_back(labels.labels[k]);
  }
  scores_.clear();
  for (std::size_t row = 0; row < labels.scores.size(); row += labels.labels.size()) {
    for (const std::size_t k : kept_) scores_.push_back(labels.scores[row + k]);
  }
  return {labels_, scores_, labels.are_same_in_all_parts};
}

}  // namespace copse
