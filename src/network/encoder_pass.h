#pragma once

#include <vector>

#include "network/distinct_spellings.h"
#include "network/quantised_lstm.h"
#include "network/role_source.h"

namespace copse {

// From words to their roles, when parsing: in 8 bits. What comes out for a sentence does not depend on the
// others of its batch, to the last bit. A workspace for one thread.
class EncoderPass : public RoleSource {
 public:
  // Borrows the network.
  explicit EncoderPass(const Network& network) : network_(&network) {}

  ConstMatrix run(const WordInputs& inputs, const Sequences& sequences) override;

  // The stages of run(), one after the other.
  void read(const WordInputs& inputs);
  void encode(const Sequences& sequences);
  ConstMatrix roles();

 private:
  void look_up(const WordInputs& inputs, Matrix input);
  void read_affixes(const WordInputs& inputs, Matrix spellings);
  void read_characters(const WordInputs& inputs, Matrix spellings);

  const Network* network_;
  QuantisedRows vectors_;
  std::vector<float> affixes_;  // [row][affixes side by side]
  QuantisedRows affix_rows_;
  DistinctSpellings spellings_;
  std::vector<float> characters_;  // [character][character_size]
  QuantisedRows character_rows_;
  std::vector<float> final_states_;  // of distinct spellings
  std::vector<float> input_;
  QuantisedRows rows_;  // the input of the next layer
  QuantisedRows output_;
  QuantisedLstm lstm_;
  std::vector<float> roles_;
};

}  // namespace copse
