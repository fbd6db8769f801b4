#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>

#include "cuda/launch.h"
#include "cuda/table_gradients.h"

namespace copse::cuda {
namespace {

constexpr int kWarps = 8;

struct Count {
  std::uint32_t* numbers;
  __device__ void operator()(std::size_t k) const { numbers[k] = static_cast<std::uint32_t>(k); }
};

// A block for every row that has a gradient. Each warp sums up every eighth of what is to be added, and what
// they have is added up in their order.
__global__ void sum_runs(const std::int32_t* runs, const std::int32_t* begins, const std::int32_t* lengths,
                         const std::uint32_t* places, DeviceMatrix gradients, float* values) {
  __shared__ float sums[kWarps][32];
  const int run = static_cast<int>(blockIdx.x);
  float* to = values + static_cast<std::size_t>(run) * gradients.columns;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool is_run = run < *runs;
  const int begin = is_run ? begins[run] : 0;
  const int length = is_run ? lengths[run] : 0;
  for (int column = 0; column < gradients.columns; column += 32) {
    const bool is_column = column + lane < gradients.columns;
    float sum = 0.0F;
    for (int k = warp; k < length && is_column; k += kWarps) {
      sum += gradients.data[static_cast<std::size_t>(places[begin + k]) * gradients.stride + column + lane];
    }
    sums[warp][lane] = sum;
    __syncthreads();
    if (warp == 0 && is_column) {
      float all = 0.0F;
      for (int w = 0; w < kWarps; ++w) all += sums[w][lane];
      to[column + lane] = all;
    }
    __syncthreads();
  }
}

}  // namespace

TableGradients::TableGradients(const NetworkBlocks& blocks) { tables_.resize(blocks.tables().size() + 1); }

TableGradients::Rows& TableGradients::next(const Block& table, std::size_t count) {
  Rows& rows = tables_.at(used_++);
  rows.offset = table.offset;
  rows.columns = static_cast<int>(table.columns);
  rows.most = count;
  return rows;
}

void TableGradients::add(const Block& table, const DeviceArray<std::uint32_t>& rows, DeviceMatrix gradients,
                         cudaStream_t stream) {
  if (rows.size() == 0) return;
  Rows& own = next(table, rows.size());
  own.places.resize(rows.size());
  run_for(rows.size(), stream, Count{own.places.data()});
  sum_up(own, rows.data(), own.places.data(), gradients, stream);
}

void TableGradients::add(const Block& table, const DeviceArray<std::uint32_t>& rows,
                         const DeviceArray<std::uint32_t>& gradient_rows, DeviceMatrix gradients,
                         cudaStream_t stream) {
  if (rows.size() == 0) return;
  Rows& own = next(table, rows.size());
  sum_up(own, rows.data(), gradient_rows.data(), gradients, stream);
}

void TableGradients::sum_up(Rows& table, const std::uint32_t* rows, const std::uint32_t* gradient_rows,
                            DeviceMatrix gradients, cudaStream_t stream) {
  const int count = static_cast<int>(table.most);
  table.sorted.resize(table.most);
  table.sorted_places.resize(table.most);
  table.numbers.resize(table.most);
  table.lengths.resize(table.most);
  table.begins.resize(table.most);
  table.count.resize(1);
  table.values.resize(table.most * static_cast<std::size_t>(table.columns));
  // Runs beyond the last one have no length.
  table.lengths.clear_values(stream);
  std::size_t sort_room = 0;
  std::size_t run_room = 0;
  std::size_t scan_room = 0;
  const auto sort = [&](void* room, std::size_t& bytes) {
    check_cuda(cub::DeviceRadixSort::SortPairs(room, bytes, rows, table.sorted.data(), gradient_rows,
                                               table.sorted_places.data(), count, 0, 32, stream),
               "sorting");
  };
  const auto find_runs = [&](void* room, std::size_t& bytes) {
    check_cuda(cub::DeviceRunLengthEncode::Encode(room, bytes, table.sorted.data(), table.numbers.data(),
                                                  table.lengths.data(), table.count.data(), count, stream),
               "finding runs");
  };
  const auto scan = [&](void* room, std::size_t& bytes) {
    check_cuda(
        cub::DeviceScan::ExclusiveSum(room, bytes, table.lengths.data(), table.begins.data(), count, stream),
        "adding up");
  };
  sort(nullptr, sort_room);
  find_runs(nullptr, run_room);
  scan(nullptr, scan_room);
  table.room.resize(std::max({sort_room, run_room, scan_room}));
  std::size_t bytes = table.room.size();
  sort(table.room.data(), bytes);
  bytes = table.room.size();
  find_runs(table.room.data(), bytes);
  bytes = table.room.size();
  scan(table.room.data(), bytes);
  sum_runs<<<static_cast<unsigned>(count), kWarps * 32, 0, stream>>>(
      table.count.data(), table.begins.data(), table.lengths.data(), table.sorted_places.data(), gradients,
      table.values.data());
  check_cuda(cudaGetLastError(), "adding up gradients");
}

}  // namespace copse::cuda
