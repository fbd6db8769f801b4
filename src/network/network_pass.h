#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "copse/inference/part_index.h"
#include "copse/treebank/sentence.h"
#include "network/encoded_sentences.h"
#include "network/low_rank_parts.h"
#include "network/role_scores.h"
#include "network/role_source.h"

namespace copse {

// A network at work: sentences in; tags, and scores of the parts and labels of their trees out. A workspace
// for one thread; the network is shared. It remembers no sentences: what encode() makes of them is the
// caller's, and any pass of the same network can score it.
class NetworkPass {
 public:
  // Borrows the network.
  explicit NetworkPass(const Network& network, Device device = Device::cpu);

  const Network& network() const { return *network_; }

  // Overwrites `encoded`. On processors, what comes out for a sentence does not depend on the others, to the
  // last bit; GPUs may round another way in another batch.
  void encode(std::span<const Sentence* const> sentences, EncodedSentences& encoded);

  // The others take the roles of one encoded sentence.
  // Sets the columns that the network predicts, all of them or those that have no value; in MISC, how
  // probable the values are, if that is wanted, and nothing otherwise.
  enum class Which { all, missing };
  void set_tags(ConstMatrix roles, Which which, bool with_probabilities, Sentence& sentence);

  // [modifier][head]; valid until the next call.
  ConstMatrix arc_scores(ConstMatrix roles) { return scores_.arcs(roles); }
  // Adds to the potentials of parts that are larger than arcs.
  void add_part_scores(ConstMatrix roles, const PartIndex& parts, Potentials& potentials);
  // The scores of labels of the arcs of a tree or a part of one (below 0: no arc), [modifier][label]; valid
  // until the next call.
  ConstMatrix label_scores(ConstMatrix roles, std::span<const int> heads) {
    return scores_.labels(roles, heads);
  }

 private:
  double probability_of(const TagColumn& column, std::span<const float> scores, const Token& word);

  const Network* network_;
  InputReader reader_;
  WordInputs inputs_;
  Sequences sequences_;
  std::vector<std::size_t> order_;  // of sentences: the longest first
  std::vector<RowRange> rows_;      // of each sentence
  std::unique_ptr<RoleSource> encoder_;
  RoleScores scores_;
  LowRankParts low_rank_parts_;
  std::vector<float> tag_probabilities_;  // of the values of a column
};

}  // namespace copse
