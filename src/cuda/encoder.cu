#include <vector>

#include "copse/error.h"
#include "cuda/encoder.h"
#include "cuda/launch.h"
#include "cuda/row_kernels.h"
#include "network/input_layer.h"

namespace copse::cuda {
namespace {

// rows[k] = table[numbers[k]], zero for numbers below 0.
template <class Number>
struct LookUp {
  const float* table;
  const Number* numbers;
  int columns;
  float* rows;
  __device__ void operator()(std::size_t k) const {
    const Number number = numbers[k / columns];
    const bool is_there = static_cast<std::int32_t>(number) >= 0;
    rows[k] = is_there ? table[static_cast<std::size_t>(number) * columns + k % columns] : 0.0F;
  }
};

// Words: what their vectors have become, if there are any, and their own row of the table.
struct AddWords {
  DeviceMatrix input;
  int size;
  const float* table;
  const std::uint32_t* words;
  const float* vector_bias;  // null: there are no vectors
  __device__ void operator()(std::size_t k) const {
    const std::size_t row = k / size;
    const std::size_t column = k % size;
    float* to = input.data + row * input.stride + column;
    const float own = table[static_cast<std::size_t>(words[row]) * size + column];
    *to = vector_bias == nullptr ? own : *to + vector_bias[column] + own;
  }
};

struct FinishSpellings {
  DeviceMatrix input;
  int begin;
  int size;
  const float* bias;
  float* spellings;
  __device__ void operator()(std::size_t k) const {
    const std::size_t row = k / size;
    const std::size_t column = k % size;
    const float y = rectified(spellings[k] + bias[column]);
    spellings[k] = y;
    input.data[row * input.stride + begin + column] = y;
  }
};

// The gradient of spellings before the rectifier.
struct SpellingGradient {
  DeviceMatrix gradient;
  int begin;
  int size;
  const float* spellings;
  float* result;
  __device__ void operator()(std::size_t k) const {
    const float from = gradient.data[k / size * gradient.stride + begin + k % size];
    result[k] = rectified_backward(spellings[k], from);
  }
};

struct CopyTags {
  DeviceMatrix input;
  int begin;
  int size;
  const float* table;
  const std::uint32_t* numbers;
  __device__ void operator()(std::size_t k) const {
    const std::size_t row = k / size;
    const std::size_t column = k % size;
    input.data[row * input.stride + begin + column] =
        table[static_cast<std::size_t>(numbers[row]) * size + column];
  }
};

struct SumFeatures {
  DeviceMatrix input;
  int begin;
  int size;
  const float* table;
  const std::uint32_t* features;
  const std::uint32_t* rows;  // of each feature, ascending
  int count;
  __device__ void operator()(std::size_t k) const {
    const std::size_t row = k / size;
    const std::size_t column = k % size;
    int first = 0;
    for (int last = count; first < last;) {
      const int middle = (first + last) / 2;
      if (rows[middle] < row) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    float sum = 0.0F;
    for (; first < count && rows[first] == row; ++first) {
      sum += table[static_cast<std::size_t>(features[first]) * size + column];
    }
    input.data[row * input.stride + begin + column] = sum;
  }
};

struct ScaleGroups {
  DeviceMatrix rows;
  int spelling;
  int tags;
  const float* factors;
  __device__ void operator()(std::size_t k) const {
    const std::size_t row = k / rows.columns;
    const int column = static_cast<int>(k % rows.columns);
    const int group = column < spelling ? 0 : column < tags ? 1 : 2;
    rows.data[row * rows.stride + column] *= factors[row * kInputGroups + group];
  }
};

}  // namespace

DeviceEncoder::DeviceEncoder(const NetworkShape& shape, const NetworkBlocks& blocks,
                             const WordVectors* vectors, Products& products)
    : shape_(&shape), blocks_(&blocks), products_(&products), stream_(products.stream()) {
  if (shape.spelling == Spelling::characters) {
    throw DataError(
        "networks that read words character by character run on processors only; use --spelling affixes or "
        "--device cpu");
  }
  for (std::size_t k = 0; k < shape.layers; ++k) layers_.emplace_back(products);
  if (vectors == nullptr) return;
  has_vectors_ = true;
  std::vector<float> values(vectors->size() * vectors->dimension());
  for (std::size_t word = 0; word < vectors->size(); ++word) {
    vectors->copy_row(word, std::span(values).subspan(word * vectors->dimension(), vectors->dimension()));
  }
  vectors_.upload(values, stream_);
}

void DeviceEncoder::upload(const WordInputs& inputs) {
  rows_ = inputs.rows();
  words_.upload(inputs.words, stream_);
  affixes_.upload(inputs.affixes, stream_);
  if (has_vectors_) vector_numbers_.upload(inputs.vectors, stream_);
  if (shape_->upos > 0) upos_.upload(inputs.upos, stream_);
  if (shape_->xpos > 0) xpos_.upload(inputs.xpos, stream_);
  if (shape_->features > 0) {
    feature_rows_host_.clear();
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::uint32_t count = inputs.feature_begins[row + 1] - inputs.feature_begins[row];
      feature_rows_host_.insert(feature_rows_host_.end(), count, static_cast<std::uint32_t>(row));
    }
    features_.upload(inputs.features, stream_);
    feature_rows_.upload(feature_rows_host_, stream_);
  }
}

void DeviceEncoder::read_words(float* weights, DeviceMatrix input) {
  const int word_size = static_cast<int>(shape_->word_size);
  const float* vector_bias = nullptr;
  if (has_vectors_) {
    vector_rows_.resize(rows_ * shape_->vector_size);
    run_for(vector_rows_.size(), stream_,
            LookUp<std::int32_t>{vectors_.data(), vector_numbers_.data(),
                                 static_cast<int>(shape_->vector_size), vector_rows_.data()});
    products_->multiply(DeviceMatrix(vector_rows_.data(), rows_, shape_->vector_size),
                        in(weights, blocks_->vectors.weights), input.in_columns(0, shape_->word_size));
    vector_bias = weights + blocks_->vectors.bias.offset;
  }
  run_for(rows_ * shape_->word_size, stream_,
          AddWords{input, word_size, weights + blocks_->word_table.offset, words_.data(), vector_bias});
  const std::size_t width = kAffixes * shape_->affix_size;
  affix_rows_.resize(rows_ * width);
  run_for(affix_rows_.size(), stream_,
          LookUp<std::uint32_t>{weights + blocks_->affix_table.offset, affixes_.data(),
                                static_cast<int>(shape_->affix_size), affix_rows_.data()});
  spellings_.resize(rows_ * shape_->spelling_size);
  products_->multiply(DeviceMatrix(affix_rows_.data(), rows_, width), in(weights, blocks_->affixes.weights),
                      DeviceMatrix(spellings_.data(), rows_, shape_->spelling_size));
  run_for(spellings_.size(), stream_,
          FinishSpellings{input, word_size, static_cast<int>(shape_->spelling_size),
                          weights + blocks_->affixes.bias.offset, spellings_.data()});
  const int tag_size = static_cast<int>(shape_->tag_size);
  int begin = word_size + static_cast<int>(shape_->spelling_size);
  const auto copy_tags = [&](const Block& block, const DeviceArray<std::uint32_t>& numbers) {
    run_for(rows_ * shape_->tag_size, stream_,
            CopyTags{input, begin, tag_size, weights + block.offset, numbers.data()});
    begin += tag_size;
  };
  if (shape_->upos > 0) copy_tags(blocks_->upos_table, upos_);
  if (shape_->xpos > 0) copy_tags(blocks_->xpos_table, xpos_);
  if (shape_->features > 0) {
    run_for(rows_ * shape_->tag_size, stream_,
            SumFeatures{input, begin, tag_size, weights + blocks_->feature_table.offset, features_.data(),
                        feature_rows_.data(), static_cast<int>(features_.size())});
  }
}

void DeviceEncoder::scale_groups(DeviceMatrix rows) {
  if (factors_.size() == 0) return;
  run_for(rows_ * shape_->input_size(), stream_,
          ScaleGroups{rows, static_cast<int>(shape_->word_size),
                      static_cast<int>(shape_->word_size + shape_->spelling_size), factors_.data()});
}

DeviceMatrix DeviceEncoder::forward(const WordInputs& inputs, const DeviceSequences& sequences,
                                    float* weights, const EncoderNoise& noise) {
  upload(inputs);
  factors_.upload(noise.group_factors, stream_);
  input_.resize(rows_ * shape_->input_size());
  DeviceMatrix input(input_.data(), rows_, shape_->input_size());
  read_words(weights, input);
  scale_groups(input);
  input_dropout_.draw(noise.states_of(0), shape_->input_size(), noise.input_rate, stream_);
  input_dropout_.apply(sequences, input, stream_);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Layer& layer = layers_[k];
    layer.output.resize(rows_ * shape_->encoder_size());
    const DeviceMatrix output(layer.output.data(), rows_, shape_->encoder_size());
    layer.lstm.forward(sequences, input, blocks_->layers[k], weights, output);
    layer.dropout.draw(noise.states_of(k + 1), shape_->encoder_size(), noise.layer_rate, stream_);
    input = output;
    if (!layer.dropout.drops()) continue;
    layer.dropped.resize(layer.output.size());
    check_cuda(cudaMemcpyAsync(layer.dropped.data(), layer.output.data(), layer.output.size() * sizeof(float),
                               cudaMemcpyDeviceToDevice, stream_),
               "copying");
    input.data = layer.dropped.data();
    layer.dropout.apply(sequences, input, stream_);
  }
  return input;
}

