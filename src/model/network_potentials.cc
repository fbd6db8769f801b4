#include "model/network_potentials.h"

#include "numeric/log_sum_exp.h"

namespace copse {

NetworkPotentials::NetworkPotentials(NetworkPass& pass, const RootLabels* root_labels)
    : pass_(&pass), has_labels_(root_labels != nullptr) {
  if (!has_labels_) return;
  const std::size_t count = pass.network().description().labels.size();
  for (std::size_t number = 0; number < count; ++number) {
    const auto label = static_cast<Label>(number);
    if (root_labels->allows(label, ArcPlace::inside)) candidates_[0].push_back(label);
    if (root_labels->allows(label, ArcPlace::at_root)) candidates_[1].push_back(label);
  }
}

void NetworkPotentials::score_arcs(std::size_t sentence, const PartIndex& arcs, Potentials& potentials) {
  const ConstMatrix scores = pass_->arc_scores(sentence);
  const ArcSet& set = arcs.arcs();
  potentials.resize(arcs);
  for (int arc = 0; arc < set.size(); ++arc) {
    potentials.arc[static_cast<std::size_t>(arc)] =
        scores.row(static_cast<std::size_t>(set[arc].modifier))[set[arc].head];
  }
}

void NetworkPotentials::score(std::size_t sentence, const PartIndex& parts, double factor,
                              Potentials& potentials) {
  sentence_ = sentence;
  parts_ = &parts;
  label_scores_.clear();
  potentials.assign(parts);
  score_arcs(sentence, parts, potentials);
  if (parts.factorization() != Factorization::first) pass_->add_part_scores(sentence, parts, potentials);
  if (factor != 1.0) potentials.scale(factor);
}

std::span<const std::string> NetworkPotentials::labels() const {
  if (!has_labels_) return {};
  return pass_->network().description().labels;
}

std::span<const Label> NetworkPotentials::candidate_labels(std::size_t /*sentence*/, Arc arc) {
  return candidates_[arc.head == 0 ? 1 : 0];
}

const std::vector<float>& NetworkPotentials::label_scores(int rank) {
  const auto at = static_cast<std::size_t>(rank);
  if (label_scores_.size() <= at) label_scores_.resize(at + 1);
  if (label_scores_[at].empty()) {
    const ArcSet& arcs = parts_->arcs();
    heads_.assign(static_cast<std::size_t>(arcs.words()) + 1, -1);
    for (int word = 1; word <= arcs.words(); ++word) {
      const auto incoming = arcs.incoming(word);
      if (at < incoming.size()) heads_[static_cast<std::size_t>(word)] = arcs[incoming[at]].head;
    }
    const ConstMatrix scores = pass_->label_scores(sentence_, heads_);
    label_scores_[at].assign(scores.row(0), scores.row(0) + heads_.size() * labels().size());
  }
  return label_scores_[at];
}

ArcLabels NetworkPotentials::score_labels(int arc) {
  const ArcSet& arcs = parts_->arcs();
  const std::span<const Label> candidates = candidate_labels(sentence_, arcs[arc]);
  const float* row = label_scores(arcs.incoming_rank(arc)).data() +
                     static_cast<std::size_t>(arcs[arc].modifier) * labels().size();
  scores_.clear();
  for (const Label label : candidates) scores_.push_back(static_cast<double>(row[label]));
  const double sum = candidates.empty() ? 0.0 : log_sum_exp(scores_);
  for (double& score : scores_) score -= sum;
  return {candidates, scores_, true};
}

}  // namespace copse
