// Roles of words for parsing, computed on a GPU.
#include "network/role_source.h"

#include <map>
#include <mutex>

#include "cuda/device_back_end.h"
#include "network/encoder.h"

namespace copse {
namespace cuda {
namespace {

// The weights of a network on the GPU, constant.
class SharedWeights {
 public:
  // One for each network that is in use.
  static std::shared_ptr<SharedWeights> of(const Network& network) {
    static std::mutex mutex;
    static std::map<const Network*, std::weak_ptr<SharedWeights>> all;
    const std::lock_guard guard(mutex);
    std::shared_ptr<SharedWeights> found = all[&network].lock();
    if (!found) {
      found = std::make_shared<SharedWeights>(network);
      all[&network] = found;
    }
    return found;
  }

  explicit SharedWeights(const Network& network) {
    std::vector<float> weights(network.blocks().size);
    network.weights().dequantise(network.blocks(), weights);
    weights_.upload(weights, nullptr);
    check_cuda(cudaStreamSynchronize(nullptr), "copying to the GPU");
  }
  float* data() { return weights_.data(); }

 private:
  DeviceArray<float> weights_;
};

class DeviceRoleSource : public RoleSource {
 public:
  explicit DeviceRoleSource(const Network& network)
      : weights_(SharedWeights::of(network)),
        by_layer_(device_weights(network.blocks(), weights_->data())),
        products_(Precision::bfloat16),
        back_end_(products_),
        encoder_(network.shape(), network.description().vectors_or_null(), back_end_) {}

  ConstMatrix run(const WordInputs& inputs, const Sequences& sequences) override {
    if (sequences.count() == 0) return {};
    const DeviceMatrix roles = encoder_.forward(inputs, sequences, by_layer_, {});
    const auto rows = static_cast<std::size_t>(roles.rows);
    const auto columns = static_cast<std::size_t>(roles.columns);
    roles_.resize(rows * columns);
    check_cuda(cudaMemcpyAsync(roles_.data(), roles.data, roles_.size() * sizeof(float),
                               cudaMemcpyDeviceToHost, products_.stream()),
               "copying roles");
    check_cuda(cudaStreamSynchronize(products_.stream()), "waiting for the GPU");
    return {roles_.data(), rows, columns};
  }

 private:
  std::shared_ptr<SharedWeights> weights_;
  WeightSet<DeviceForm> by_layer_;
  Products products_;
  DeviceBackEnd back_end_;
  RoleEncoder<DeviceBackEnd> encoder_;
  PinnedFloats roles_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<RoleSource> make_cuda_role_source(const Network& network) {
  return std::make_unique<cuda::DeviceRoleSource>(network);
}

}  // namespace copse
