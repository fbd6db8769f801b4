#include "copse/parallel/device.h"

#include "parallel/cuda/cuda_device.h"

namespace copse {

std::string_view name(Device device) { return device == Device::cpu ? "cpu" : "cuda"; }

std::optional<Device> parse_device(std::string_view text) {
  for (const Device device : {Device::cpu, Device::cuda}) {
    if (text == name(device)) return device;
  }
  return std::nullopt;
}

bool is_available(Device device) { return why_unavailable(device).empty(); }

std::string why_unavailable(Device device) {
  if (device == Device::cpu) return {};
#ifdef COPSE_CUDA
  return why_no_cuda();
#else
  return "this Copse was built without CUDA; build it with -DCOPSE_CUDA=ON, or use the device cpu";
#endif
}

}  // namespace copse
