#include "network/network.h"

namespace copse {
struct Network::Content {
  std::shared_ptr<const NetworkDescription> description;
  NetworkBlocks blocks;
  std::vector<float> weights;
  TrainingWeights training;
  Content(std::shared_ptr<const NetworkDescription> d, std::span<const float> w) : description(std::move(d)), blocks(description->shape), weights(w.begin(), w.end()), training(blocks) { training.assign(weights); }
};
Network::Network(NetworkDescription description, std::span<const float> weights) : Network(std::make_shared<const NetworkDescription>(std::move(description)), weights) {}
Network::Network(std::shared_ptr<const NetworkDescription> description, std::span<const float> weights) : content_(std::make_unique<Content>(std::move(description), weights)) {}
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;
const NetworkDescription& Network::description() const { return *content_->description; }
const NetworkBlocks& Network::blocks() const { return content_->blocks; }
std::span<const float> Network::weights() const { return content_->weights; }
const TrainingWeights& Network::training_weights() const { return content_->training; }
void Network::add_to(SectionFileWriter&) const {} bool Network::is_in(const SectionFile&) { return false; } Network Network::from_file(const SectionFile&) { throw 1; }
}
