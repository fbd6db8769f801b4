#include <cuda_runtime.h>

#include <string>

#include "copse/error.h"
#include "dense_copy.h"

namespace copse::python {
namespace {

constexpr int kThreads = 256;

// Which sentence an arc of the batch belongs to.
__device__ std::int64_t sentence_of(const DenseBatch& batch, std::int64_t arc) {
  std::int64_t low = 0;
  std::int64_t high = batch.sentences;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    if (batch.arc_begins[middle] <= arc) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// kLanes neighbouring threads take the parts that end in one arc.
template <PartKind kKind, Direction kDirection, int kLanes, class Dense, class Packed>
__global__ void copy_arcs(DenseCopy<Dense, Packed> copy) {
  const std::int64_t arc = (std::int64_t{blockIdx.x} * kThreads + threadIdx.x) / kLanes;
  if (arc >= copy.batch.arcs) return;
  const std::int64_t sentence = sentence_of(copy.batch, arc);
  const ArcParts parts = arc_parts<kKind>(static_cast<int>(copy.batch.words[sentence]),
                                          static_cast<int>(arc - copy.batch.arc_begins[sentence]));
  for (int i = static_cast<int>(threadIdx.x) % kLanes; i < parts.count(); i += kLanes) {
    copy.template copy_part<kDirection>(sentence, parts, i / parts.grandparents, i % parts.grandparents);
  }
}

template <PartKind kKind, int kLanes, class Dense, class Packed>
void launch(const DenseCopy<Dense, Packed>& copy, cudaStream_t stream) {
  const std::int64_t blocks = (copy.batch.arcs * kLanes + kThreads - 1) / kThreads;
  if (blocks == 0) return;
  if (copy.direction == Direction::gather) {
    copy_arcs<kKind, Direction::gather, kLanes><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(copy);
  } else {
    copy_arcs<kKind, Direction::scatter, kLanes>
        <<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(copy);
  }
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    throw DataError(std::string("copying potentials on the GPU failed: ") + cudaGetErrorString(error));
  }
}

}  // namespace

template <class Dense, class Packed>
void copy_on_cuda(const DenseCopy<Dense, Packed>& copy, void* stream) {
  const auto cuda_stream = static_cast<cudaStream_t>(stream);
  with_part_kind(copy.kind, [&]<PartKind kKind>() {
    constexpr int kMoreWords = (has_sibling(kKind) ? 1 : 0) + (has_grandparent(kKind) ? 1 : 0);
    constexpr int kLanes = kMoreWords == 0 ? 1 : kMoreWords == 1 ? 8 : 32;
    if constexpr (is_in_full_layout(kKind)) launch<kKind, kLanes>(copy, cuda_stream);
  });
}

template void copy_on_cuda(const DenseCopy<float, float>&, void*);
template void copy_on_cuda(const DenseCopy<float, double>&, void*);
template void copy_on_cuda(const DenseCopy<double, double>&, void*);

}  // namespace copse::python
