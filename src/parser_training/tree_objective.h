#pragma once

#include <memory>

#include "optimisers/objective.h"
#include "parser_training/example.h"
#include "parser_training/feature_lists.h"

namespace copse {

// Which loss learners are given.
struct TreeObjectiveOptions {
  double margin = 0.0;              // see TrainingOptions
  LabelUse labels = LabelUse::sum;  // of joint models
};

// The trees of sentences, as learners see them. The loss of a sentence is - log P(tree), or that of all trees
// that agree with a partial one; with a margin, that of softmax-margin.
class TreeObjective : public Objective {
 public:
  // Borrows the lists.
  TreeObjective(const FeatureLists& lists, TreeSpace trees, const TreeObjectiveOptions& options = {})
      : lists_(&lists), trees_(trees), options_(options) {}

  std::size_t examples() const override { return lists_->size(); }
  std::uint64_t number(std::size_t sentence) const override { return lists_->sentences()[sentence].number; }
  std::size_t weights() const override { return lists_->weights(); }
  std::size_t cost(std::size_t sentence) const override { return lists_->features_of(sentence); }
  std::unique_ptr<ExampleWorkspace> make_workspace() const override;

 private:
  const FeatureLists* lists_;
  TreeSpace trees_;
  TreeObjectiveOptions options_;
};

}  // namespace copse
