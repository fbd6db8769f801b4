#include "network/quantised_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "copse/error.h"

namespace copse {
namespace {

// With larger ones, sums of products might not fit a float. Learnt weights are below 100. A role is at most a
// sum of 8,193 weights (NetworkDescription has the sizes); of products of five roles and a weight, 512 are
// added up.
float largest_magnitude(const NetworkBlocks& blocks) {
  return blocks.part(PartKind::grandtrisibling).weights.size() > 0 ? 300.0F : 1000.0F;
}

// Where numbers lie among all weights.
struct Place {
  std::size_t offset = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;

  ConstMatrix in(std::span<const float> weights) const {
    return {weights.data() + offset, rows, columns, stride};
  }
  Matrix in(std::span<float> weights) const { return {weights.data() + offset, rows, columns, stride}; }
};

Place columns_of(const Block& block, std::size_t first, std::size_t columns) {
  return {block.offset + first, block.rows, columns, block.columns};
}
Place rows_of(const Block& block, std::size_t first, std::size_t rows) {
  return {block.offset + first * block.columns, rows, block.columns, block.columns};
}
Place all_of(const Block& block) { return rows_of(block, 0, block.rows); }

bool is_usable(std::span<const float> numbers, float largest) {
  return std::ranges::all_of(numbers, [&](float number) { return std::abs(number) <= largest; });
}

std::span<const float> scales_of(const QuantisedMatrix& matrix) {
  return {matrix.view().scales, matrix.outputs()};
}
std::span<const float> scales_of(const QuantisedTable& table) { return table.scales(); }

}  // namespace

template <class Weights, class Visit>
void QuantisedWeights::for_each(Weights& weights, const NetworkBlocks& blocks, Visit visit) {
  const auto visit_affine = [&](const std::string& name, Place matrix, Place bias, auto& affine) {
    if (matrix.columns == 0) return;
    visit(name, matrix, affine.weights);
    visit(name + ".bias", bias, affine.bias);
  };
  const auto visit_lstm = [&](const std::string& name, const NetworkBlocks::Lstm& block, auto& lstm) {
    for (const std::size_t direction : {0U, 1U}) {
      const std::string side = name + (direction == 0 ? "/forward" : "/backward");
      const std::size_t gates = block.recurrent[direction].columns;
      visit_affine(side + "/input", columns_of(block.input, direction * gates, gates),
                   columns_of(block.bias, direction * gates, gates), lstm[direction].input);
      visit(side + "/state", all_of(block.recurrent[direction]), lstm[direction].state);
    }
  };
  // Of bilinear forms; the last row belongs to the 1 beside the modifier.
  const auto visit_bilinear = [&](const std::string& name, const Block& block, auto& affine) {
    if (block.rows == 0) return;
    visit_affine(name, rows_of(block, 0, block.rows - 1), rows_of(block, block.rows - 1, 1), affine);
  };
  const auto visit_part = [&](const std::string& name, const NetworkBlocks::Part& block, auto& part) {
    if (block.weights.size() > 0) visit(name + ".weights", all_of(block.weights), part.weights);
    if (block.no_sibling.size() > 0) visit(name + ".innermost", all_of(block.no_sibling), part.no_sibling);
    if (block.no_second_sibling.size() > 0)
      visit(name + ".second", all_of(block.no_second_sibling), part.no_second_sibling);
    if (block.no_grandparent.size() > 0)
      visit(name + ".top", all_of(block.no_grandparent), part.no_grandparent);
  };
  const auto visit_table = [&](const std::string& name, const Block& block, auto& table) {
    if (block.size() > 0) visit(name, all_of(block), table);
  };
  visit_affine("network/vectors", all_of(blocks.vector_weights), all_of(blocks.vector_bias), weights.vectors);
  visit_affine("network/affixes", all_of(blocks.spelling_weights), all_of(blocks.spelling_bias),
               weights.affixes);
  for (std::size_t k = 0; k < blocks.characters.size(); ++k) {
    visit_lstm("network/spelling", blocks.characters[k], weights.characters[k]);
  }
  for (std::size_t k = 0; k < blocks.layers.size(); ++k) {
    visit_lstm(fmt::format("network/layer{}", k + 1), blocks.layers[k], weights.layers[k]);
  }
  visit_affine("network/roles", all_of(blocks.roles), all_of(blocks.role_bias), weights.roles);
  visit_bilinear("network/arcs", blocks.arcs, weights.arcs);
  visit_bilinear("network/labels", blocks.labels, weights.labels);
  visit_affine("network/tags", all_of(blocks.tags), all_of(blocks.tag_bias), weights.tags);
  for (const PartKind kind : kAllPartKinds) {
    visit_part(fmt::format("network/parts/{}", name(kind)), blocks.part(kind),
               weights.parts[static_cast<std::size_t>(kind)]);
  }
  visit_table("network/table/words", blocks.words, weights.word_table);
  visit_table("network/table/affixes", blocks.affixes, weights.affix_table);
  visit_table("network/table/characters", blocks.character_table, weights.character_table);
  visit_table("network/table/upos", blocks.upos, weights.upos_table);
  visit_table("network/table/xpos", blocks.xpos, weights.xpos_table);
  visit_table("network/table/features", blocks.features, weights.feature_table);
}

void QuantisedWeights::make_layers(const NetworkBlocks& blocks) {
  characters.resize(blocks.characters.size());
  layers.resize(blocks.layers.size());
}

QuantisedWeights::QuantisedWeights(const NetworkBlocks& blocks, std::span<const float> weights) {
  if (!is_usable(weights, largest_magnitude(blocks))) {
    throw DataError("the weights of the network have grown beyond all measure; train with a lower rate");
  }
  make_layers(blocks);
  for_each(*this, blocks, [&]<class Numbers>(const std::string&, Place place, Numbers& numbers) {
    const ConstMatrix matrix = place.in(weights);
    if constexpr (std::is_same_v<Numbers, std::vector<float>>) {
      numbers.assign(matrix.data, matrix.data + matrix.columns);
    } else {
      numbers = Numbers::from(matrix);
    }
  });
}

QuantisedWeights::QuantisedWeights(const NetworkBlocks& blocks, const SectionFile& file) {
  make_layers(blocks);
  const float largest = largest_magnitude(blocks);
  for_each(*this, blocks, [&]<class Numbers>(const std::string& name, Place place, Numbers& numbers) {
    const auto require = [&](bool condition, std::string_view what) {
      if (!condition) {
        throw DataError(fmt::format("{}: the weights '{}' {}; the file is damaged", file.path(), name, what));
      }
    };
    constexpr std::string_view kOtherSize = "have another size than they should";
    constexpr std::string_view kTooLarge = "are larger than any that are learnt";
    if constexpr (std::is_same_v<Numbers, std::vector<float>>) {
      const auto found = file.numbers<float>(name);
      require(found.size() == place.columns, kOtherSize);
      require(is_usable(found, largest), kTooLarge);
      numbers.assign(found.begin(), found.end());
    } else {
      numbers = Numbers::from_file(file, name);
      if constexpr (std::is_same_v<Numbers, QuantisedMatrix>) {
        require(numbers.inputs() == place.rows && numbers.outputs() == place.columns, kOtherSize);
      } else {
        require(numbers.rows() == place.rows && numbers.columns() == place.columns, kOtherSize);
      }
      require(is_usable(scales_of(numbers), largest / kLargestWeight * 1.01F), kTooLarge);
    }
  });
}

void QuantisedWeights::add_to(const NetworkBlocks& blocks, SectionFileWriter& file) const {
  for_each(*this, blocks, [&]<class Numbers>(const std::string& name, Place, const Numbers& numbers) {
    if constexpr (std::is_same_v<Numbers, std::vector<float>>) {
      file.add_numbers(name, numbers);
    } else {
      numbers.add_to(file, name);
    }
  });
}

void QuantisedWeights::dequantise(const NetworkBlocks& blocks, std::span<float> weights) const {
  for_each(*this, blocks, [&]<class Numbers>(const std::string&, Place place, const Numbers& numbers) {
    const Matrix matrix = place.in(weights);
    if constexpr (std::is_same_v<Numbers, std::vector<float>>) {
      std::copy(numbers.begin(), numbers.end(), matrix.data);
    } else if constexpr (std::is_same_v<Numbers, QuantisedMatrix>) {
      numbers.dequantise(matrix);
    } else {
      for (std::size_t row = 0; row < matrix.rows; ++row) numbers.copy_row(row, matrix.row(row));
    }
  });
}

AllPartWeights QuantisedWeights::part_weights() const {
  AllPartWeights all;
  std::ranges::transform(parts, all.begin(), [](const Part& part) -> PartWeights {
    return {part.weights, part.no_sibling, part.no_second_sibling, part.no_grandparent};
  });
  return all;
}

}  // namespace copse
