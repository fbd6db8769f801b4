#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/network_labels.h"
#include "model/potential_source.h"

namespace copse {

// The potentials that a network gives to parts, and the probabilities that it gives to labels of arcs.
class NetworkPotentials : public PotentialSource {
 public:
  // Borrows the pass, and what the labels of arcs from the root are; without that, the source has no labels.
  // Others may use the pass between calls, but for scores of arcs.
  explicit NetworkPotentials(NetworkPass& pass, const RootLabels* root_labels = nullptr);
  // With a pass of its own. Borrows the network.
  explicit NetworkPotentials(const Network& network, const RootLabels* root_labels = nullptr)
      : NetworkPotentials(std::make_unique<NetworkPass>(network), root_labels) {}

  Factorization factorization() const override { return pass_->network().shape().factorization; }
  void prepare(std::span<const Sentence* const> sentences, PreparedBatch& batch) override {
    batch.sentences.assign(sentences.begin(), sentences.end());
    pass_->encode(sentences, batch.encoded);
  }
  void assign(PreparedSentence sentence) override {
    sentence_ = sentence;
    arc_scores_.reset();
  }
  void score_arcs(const PartIndex& arcs, Potentials& potentials) override;
  void score(const PartIndex& parts, double factor, Potentials& potentials) override;
  std::span<const std::string> labels() const override;
  bool are_labels_given_arcs() const override { return true; }
  std::span<const Label> candidate_labels(Arc arc) override { return labels_->candidates(arc.head); }
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
  std::optional<NetworkLabels> labels_;
  std::optional<PreparedSentence> sentence_;
  // Of the sentence: asked for twice, to choose candidates and to score them.
  std::optional<ConstMatrix> arc_scores_;
  const PartIndex* parts_ = nullptr;              // of the last score()
  std::vector<std::vector<float>> label_scores_;  // by rank; [modifier][label], empty until asked for
  std::vector<int> heads_;
  std::vector<double> scores_;
};

}  // namespace copse
