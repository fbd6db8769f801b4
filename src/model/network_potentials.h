#pragma once

#include "model/potential_source.h"
#include "network/network_pass.h"

namespace copse {

// The potentials that a network gives to parts.
class NetworkPotentials : public PotentialSource {
 public:
  // Borrows the pass, whose sentences are those of this source.
  explicit NetworkPotentials(NetworkPass& pass) : pass_(&pass) {}
  // With a pass of its own. Borrows the network.
  explicit NetworkPotentials(const Network& network)
      : own_pass_(std::make_unique<NetworkPass>(network)), pass_(own_pass_.get()) {}

  Factorization factorization() const override { return pass_->network().shape().factorization; }
  void prepare(std::span<const Sentence> sentences) override { pass_->prepare(sentences); }
  void score_arcs(std::size_t sentence, const PartIndex& arcs, Potentials& potentials) override;
  void score(std::size_t sentence, const PartIndex& parts, double factor, Potentials& potentials) override;

 private:
  std::unique_ptr<NetworkPass> own_pass_;
  NetworkPass* pass_;
};

}  // namespace copse
