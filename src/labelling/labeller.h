#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"
#include "labelling/labeller_model.h"

namespace copse {

// Labels the arcs of trees. A workspace for one thread; the model is shared.
class Labeller {
 public:
  explicit Labeller(const LabellerModel& model);
  ~Labeller();
  Labeller(Labeller&&) noexcept;
  Labeller& operator=(Labeller&&) noexcept;

  // Sets the labels of all words that have a head in `heads` (n + 1 entries, kNoHead for none), and "_" for
  // the others; if wanted, also the probability of each label given the tree, 0 where there is none. `known`
  // is what is known of the labels: the others, and their probabilities, are those given it.
  void label(const Sentence& sentence, std::span<const int> heads, std::vector<std::string>& labels,
             std::vector<double>* probabilities = nullptr, AllowedLabels known = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
