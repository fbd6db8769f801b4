#include "network/encoder_pass.h"

#include <algorithm>
#include <utility>

#include "network/element_kernels.h"

namespace copse {
namespace {

Matrix sized(std::vector<float>& values, std::size_t rows, std::size_t columns) {
  values.resize(rows * columns);
  return {values.data(), rows, columns};
}

}  // namespace

ConstMatrix EncoderPass::run(const WordInputs& inputs, const Sequences& sequences) {
  read(inputs);
  encode(sequences);
  return roles();
}

void EncoderPass::read(const WordInputs& inputs) {
  const NetworkShape& shape = network_->shape();
  const Matrix input = sized(input_, inputs.rows(), shape.input_size());
  look_up(inputs, input);
  const Matrix spellings(input.data + shape.word_size, input.rows, shape.spelling_size, input.stride);
  if (shape.spelling == Spelling::affixes) {
    read_affixes(inputs, spellings);
  } else {
    read_characters(inputs, spellings);
  }
  rows_.assign(input);
}

void EncoderPass::look_up(const WordInputs& inputs, Matrix input) {
  const NetworkShape& shape = network_->shape();
  const QuantisedWeights& weights = network_->weights();
  const Matrix forms(input.data, input.rows, shape.word_size, input.stride);
  if (const WordVectors* vectors = network_->description().vectors_or_null()) {
    vectors_.resize(input.rows, shape.vector_size);
    for (std::size_t row = 0; row < input.rows; ++row) {
      if (inputs.vectors[row] < 0) {
        vectors_.set_zeros(row);
      } else {
        const auto word = static_cast<std::size_t>(inputs.vectors[row]);
        vectors_.set_codes(row, vectors->row(word), vectors->scale(word));
      }
    }
    weights.vectors.weights.multiply(vectors_, weights.vectors.bias, forms);
  } else {
    for (std::size_t row = 0; row < input.rows; ++row) std::fill_n(forms.row(row), shape.word_size, 0.0F);
  }
  for (std::size_t row = 0; row < input.rows; ++row) {
    weights.word_table.add_row(inputs.words[row], forms.row(row));
    float* to = input.row(row) + shape.word_size + shape.spelling_size;
    if (shape.upos > 0) {
      weights.upos_table.copy_row(inputs.upos[row], to);
      to += shape.tag_size;
    }
    if (shape.xpos > 0) {
      weights.xpos_table.copy_row(inputs.xpos[row], to);
      to += shape.tag_size;
    }
    if (shape.features == 0) continue;
    std::fill_n(to, shape.tag_size, 0.0F);
    for (std::uint32_t k = inputs.feature_begins[row]; k < inputs.feature_begins[row + 1]; ++k) {
      weights.feature_table.add_row(inputs.features[k], to);
    }
  }
}

void EncoderPass::read_affixes(const WordInputs& inputs, Matrix spellings) {
  const NetworkShape& shape = network_->shape();
  const QuantisedWeights& weights = network_->weights();
  const Matrix affixes = sized(affixes_, spellings.rows, kAffixes * shape.affix_size);
  for (std::size_t k = 0; k < spellings.rows * kAffixes; ++k) {
    weights.affix_table.copy_row(inputs.affixes[k], affixes.data + k * shape.affix_size);
  }
  affix_rows_.assign(affixes);
  weights.affixes.weights.multiply(affix_rows_, weights.affixes.bias, spellings);
  leaky_relu(spellings);
}

void EncoderPass::read_characters(const WordInputs& inputs, Matrix spellings) {
  const QuantisedWeights& weights = network_->weights();
  spellings_.assign(inputs);
  const Sequences& sequences = spellings_.sequences();
  const Matrix characters = sized(characters_, sequences.rows(), weights.character_table.columns());
  for (std::size_t row = 0; row < characters.rows; ++row) {
    weights.character_table.copy_row(spellings_.characters()[row], characters.row(row));
  }
  character_rows_.assign(characters);
  const Matrix final_states = sized(final_states_, sequences.count(), spellings.columns);
  lstm_.run_to_end(sequences, character_rows_, weights.characters, final_states);
  for (std::size_t row = 0; row < spellings.rows; ++row) {
    std::copy_n(final_states.row(spellings_.sequence(row)), spellings.columns, spellings.row(row));
  }
}

void EncoderPass::encode(const Sequences& sequences) {
  for (const QuantisedWeights::Lstm& layer : network_->weights().layers) {
    lstm_.run(sequences, rows_, layer, output_);
    std::swap(rows_, output_);
  }
}

ConstMatrix EncoderPass::roles() {
  const QuantisedWeights::Affine& weights = network_->weights().roles;
  const Matrix roles = sized(roles_, rows_.rows(), weights.weights.outputs());
  weights.weights.multiply(rows_, weights.bias, roles);
  leaky_relu(roles);
  return roles;
}

}  // namespace copse
