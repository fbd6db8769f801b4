#include "network/encoder_pass.h"

namespace copse {
namespace {

const DropoutPlan kNothing;

}  // namespace

EncoderPass::EncoderPass(const Network& network)
    : network_(&network), encoder_(network.shape(), network.description().vectors_or_null(), back_end_) {}

ConstMatrix EncoderPass::run(const WordInputs& inputs, const Sequences& sequences) {
  return encoder_.forward(inputs, sequences, network_->weights(), kNothing);
}

void EncoderPass::read(const WordInputs& inputs, const Sequences& sequences) {
  encoder_.encoder().read(inputs, sequences, network_->weights(), kNothing);
}

void EncoderPass::encode() { encoder_.encoder().encode(network_->weights(), kNothing); }

ConstMatrix EncoderPass::roles() { return encoder_.roles(network_->weights(), kNothing); }

}  // namespace copse
