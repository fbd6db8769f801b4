#pragma once

#include <array>
#include <vector>

#include "model/potential_source.h"
#include "model/root_labels.h"
#include "network/network_pass.h"

namespace copse {

// The potentials that a network gives to parts, and the probabilities that it gives to labels of arcs.
class NetworkPotentials : public PotentialSource {
 public:
  // Borrows the pass, whose sentences are those of this source, and what the labels of arcs from the root
  // are; without that, the source has no labels.
  explicit NetworkPotentials(NetworkPass& pass, const RootLabels* root_labels = nullptr);
  // With a pass of its own. Borrows the network.
  explicit NetworkPotentials(const Network& network, const RootLabels* root_labels = nullptr)
      : NetworkPotentials(std::make_unique<NetworkPass>(network), root_labels) {}

  Factorization factorization() const override { return pass_->network().shape().factorization; }
  void prepare(std::span<const Sentence> sentences) override { pass_->prepare(sentences); }
  void score_arcs(std::size_t sentence, const PartIndex& arcs, Potentials& potentials) override;
  void score(std::size_t sentence, const PartIndex& parts, double factor, Potentials& potentials) override;
  std::span<const std::string> labels() const override;
  bool are_labels_given_arcs() const override { return true; }
  std::span<const Label> candidate_labels(std::size_t sentence, Arc arc) override;
  ArcLabels score_labels(int arc) override;

 private:
  NetworkPotentials(std::unique_ptr<NetworkPass> pass, const RootLabels* root_labels)
      : NetworkPotentials(*pass, root_labels) {
    own_pass_ = std::move(pass);
  }
  // The scores of all labels for one head of every word: that of this rank among its candidates.
  const std::vector<float>& label_scores(int rank);

  std::unique_ptr<NetworkPass> own_pass_;
  NetworkPass* pass_;
  bool has_labels_;
  std::array<std::vector<Label>, 2> candidates_;  // of arcs between words, and from the root
  std::size_t sentence_ = 0;                      // of the last score()
  const PartIndex* parts_ = nullptr;
  std::vector<std::vector<float>> label_scores_;  // by rank; [modifier][label], empty if nobody has asked
  std::vector<int> heads_;
  std::vector<double> scores_;
};

}  // namespace copse
