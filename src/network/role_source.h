#pragma once

#include <memory>

#include "copse/parallel/device.h"
#include "network/network.h"
#include "network/sequences.h"
#include "network/word_inputs.h"

namespace copse {

// From words to their roles, when parsing. A workspace for one thread.
class RoleSource {
 public:
  RoleSource() = default;
  RoleSource(const RoleSource&) = delete;
  RoleSource& operator=(const RoleSource&) = delete;
  virtual ~RoleSource() = default;

  // The roles of all words of a batch; valid until the next call.
  virtual ConstMatrix run(const WordInputs& inputs, const Sequences& sequences) = 0;
};

// Borrows the network. DataError for a device that is not there, or that the program was built without.
std::unique_ptr<RoleSource> make_role_source(Device device, const Network& network);

// The same on a GPU, in floats, defined in the room `cuda`; not there in programs that are built without. All
// that are made for one network share its weights.
std::unique_ptr<RoleSource> make_cuda_role_source(const Network& network);

}  // namespace copse
