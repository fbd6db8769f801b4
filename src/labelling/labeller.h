#pragma once

#include <memory>

#include "copse/treebank/sentence.h"
#include "labelling/labeller_model.h"

namespace copse {

struct LabellingOptions {
  // Also write how probable each label is, given the tree: PDEPREL=0.9821 in MISC. Only CoNLL-U has room for
  // that, so other formats become CoNLL-U.
  bool probabilities = false;
};

// A workspace for one thread; the labeller is shared.
class Labeller {
 public:
  explicit Labeller(const LabellerModel& labeller, const LabellingOptions& options = {});
  ~Labeller();
  Labeller(Labeller&&) noexcept;
  Labeller& operator=(Labeller&&) noexcept;

  // Overwrites DEPREL of all words that have a head, and leaves the others alone.
  void label(Sentence& tree);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
