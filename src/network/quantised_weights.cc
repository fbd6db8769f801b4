#include "network/quantised_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "copse/error.h"
#include "network/weight_list.h"

namespace copse {
namespace {

// With larger ones, sums of products might not fit a float. Learnt weights are below 100. A role is at most a
// sum of 8,193 weights (NetworkDescription has the sizes); of products of five roles and a weight, 512 are
// added up.
float largest_magnitude(const NetworkBlocks& blocks) {
  const bool has_five_roles = std::ranges::any_of(part_kinds(blocks.shape.factorization), [](PartKind kind) {
    return has_grandparent(kind) && has_second_sibling(kind);
  });
  return has_five_roles ? 300.0F : 1000.0F;
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

// Names, and where the numbers of a section lie.
template <class Visit>
class Sections {
 public:
  explicit Sections(Visit visit) : visit_(std::move(visit)) {}

  void affine(const WeightRow& row, const BlockForm::Affine& block, auto& own) const {
    affine(section(row), all_of(block.weights), all_of(block.bias), own);
  }
  void lstm(const WeightRow& row, const BlockForm::Lstm& block, auto& own) const {
    for (const std::size_t direction : {0U, 1U}) {
      const std::string side = section(row) + (direction == 0 ? "/forward" : "/backward");
      const std::size_t gates = block.recurrent[direction].columns;
      affine(side + "/input", columns_of(block.input, direction * gates, gates),
             columns_of(block.bias, direction * gates, gates), own[direction].input);
      visit_(side + "/state", all_of(block.recurrent[direction]), own[direction].state);
    }
  }
  void bilinear(const WeightRow& row, const Block& block, auto& own) const {
    affine(section(row), rows_of(block, 0, block.rows - 1), rows_of(block, block.rows - 1, 1), own);
  }
  void vector(const WeightRow& row, const std::string& name, const Block& block, auto& own) const {
    visit_(section(row) + "." + name, all_of(block), own);
  }
  void table(const WeightRow& row, const Block& block, auto& own) const {
    visit_(section(row), all_of(block), own);
  }

 private:
  static std::string section(const WeightRow& row) { return "network/" + row.name; }
  void affine(const std::string& name, Place matrix, Place bias, auto& own) const {
    visit_(name, matrix, own.weights);
    visit_(name + ".bias", bias, own.bias);
  }

  Visit visit_;
};

}  // namespace

template <class Weights, class Visit>
void QuantisedWeights::for_each(Weights& weights, const NetworkBlocks& blocks, Visit visit) {
  visit_weights(blocks.shape, Sections<Visit>(std::move(visit)), blocks, weights);
}

QuantisedWeights::QuantisedWeights(const NetworkBlocks& blocks, std::span<const float> weights)
    : WeightSet(blocks.shape) {
  if (!is_usable(weights, largest_magnitude(blocks))) {
    throw DataError("the weights of the network have grown beyond all measure; train with a lower rate");
  }
  for_each(*this, blocks, [&]<class Numbers>(const std::string&, Place place, Numbers& numbers) {
    const ConstMatrix matrix = place.in(weights);
    if constexpr (std::is_same_v<Numbers, std::vector<float>>) {
      numbers.assign(matrix.data, matrix.data + matrix.columns);
    } else {
      numbers = Numbers::from(matrix);
    }
  });
}

QuantisedWeights::QuantisedWeights(const NetworkBlocks& blocks, const SectionFile& file)
    : WeightSet(blocks.shape) {
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
  std::ranges::transform(parts, all.begin(), [](const auto& part) -> PartWeights {
    return {part.weights, part.no_sibling, part.no_second_sibling, part.no_grandparent};
  });
  return all;
}

}  // namespace copse
