#include "parser_training/tree_objective.h"

#include <vector>

#include "optimisers/fixed_point.h"

namespace copse {
namespace {

int count_differences(std::span<const int> a, std::span<const int> b) {
  int different = 0;
  for (std::size_t word = 1; word < a.size(); ++word) different += a[word] != b[word] ? 1 : 0;
  return different;
}

class TreeWorkspace : public ExampleWorkspace {
 public:
  TreeWorkspace(const FeatureLists& lists, TreeSpace trees, const TreeObjectiveOptions& options)
      : example_(lists, trees, options.margin, options.labels) {}

  double loss(std::size_t sentence, std::span<const float> weights) override {
    example_.assign(sentence);
    example_.score(weights);
    return example_.log_loss();
  }

  void add_gradient(std::int64_t* sums, std::vector<std::uint32_t>* touched) override {
    add_coefficients(example_, sums, touched);
  }

  std::span<const Rival> rivals(std::size_t sentence, std::span<const float> weights, int count) override {
    example_.assign(sentence);
    example_.score(weights);
    example_.gold_tree(gold_);
    if (count == 1) {
      trees_.resize(1);
      trees_[0].heads.resize(gold_.size());
      example_.distribution().best_tree(trees_[0].heads);
      trees_[0].score = example_.distribution().score(trees_[0].heads);
    } else {
      example_.distribution().k_best(count, trees_);
    }
    const double gold_score = example_.gold_score(gold_);
    rivals_.clear();
    for (const ScoredTree& tree : trees_) {
      rivals_.push_back({count_differences(gold_, tree.heads) + example_.wrong_labels(tree.heads),
                         gold_score - tree.score});
    }
    return rivals_;
  }

  void append_difference(std::size_t rival, SparseVector& difference) override {
    example_.compare(gold_, trees_[rival].heads);
    example_.for_each_coefficient([&](std::uint32_t weight, std::int64_t amount) {
      difference.emplace_back(weight, from_fixed_point(amount));
    });
  }

  void append_weights(std::size_t sentence, std::vector<std::uint32_t>& numbers) override {
    example_.assign(sentence);
    example_.for_each_weight([&](std::uint32_t weight) { numbers.push_back(weight); });
  }

 private:
  Example example_;
  std::vector<int> gold_;
  std::vector<ScoredTree> trees_;
  std::vector<Rival> rivals_;
};

}  // namespace

std::unique_ptr<ExampleWorkspace> TreeObjective::make_workspace() const {
  return std::make_unique<TreeWorkspace>(*lists_, trees_, options_);
}

}  // namespace copse
