#pragma once

#include <memory>
#include <span>

#include "io/section_file.h"
#include "network/network_description.h"
#include "network/parameters.h"
#include "network/quantised_weights.h"

namespace copse {

// A network that has learnt. Constant once made: threads share it.
class Network {
 public:
  // Takes the weights as they will be stored: rounded to 8 bits. Throws DataError for weights that are not
  // numbers or have grown too large.
  Network(std::shared_ptr<const NetworkDescription> description, std::span<const float> weights);
  Network(NetworkDescription description, std::span<const float> weights);
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  ~Network();

  // Sections of a model file that begin with "network/". Loading throws DataError for sections that are
  // missing, damaged, or of a newer version.
  static bool is_in(const SectionFile& file);
  static Network from_file(const SectionFile& file);
  // Borrows the network until the file is closed.
  void add_to(SectionFileWriter& file) const;

  const NetworkDescription& description() const;
  const NetworkShape& shape() const { return description().shape; }
  const NetworkBlocks& blocks() const;
  const QuantisedWeights& weights() const;

 private:
  struct Content;
  explicit Network(std::unique_ptr<const Content> content);
  std::unique_ptr<const Content> content_;
};

}  // namespace copse
