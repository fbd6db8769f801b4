#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/dropout.h"
#include "cuda/lstm.h"
#include "cuda/table_gradients.h"
#include "network/word_inputs.h"

namespace copse::cuda {

// What is random in a pass through the encoder.
struct EncoderNoise {
  // [row][groups of columns: word, spelling, tags]: by what these are multiplied; empty: by nothing.
  std::span<const float> group_factors;
  float input_rate = 0.0F;
  float layer_rate = 0.0F;
  // States of Random for each sequence: at the input, then after each layer. Empty: nothing is dropped.
  std::vector<std::vector<std::uint64_t>> states;

  std::span<const std::uint64_t> states_of(std::size_t site) const {
    return site < states.size() ? std::span<const std::uint64_t>(states[site]) : std::span<const std::uint64_t>();
  }
};

// From words to the output of the last layer and back: what InputLayer and the layers of a TrainingPass do.
class DeviceEncoder {
 public:
  // Borrows all; no vectors: null. Throws DataError for networks that read words character by character.
  DeviceEncoder(const NetworkShape& shape, const NetworkBlocks& blocks, const WordVectors* vectors,
                Products& products);

  // The output, after dropout; valid until the next call. Sequences are borrowed until then.
  DeviceMatrix forward(const WordInputs& inputs, const DeviceSequences& sequences, float* weights,
                       const EncoderNoise& noise);
  // Adds the gradient of weights, given that of the output, which it changes. Of the last forward().
  void backward(const DeviceSequences& sequences, float* weights, DeviceMatrix output_gradient, float* gradient,
                TableGradients& tables);

 private:
  struct Layer {
    DeviceLstm lstm;
    DeviceArray<float> output;
    DeviceArray<float> dropped;
    DeviceDropout dropout;
    explicit Layer(Products& products) : lstm(products) {}
    DeviceArray<float>& result() { return dropout.drops() ? dropped : output; }
  };
  void upload(const WordInputs& inputs);
  void read_words(float* weights, DeviceMatrix input);
  void scale_groups(DeviceMatrix rows);
  void backward_input(float* weights, DeviceMatrix input_gradient, float* gradient, TableGradients& tables);

  const NetworkShape* shape_;
  const NetworkBlocks* blocks_;
  Products* products_;
  cudaStream_t stream_;
  DeviceArray<float> vectors_;
  bool has_vectors_ = false;

  std::size_t rows_ = 0;
  DeviceArray<std::uint32_t> words_, affixes_, upos_, xpos_, features_, feature_rows_;
  DeviceArray<std::int32_t> vector_numbers_;
  std::vector<std::uint32_t> feature_rows_host_;
  DeviceArray<float> factors_;
  DeviceArray<float> vector_rows_, affix_rows_, spellings_, affix_gradient_, spelling_gradient_;
  DeviceArray<float> input_;
  DeviceDropout input_dropout_;
  std::vector<Layer> layers_;
  DeviceArray<float> gradients_[2];
};

}  // namespace copse::cuda
