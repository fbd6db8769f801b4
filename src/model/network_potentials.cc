#include "model/network_potentials.h"

namespace copse {

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
  potentials.assign(parts);
  score_arcs(sentence, parts, potentials);
  if (parts.factorization() != Factorization::first) pass_->add_part_scores(sentence, parts, potentials);
  if (factor != 1.0) potentials.scale(factor);
}

}  // namespace copse
