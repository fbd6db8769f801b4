#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "network/element_kernels.h"
#include "network/matrix_product.h"
#include "network/sequences.h"

namespace copse {

// What back ends on processors have in common; see back_end.h. Nothing is copied: numbers and sequences stay
// where they are, and must stay there as long as they are used.
class HostBackEnd {
 public:
  using Matrix = copse::Matrix;

  class Values {
   public:
    Matrix resize(std::size_t rows, std::size_t columns) {
      numbers_.resize(rows * columns);
      rows_ = rows;
      columns_ = columns;
      return all();
    }
    Matrix all() { return {numbers_.data(), rows_, columns_}; }
    ConstMatrix all() const { return {numbers_.data(), rows_, columns_}; }

   private:
    std::vector<float> numbers_;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
  };

  using Numbers = std::span<const std::uint32_t>;
  using SignedNumbers = std::span<const std::int32_t>;
  struct Lists {
    Numbers begins;  // of each list among the values, and the end of the last one
    Numbers values;
  };
  class Sequences {
   public:
    Sequences() = default;
    explicit Sequences(const copse::Sequences& host) : host_(&host) {}
    const copse::Sequences& host() const { return *host_; }

   private:
    const copse::Sequences* host_ = nullptr;
  };

  void upload(Numbers from, Numbers& to) { to = from; }
  void upload(SignedNumbers from, SignedNumbers& to) { to = from; }
  void upload(const copse::Sequences& from, Sequences& to) { to = Sequences(from); }
  void upload(Numbers begins, Numbers values, Lists& to) { to = {begins, values}; }

  void look_up(ConstMatrix from, Numbers numbers, Matrix to, Into into) {
    for (std::size_t row = 0; row < numbers.size(); ++row) {
      if (into == Into::add) {
        add_scaled({from.row(numbers[row]), to.columns}, 1.0F, {to.row(row), to.columns});
      } else {
        std::copy_n(from.row(numbers[row]), to.columns, to.row(row));
      }
    }
  }
  void add(ConstMatrix from, Matrix to) {
    for (std::size_t row = 0; row < to.rows; ++row) {
      add_scaled({from.row(row), to.columns}, 1.0F, {to.row(row), to.columns});
    }
  }
  void leaky_relu(Matrix rows) { copse::leaky_relu(rows); }
};

}  // namespace copse
