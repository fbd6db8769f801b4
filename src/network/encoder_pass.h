#pragma once

#include "network/byte_back_end.h"
#include "network/encoder.h"
#include "network/role_source.h"

namespace copse {

// From words to their roles, when parsing on processors: in 8 bits. A workspace for one thread.
class EncoderPass : public RoleSource {
 public:
  // Borrows the network.
  explicit EncoderPass(const Network& network);

  ConstMatrix run(const WordInputs& inputs, const Sequences& sequences) override;

  // The stages of run(), one after the other.
  void read(const WordInputs& inputs, const Sequences& sequences);
  void encode();
  ConstMatrix roles();

 private:
  const Network* network_;
  ByteBackEnd back_end_;
  RoleEncoder<ByteBackEnd> encoder_;
};

}  // namespace copse