void DeviceEncoder::backward(const DeviceSequences& sequences, float* weights, DeviceMatrix output_gradient,
                             float* gradient, TableGradients& tables) {
  DeviceMatrix current = output_gradient;
  for (std::size_t k = layers_.size(); k-- > 0;) {
    Layer& layer = layers_[k];
    layer.dropout.apply(sequences, current, stream_);
    const std::size_t width = k > 0 ? shape_->encoder_size() : shape_->input_size();
    const DeviceMatrix input(k > 0 ? layers_[k - 1].result().data() : input_.data(), rows_, width);
    DeviceArray<float>& room = gradients_[k % 2];
    room.resize(rows_ * width);
    const DeviceMatrix input_gradient(room.data(), rows_, width);
    layer.lstm.backward(sequences, input, DeviceMatrix(layer.output.data(), rows_, shape_->encoder_size()),
                        current, blocks_->layers[k], weights, gradient, input_gradient);
    current = input_gradient;
  }
  input_dropout_.apply(sequences, current, stream_);
  scale_groups(current);
  backward_input(weights, current, gradient, tables);
}

void DeviceEncoder::backward_input(float* weights, DeviceMatrix input_gradient, float* gradient,
                                   TableGradients& tables) {
  const DeviceMatrix forms = input_gradient.in_columns(0, shape_->word_size);
  if (has_vectors_) {
    products_->multiply_by_transposed(DeviceMatrix(vector_rows_.data(), rows_, shape_->vector_size), forms,
                                      in(gradient, blocks_->vectors.weights), Into::add);
    products_->add_rows_to(forms, gradient + blocks_->vectors.bias.offset);
  }
  tables.add(blocks_->word_table, words_, forms, stream_);
  const std::size_t width = kAffixes * shape_->affix_size;
  spelling_gradient_.resize(spellings_.size());
  run_for(spellings_.size(), stream_,
          SpellingGradient{input_gradient, static_cast<int>(shape_->word_size),
                           static_cast<int>(shape_->spelling_size), spellings_.data(),
                           spelling_gradient_.data()});
  const DeviceMatrix spellings(spelling_gradient_.data(), rows_, shape_->spelling_size);
  products_->multiply_by_transposed(DeviceMatrix(affix_rows_.data(), rows_, width), spellings,
                                    in(gradient, blocks_->affixes.weights), Into::add);
  products_->add_rows_to(spellings, gradient + blocks_->affixes.bias.offset);
  affix_gradient_.resize(rows_ * width);
  products_->multiply_transposed(spellings, in(weights, blocks_->affixes.weights),
                                 DeviceMatrix(affix_gradient_.data(), rows_, width));
  tables.add(blocks_->affix_table, affixes_,
             DeviceMatrix(affix_gradient_.data(), rows_ * kAffixes, shape_->affix_size), stream_);
  std::size_t begin = shape_->word_size + shape_->spelling_size;
  const auto take = [&] {
    const DeviceMatrix taken = input_gradient.in_columns(begin, shape_->tag_size);
    begin += shape_->tag_size;
    return taken;
  };
  if (shape_->upos > 0) tables.add(blocks_->upos_table, upos_, take(), stream_);
  if (shape_->xpos > 0) tables.add(blocks_->xpos_table, xpos_, take(), stream_);
  if (shape_->features > 0) tables.add(blocks_->feature_table, features_, feature_rows_, take(), stream_);
}

}  // namespace copse::cuda
