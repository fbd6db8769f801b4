#include "network/role_source.h"

#include "copse/error.h"
#include "network/encoder_pass.h"

namespace copse {

std::unique_ptr<RoleSource> make_role_source(Device device, const Network& network) {
  if (!is_available(device)) throw DataError(why_unavailable(device));
#ifdef COPSE_CUDA
  if (device == Device::cuda) return make_cuda_role_source(network);
#endif
  return std::make_unique<EncoderPass>(network);
}

}  // namespace copse
