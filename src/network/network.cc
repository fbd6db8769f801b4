#include "network/network.h"

namespace copse {
struct Network::Content {
  NetworkDescription description;
  NetworkBlocks blocks;
  std::vector<float> weights;
  TrainingWeights training;
  Content(NetworkDescription d, std::span<const float> w) : description(std::move(d)), blocks(description.shape), weights(w.begin(), w.end()), training(blocks) { training.assign(weights); }
};
Network::Network(NetworkDescription description, std::span<const float> weights) : content_(std::make_unique<Content>(std::move(description), weights)) {}
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;
const NetworkDescription& Network::description() const { return content_->description; }
const NetworkBlocks& Network::blocks() const { return content_->blocks; }
std::span<const float> Network::weights() const { return content_->weights; }
const TrainingWeights& Network::training_weights() const { return content_->training; }
}
