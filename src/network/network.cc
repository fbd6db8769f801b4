#include "network/network.h"

#include <utility>

namespace copse {

struct Network::Content {
  std::shared_ptr<const NetworkDescription> description;
  NetworkBlocks blocks;
  QuantisedWeights weights;

  // The weights are floats, or a file.
  template <class Weights>
  Content(std::shared_ptr<const NetworkDescription> own, const Weights& from)
      : description(std::move(own)), blocks(description->shape), weights(blocks, from) {}
};

Network::Network(std::unique_ptr<const Content> content) : content_(std::move(content)) {}
Network::Network(std::shared_ptr<const NetworkDescription> description, std::span<const float> weights)
    : Network(std::make_unique<const Content>(std::move(description), weights)) {}
Network::Network(NetworkDescription description, std::span<const float> weights)
    : Network(std::make_shared<const NetworkDescription>(std::move(description)), weights) {}
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;

bool Network::is_in(const SectionFile& file) { return NetworkDescription::is_in(file); }

Network Network::from_file(const SectionFile& file) {
  auto description = std::make_shared<const NetworkDescription>(NetworkDescription::from_file(file));
  return Network(std::make_unique<const Content>(std::move(description), file));
}

void Network::add_to(SectionFileWriter& file) const {
  description().add_to(file);
  weights().add_to(blocks(), file);
}

const NetworkDescription& Network::description() const { return *content_->description; }
const NetworkBlocks& Network::blocks() const { return content_->blocks; }
const QuantisedWeights& Network::weights() const { return content_->weights; }

}  // namespace copse
