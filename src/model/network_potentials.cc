#include "model/network_potentials.h"

namespace copse {

NetworkPotentials::NetworkPotentials(NetworkPass& pass, const RootLabels* root_labels) : pass_(&pass) {
  if (root_labels != nullptr) labels_.emplace(pass, *root_labels);
}

void NetworkPotentials::score_arcs(const PartIndex& arcs, Potentials& potentials) {
  if (!arc_scores_) arc_scores_ = pass_->arc_scores(sentence_->roles());
  const ArcSet& set = arcs.arcs();
  potentials.resize(arcs);
  for (int arc = 0; arc < set.size(); ++arc) {
    potentials.arc[static_cast<std::size_t>(arc)] =
        arc_scores_->row(static_cast<std::size_t>(set[arc].modifier))[set[arc].head];
  }
}

void NetworkPotentials::score(const PartIndex& parts, double factor, Potentials& potentials) {
  parts_ = &parts;
  label_scores_.clear();
  potentials.assign(parts);
  score_arcs(parts, potentials);
  if (parts.factorization() != Factorization::first) {
    pass_->add_part_scores(sentence_->roles(), parts, potentials);
  }
  if (factor != 1.0) potentials.scale(factor);
}

std::span<const std::string> NetworkPotentials::labels() const {
  if (!labels_) return {};
  return pass_->network().description().labels;
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
    const ConstMatrix scores = labels_->scores(*sentence_, heads_);
    label_scores_[at].assign(scores.row(0), scores.row(0) + heads_.size() * labels().size());
  }
  return label_scores_[at];
}

ArcLabels NetworkPotentials::score_labels(int arc) {
  const ArcSet& arcs = parts_->arcs();
  const std::span<const Label> candidates = candidate_labels(arcs[arc]);
  const float* row = label_scores(arcs.incoming_rank(arc)).data() +
                     static_cast<std::size_t>(arcs[arc].modifier) * labels().size();
  normalise_label_scores(row, candidates, scores_);
  return {candidates, scores_, true};
}

}  // namespace copse
