// Every layer on a GPU, as layers_test.cc has it for processors.
#include "copse/parallel/device.h"
#include "cuda/device_back_end.h"
#include "network/layer_property.h"

namespace copse::testing {
namespace {

using cuda::DeviceArray;
using cuda::DeviceMatrix;

struct DeviceMachine {
  using BackEnd = cuda::DeviceBackEnd;
  static constexpr double kTolerance = 1e-5;
  static std::string why_not() {
    return is_available(Device::cuda) ? std::string() : why_unavailable(Device::cuda);
  }

  DeviceMachine(const NetworkBlocks& network_blocks, const std::vector<float>& numbers)
      : blocks(&network_blocks),
        all(numbers),
        products(Precision::float32),
        on(products),
        weights_of_device(numbers.size()),
        dense(network_blocks.dense),
        tables(network_blocks),
        weights(cuda::device_weights(network_blocks, weights_of_device.data())),
        gradients(cuda::device_gradients(network_blocks, dense.data(), tables)) {
    weights_of_device.upload(all, products.stream());
    dense.clear_values(products.stream());
  }
  std::vector<double> effective_weights() const { return {all.begin(), all.end()}; }
  void write(const Rows& rows, DeviceMatrix to) {
    std::vector<float> numbers;
    for (const ReferenceRow& row : rows) {
      for (const double number : row) numbers.push_back(static_cast<float>(number));
    }
    on.upload(std::span<const float>(numbers), to);
  }
  Rows read(DeviceMatrix matrix) {
    const auto width = static_cast<std::size_t>(matrix.columns) * sizeof(float);
    std::vector<float> numbers(static_cast<std::size_t>(matrix.rows) *
                               static_cast<std::size_t>(matrix.columns));
    check_cuda(
        cudaMemcpy2DAsync(numbers.data(), width, matrix.data,
                          static_cast<std::size_t>(matrix.stride) * sizeof(float), width,
                          static_cast<std::size_t>(matrix.rows), cudaMemcpyDeviceToHost, products.stream()),
        "copying from the GPU");
    check_cuda(cudaStreamSynchronize(products.stream()), "waiting for the GPU");
    Rows rows;
    for (auto at = numbers.begin(); at != numbers.end(); at += matrix.columns) {
      rows.emplace_back(at, at + matrix.columns);
    }
    return rows;
  }
  Rows read_activations(BackEnd::Activations& values) { return read(values.all()); }
  ReferenceRow read_gradient() {
    const auto download = [&]<class T>(const DeviceArray<T>& from) {
      std::vector<T> numbers(from.size());
      from.download(numbers, products.stream());
      return numbers;
    };
    const std::vector<float> of_dense = download(dense);
    ReferenceRow gradient(of_dense.begin(), of_dense.end());
    gradient.resize(blocks->size, 0.0);
    for (std::size_t k = 0; k < tables.size(); ++k) {
      const cuda::TableGradients::Rows& table = tables[k];
      const std::vector<std::uint32_t> numbers = download(table.numbers);
      const std::vector<float> values = download(table.values);
      const auto columns = static_cast<std::size_t>(table.columns);
      const auto count = static_cast<std::size_t>(download(table.count).front());
      for (std::size_t place = 0; place < count * columns; ++place) {
        gradient[table.offset + numbers[place / columns] * columns + place % columns] += values[place];
      }
    }
    return gradient;
  }

  const NetworkBlocks* blocks;
  std::vector<float> all;
  cuda::Products products;
  BackEnd on;
  DeviceArray<float> weights_of_device;
  DeviceArray<float> dense;
  cuda::TableGradients tables;
  WeightSet<cuda::DeviceForm> weights;
  WeightSet<cuda::DeviceGradientForm> gradients;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Gpu, Layers, ::testing::Types<DeviceMachine>);

}  // namespace
}  // namespace copse::testing
