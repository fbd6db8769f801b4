#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "copse/inference/part_index.h"
#include "copse/treebank/sentence.h"
#include "network/low_rank_parts.h"
#include "network/role_scores.h"
#include "network/role_source.h"

namespace copse {

// A network at work: sentences in; tags, and scores of the parts and labels of their trees out. A workspace
// for one thread; the network is shared. On processors, what comes out for a sentence does not depend on the
// others, to the last bit; GPUs may round another way in another batch.
class NetworkPass {
 public:
  // Borrows the network.
  explicit NetworkPass(const Network& network, Device device = Device::cpu);

  const Network& network() const { return *network_; }

  // Reads the sentences, which later calls name by their number. Nothing is borrowed.
  void prepare(std::span<const Sentence> sentences);
  void prepare(std::span<const Sentence* const> sentences);

  // Sets the columns that the network predicts, all of them or those that have no value.
  enum class Which { all, missing };
  void set_tags(std::size_t number, Which which, Sentence& sentence);

  // [modifier][head]; valid until the next call.
  ConstMatrix arc_scores(std::size_t number);
  // Adds to the potentials of parts that are larger than arcs.
  void add_part_scores(std::size_t number, const PartIndex& parts, Potentials& potentials);
  // The scores of labels of the arcs of a tree or a part of one (below 0: no arc), [modifier][label]; valid
  // until the next call.
  ConstMatrix label_scores(std::size_t number, std::span<const int> heads);

 private:
  RowRange rows(std::size_t number) const {
    const std::size_t place = places_[number];
    return {sequences_.begin(place), sequences_.length(place)};
  }

  const Network* network_;
  InputReader reader_;
  WordInputs inputs_;
  Sequences sequences_;
  std::vector<std::size_t> order_;   // the longest first
  std::vector<std::size_t> places_;  // of sentences in this order
  std::vector<const Sentence*> pointers_;
  std::unique_ptr<RoleSource> encoder_;
  ConstMatrix roles_;
  RoleScores scores_;
  std::optional<std::size_t> scored_;  // the sentence that the next belong to
  ConstMatrix arc_scores_;
  LowRankParts low_rank_parts_;
};

}  // namespace copse
