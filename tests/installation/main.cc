// Uses nothing but what is installed: parsing, and exact inference under given scores.
#include <copse/copse.h>
#include <copse/inference/tree_distribution.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// With all potentials 0 every tree is equally probable: three over two words.
bool infers() {
  copse::ArcSet arcs;
  arcs.assign_all(2);
  copse::PartIndex parts;
  parts.assign(arcs, copse::Factorization::first);
  copse::Potentials potentials;
  potentials.assign(parts);
  copse::TreeDistribution distribution;
  distribution.assign(parts, potentials, copse::RootMode::multi);
  const std::vector<int> heads = {0, 2, 0};
  const double probability = std::exp(distribution.log_probability(heads));
  std::printf("P(tree) = %.4f\n", probability);
  return std::abs(probability - 1.0 / 3.0) < 1e-12;
}

bool parses() {
  copse::ParseOptions options;
  options.probabilities = true;
  options.kbest = 3;
  options.min_alternative = 0.01;
  copse::Pipeline pipeline(copse::Model::load("english"), options);
  const auto sentences = pipeline.parse_text("The dog sees the cat. It sleeps.");
  if (sentences.size() != 2 || sentences[0].parse.trees.size() != 3) return false;
  const copse::ParsedTree& tree = sentences[0].parse.best();
  if (tree.heads[2] != 3 || tree.labels[2] != "nsubj") return false;
  if (tree.head_probabilities[2] <= 0.5 || tree.head_probabilities[2] > 1.0) return false;
  if (sentences[0].parse.alternatives.size() != tree.heads.size()) return false;

  // The opposite of what the model would choose is kept if it is given.
  options = {};
  options.keep_known = true;
  copse::Sentence words;
  for (const char* form : {"The", "dog", "sleeps"}) words.add_word(form);
  words[3].set_head(2);
  copse::Pipeline constrained(copse::Model::load("english"), options);
  if (constrained.parse_sentence(words).parse.best().heads[3] != 2) return false;

  words[2].set_head(3);
  try {
    constrained.parse_sentence(words);
    return false;
  } catch (const copse::InfeasibleError&) {
  }
  try {
    copse::Model::load("klingon");
    return false;
  } catch (const copse::DataError& error) {
    std::printf("%s\n", error.what());
  }
  return true;
}

}  // namespace

int main() { return infers() && parses() ? 0 : 1; }
