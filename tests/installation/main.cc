#include <cmath>
#include <cstdio>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "copse/treebank/conll.h"

int main() {
  copse::ConllReader reader = copse::ConllReader::from_text(
      "1\tBirds\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n");
  copse::Sentence sentence;
  if (!reader.next(sentence)) return 1;

  // With all potentials 0 every tree is equally probable: three over two words.
  copse::ArcSet arcs;
  arcs.assign_all(sentence.size());
  copse::PartIndex parts;
  parts.assign(arcs, copse::Factorization::first);
  copse::Potentials potentials;
  potentials.assign(parts);
  copse::TreeDistribution distribution;
  distribution.assign(parts, potentials, copse::RootMode::multi);
  const double probability = std::exp(distribution.log_probability(sentence.heads()));
  std::printf("P(tree) = %.4f\n", probability);
  return std::abs(probability - 1.0 / 3.0) < 1e-12 ? 0 : 1;
}
