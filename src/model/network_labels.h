#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "copse/inference/arc_set.h"
#include "model/root_labels.h"
#include "model/tree_labeller.h"
#include "network/network_pass.h"

namespace copse {

// What a network says about the labels of arcs, each arc by itself. A workspace for one thread.
class NetworkLabels : public TreeLabeller {
 public:
  // Borrows both.
  NetworkLabels(NetworkPass& pass, const RootLabels& root_labels);

  // The labels that an arc from this head may have.
  std::span<const Label> candidates(int head) const {
    return candidates_[place_of_arc(head) == ArcPlace::at_root ? 1 : 0];
  }
  // The scores of all labels for one head of every word (below 0: none), [modifier][label]; valid until the
  // next call.
  ConstMatrix scores(PreparedSentence sentence, std::span<const int> heads) {
    return pass_->label_scores(sentence.roles(), heads);
  }

  void label(PreparedSentence sentence, std::span<const int> heads, AllowedLabels known,
             std::vector<std::string>& labels, std::vector<double>* probabilities) override;
  bool labels_arcs_alone() const override { return true; }

 private:
  // The candidates of an arc that are known labels of its modifier, or all if none of them is.
  std::span<const Label> allowed(int head, std::span<const Label> known);

  NetworkPass* pass_;
  std::array<std::vector<Label>, 2> candidates_;  // of arcs between words, and from the root
  std::vector<Label> allowed_;
  std::vector<double> scores_;
};

// Sets the logarithms of the probabilities of labels, given the scores of all labels.
void normalise_label_scores(const float* scores, std::span<const Label> labels, std::vector<double>& result);

// Which labels the arcs from the root have in training data, and which the others.
RootLabels count_root_labels(std::span<const std::string> labels, std::span<const Sentence* const> sentences);

}  // namespace copse
