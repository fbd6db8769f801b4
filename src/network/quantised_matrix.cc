#include "network/quantised_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "copse/error.h"

namespace copse {
namespace {

std::size_t divided_up(std::size_t number, std::size_t by) { return (number + by - 1) / by; }

// Products of this many inputs fit 32 bits.
constexpr std::size_t kMostInputs = std::numeric_limits<std::int32_t>::max() / (255 * kLargestWeight);

PackedWeights shape_of(std::size_t inputs, std::size_t outputs) {
  PackedWeights packed;
  packed.input_groups = divided_up(inputs, kBlockInputs);
  packed.blocks = divided_up(outputs, kBlockColumns);
  return packed;
}

// The vector of a weight, and its place in there.
std::pair<std::size_t, std::size_t> place(const PackedWeights& shape, std::size_t input, std::size_t output) {
  const std::size_t block = output / kBlockColumns;
  return {shape.begin(block) + input / kBlockInputs * shape.step(block),
          output % kBlockColumns * kBlockInputs + input % kBlockInputs};
}

}  // namespace

void QuantisedRows::resize(std::size_t rows, std::size_t columns) {
  columns_ = columns;
  stride_ = divided_up(columns, kBlockInputs) * kBlockInputs;
  bytes_.resize(rows * stride_, kZeroActivation);
  scales_.resize(rows);
}

void QuantisedRows::assign_zeros(std::size_t rows, std::size_t columns) {
  resize(rows, columns);
  std::fill(bytes_.begin(), bytes_.end(), static_cast<std::uint8_t>(kZeroActivation));
  std::fill(scales_.begin(), scales_.end(), kBoundedScale);
}

void QuantisedRows::set_codes(std::size_t number, std::span<const std::int8_t> codes, float scale) {
  std::uint8_t* to = bounded_row(number);
  for (std::size_t k = 0; k < codes.size(); ++k)
    to[k] = static_cast<std::uint8_t>(codes[k] + kZeroActivation);
  scales_[number] = scale;
}

void QuantisedRows::set_zeros(std::size_t number) {
  std::fill_n(bounded_row(number), columns_, static_cast<std::uint8_t>(kZeroActivation));
  scales_[number] = 0.0F;
}

void QuantisedRows::copy_row(std::size_t number, const QuantisedRows& from, std::size_t from_number) {
  std::copy_n(from.row(from_number).data(), columns_, bounded_row(number));
  scales_[number] = from.scale(from_number);
}

void QuantisedRows::assign(ConstMatrix values) {
  resize(values.rows, values.columns);
  for (std::size_t r = 0; r < values.rows; ++r) {
    scales_[r] = quantise_row({values.row(r), values.columns}, bounded_row(r));
  }
}

void QuantisedRows::assign_bounded(ConstMatrix values) {
  resize(values.rows, values.columns);
  for (std::size_t r = 0; r < values.rows; ++r) {
    quantise_bounded_row({values.row(r), values.columns}, bounded_row(r));
  }
  std::fill(scales_.begin(), scales_.end(), kBoundedScale);
}

QuantisedMatrix::QuantisedMatrix(std::size_t inputs, std::vector<float> scales,
                                 std::span<const std::int8_t> weights)
    : inputs_(inputs), outputs_(scales.size()), scales_(std::move(scales)) {
  const PackedWeights shape = shape_of(inputs_, outputs_);
  packed_.resize(shape.input_groups * shape.blocks);
  scales_.resize(shape.blocks * kBlockColumns);
  starts_.resize(scales_.size());
  for (std::size_t input = 0; input < inputs_; ++input) {
    for (std::size_t output = 0; output < outputs_; ++output) {
      const std::int8_t weight = weights[input * outputs_ + output];
      const auto [vector, byte] = place(shape, input, output);
      packed_[vector].bytes[byte] = weight;
      starts_[output] -= kZeroActivation * weight;
    }
  }
}

QuantisedMatrix QuantisedMatrix::from(ConstMatrix weights) {
  if (weights.rows > kMostInputs) throw std::invalid_argument("a matrix with too many inputs for 8 bits");
  std::vector<float> largest(weights.columns, 0.0F);
  for (std::size_t r = 0; r < weights.rows; ++r) {
    for (std::size_t c = 0; c < weights.columns; ++c) {
      const float magnitude = std::abs(weights.row(r)[c]);
      if (!std::isfinite(magnitude)) throw std::invalid_argument("a matrix with weights that are not finite");
      largest[c] = std::max(largest[c], magnitude);
    }
  }
  std::vector<float> scales(weights.columns);
  for (std::size_t c = 0; c < weights.columns; ++c) scales[c] = largest[c] / kLargestWeight;
  std::vector<std::int8_t> bytes(weights.rows * weights.columns);
  for (std::size_t r = 0; r < weights.rows; ++r) {
    for (std::size_t c = 0; c < weights.columns; ++c) {
      // A scale may be so small that it was rounded.
      const float level = scales[c] > 0.0F ? std::round(weights.row(r)[c] / scales[c]) : 0.0F;
      const float limit = kLargestWeight;
      bytes[r * weights.columns + c] = static_cast<std::int8_t>(std::clamp(level, -limit, limit));
    }
  }
  return {weights.rows, std::move(scales), bytes};
}

std::int8_t QuantisedMatrix::weight(std::size_t input, std::size_t output) const {
  const auto [vector, byte] = place(shape_of(inputs_, outputs_), input, output);
  return packed_[vector].bytes[byte];
}

void QuantisedMatrix::add_to(SectionFileWriter& writer, std::string_view prefix) const {
  std::vector<std::byte> weights;
  weights.reserve(inputs_ * outputs_);
  for (std::size_t input = 0; input < inputs_; ++input) {
    for (std::size_t output = 0; output < outputs_; ++output) {
      weights.push_back(static_cast<std::byte>(weight(input, output)));
    }
  }
  writer.add(fmt::format("{}.weights", prefix), std::move(weights));
  writer.add_numbers(fmt::format("{}.scales", prefix), std::span(scales_).first(outputs_));
}

QuantisedMatrix QuantisedMatrix::from_file(const SectionFile& file, std::string_view prefix) {
  const auto require = [&](bool condition, std::string_view what) {
    if (!condition) {
      throw DataError(fmt::format("{}: the matrix '{}' {}; the file is damaged", file.path(), prefix, what));
    }
  };
  const auto weights = file.numbers<std::int8_t>(fmt::format("{}.weights", prefix));
  const auto scales = file.numbers<float>(fmt::format("{}.scales", prefix));
  require(!scales.empty() && weights.size() % scales.size() == 0, "is not rectangular");
  const std::size_t inputs = weights.size() / scales.size();
  require(inputs <= kMostInputs, "has too many inputs");
  require(std::ranges::all_of(scales, [](float scale) { return std::isfinite(scale) && scale >= 0.0F; }),
          "has a scale that is not a positive number");
  require(std::ranges::all_of(weights, [](int weight) { return std::abs(weight) <= kLargestWeight; }),
          "has a weight that is too large");
  return {inputs, {scales.begin(), scales.end()}, weights};
}

void QuantisedMatrix::dequantise(Matrix weights) const {
  if (weights.rows != inputs_ || weights.columns != outputs_) {
    throw std::invalid_argument("a matrix of another size");
  }
  for (std::size_t input = 0; input < inputs_; ++input) {
    for (std::size_t output = 0; output < outputs_; ++output) {
      weights.row(input)[output] = scales_[output] * static_cast<float>(weight(input, output));
    }
  }
}

void QuantisedMatrix::multiply(const QuantisedRows& rows, std::span<const float> bias, Matrix result) const {
  if (rows.columns() != inputs_ || result.rows > rows.rows() || result.columns != outputs_ ||
      (!bias.empty() && bias.size() != outputs_)) {
    throw std::invalid_argument("a product of impossible sizes");
  }
  multiply_bytes(rows.view(), view(), bias.empty() ? nullptr : bias.data(), result);
}

PackedWeights QuantisedMatrix::view() const {
  PackedWeights weights = shape_of(inputs_, outputs_);
  weights.bytes = packed_.empty() ? nullptr : packed_.data()->bytes;
  weights.scales = scales_.data();
  weights.starts = starts_.data();
  return weights;
}

}  // namespace copse
