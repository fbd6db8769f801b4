#pragma once

#include <cstdint>
#include <vector>

#include "cuda/device_array.h"
#include "cuda/device_matrix.h"

namespace copse::cuda {

// The gradient of the rows of tables that a batch uses. What several words of a batch add to one row is
// summed up in their order, so that the same batch always gives the same bits.
class TableGradients {
 public:
  explicit TableGradients(const NetworkBlocks& blocks);

  void clear() { used_ = 0; }
  // The k-th row of `gradients` is added to row rows[k] of a table.
  void add(const Block& table, const DeviceArray<std::uint32_t>& rows, DeviceMatrix gradients,
           cudaStream_t stream);
  // The gradients of rows gradient_rows[k] instead.
  void add(const Block& table, const DeviceArray<std::uint32_t>& rows,
           const DeviceArray<std::uint32_t>& gradient_rows, DeviceMatrix gradients, cudaStream_t stream);

  // Of one table: the rows that have a gradient, and these gradients, one after the other. How many there are
  // is known on the GPU alone; they are at most `most`, and the others are zero.
  struct Rows {
    std::size_t offset = 0;  // of the table among all weights
    int columns = 0;
    std::size_t most = 0;
    DeviceArray<std::uint32_t> numbers;
    DeviceArray<std::int32_t> count;
    DeviceArray<float> values;
    DeviceArray<std::uint32_t> sorted, places, sorted_places;
    DeviceArray<std::int32_t> lengths, begins;
    DeviceArray<std::byte> room;
  };
  std::size_t size() const { return used_; }
  Rows& operator[](std::size_t k) { return tables_[k]; }

 private:
  Rows& next(const Block& table, std::size_t count);
  void sum_up(Rows& table, const std::uint32_t* rows, const std::uint32_t* gradient_rows,
              DeviceMatrix gradients, cudaStream_t stream);

  std::vector<Rows> tables_;
  std::size_t used_ = 0;
};

}  // namespace copse::cuda
