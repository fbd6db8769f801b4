// Sentences per second of exact inference on a GPU, over the sentence lengths of a real treebank, with all
// arcs as candidates and potentials in the GPU's memory as floats: log-partition and the marginals of all
// parts. Checks answers against the CPU first.
//
//   gpu_inference [--only FACTORIZATION] [--classes] [--tune] [--repeat N]
//
// --classes times sentences of similar length by themselves; --tune only tries sizes of blocks and tiles
// for them.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "batch/cuda/cuda_memory.h"
#include "batch/cuda/cuda_plan.h"
#include "copse/batch/batch_distribution.h"
#include "sentence_lengths.h"

namespace copse::bench {
namespace {

constexpr double kMemoryBandwidth = 4.3e12;  // bytes/s that an H200 reaches
constexpr double kMultiplyAdds = 16.7e12;    // double precision, without tensor cores

// About normal: the sum of four uniform numbers, by counting.
__global__ void fill_random(float* numbers, std::int64_t count, std::uint64_t seed) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    const std::uint64_t bits = mix_bits(seed * 0x9e3779b9U + static_cast<std::uint64_t>(i));
    float sum = 0.0F;
    for (int k = 0; k < 4; ++k) sum += static_cast<float>(bits >> (16 * k) & 0xffffU) / 65536.0F - 0.5F;
    numbers[i] = 1.7320508F * sum;
  }
}

// Sentences with all arcs, their potentials and room for answers on the GPU.
class Workload {
 public:
  Workload(BatchDistribution& batch, Factorization factorization, const std::vector<int>& lengths)
      : factorization_(factorization), lengths_(lengths) {
    use(batch);
    for (const PartKind kind : part_kinds(factorization)) {
      const auto count = static_cast<std::size_t>(batch.count(kind));
      parts_ += static_cast<double>(count);
      const auto k = static_cast<std::size_t>(kind);
      memory_[2 * k].reserve(count * sizeof(float));
      memory_[2 * k + 1].reserve(count * sizeof(float));
      potentials[kind] = memory_[2 * k].data<float>();
      answers.marginals[kind] = memory_[2 * k + 1].data<float>();
      fill_random<<<1024, 256>>>(memory_[2 * k].data<float>(), static_cast<std::int64_t>(count), k + 1);
    }
    results_.reserve(lengths.size() * 8);
    answers.log_partition = results_.data<float>();
    answers.status = reinterpret_cast<SentenceStatus*>(results_.data<std::byte>() + lengths.size() * 4);
    check_cuda(cudaDeviceSynchronize(), "filling potentials");
  }

  // The same work for another.
  void use(BatchDistribution& batch) {
    batch_ = &batch;
    std::vector<BatchSentence> sentences;
    for (const int words : lengths_) sentences.push_back({words, nullptr});
    batch.assign(factorization_, RootMode::multi, sentences);
  }

  // Potentials read once, marginals written once.
  double bytes_moved() const { return parts_ * 2 * sizeof(float); }
  void run() { batch_->compute(potentials, answers); }

  // The best of some rounds.
  double seconds(int rounds) {
    run();
    check_cuda(cudaDeviceSynchronize(), "computing");
    cudaEvent_t start;
    cudaEvent_t end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    double best = 1e300;
    for (int round = 0; round < rounds; ++round) {
      cudaEventRecord(start);
      run();
      cudaEventRecord(end);
      check_cuda(cudaEventSynchronize(end), "computing");
      float milliseconds = 0.0F;
      cudaEventElapsedTime(&milliseconds, start, end);
      best = std::min(best, 1e-3 * static_cast<double>(milliseconds));
    }
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    return best;
  }

  PartArrays<const float> potentials;
  BatchAnswers<float> answers;

 private:
  BatchDistribution* batch_ = nullptr;
  Factorization factorization_;
  std::vector<int> lengths_;
  double parts_ = 0.0;
  DeviceBuffer memory_[2 * kPartKinds];
  DeviceBuffer results_;
};

template <class T>
std::vector<T> copied(const T* from, std::int64_t count) {
  std::vector<T> to(static_cast<std::size_t>(count));
  check_cuda(cudaMemcpy(to.data(), from, to.size() * sizeof(T), cudaMemcpyDeviceToHost), "copying");
  return to;
}

struct Difference {
  double log_partition = 0.0;  // relative to the larger of 1 and its size
  double marginal = 0.0;
};

// The largest differences between the GPU's answers and those of the CPU's log domain, both in doubles so
// that rounding shows, for potentials of which `changed` are not the same.
Difference differ(Factorization factorization, const std::vector<int>& lengths, bool changed) {
  BatchDistribution gpu({.device = Device::cuda});
  BatchDistribution cpu({.device = Device::cpu, .arithmetic = Arithmetic::log});
  std::vector<std::vector<double>> potentials;
  std::vector<std::vector<double>> marginals;
  std::vector<double> log_partition[2];
  for (BatchDistribution* batch : {&gpu, &cpu}) {
    std::vector<BatchSentence> sentences;
    for (const int words : lengths) sentences.push_back({words, nullptr});
    batch->assign(factorization, RootMode::multi, sentences);
    PartArrays<const double> given;
    BatchAnswers<double> answers;
    potentials.clear();
    for (const PartKind kind : part_kinds(factorization)) {
      const auto count = static_cast<std::size_t>(batch->count(kind));
      potentials.emplace_back(count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t bits = mix_bits(static_cast<std::uint64_t>(kind) << 40 | i);
        potentials.back()[i] = 4.0 * (static_cast<double>(bits >> 11) * 0x1.0p-53 - 0.5);
      }
      if (changed && batch == &gpu) potentials.back().back() += 1e-4;
      given[kind] = potentials.back().data();
      marginals.emplace_back(count, -1.0);
      answers.marginals[kind] = marginals.back().data();
    }
    std::vector<double>& own = log_partition[batch == &cpu ? 1 : 0];
    own.assign(lengths.size(), -1.0);
    answers.log_partition = own.data();
    batch->compute_on_host(given, answers);
  }
  Difference worst;
  // A comparison that is false for what is not a number.
  const auto enlarge = [](double& largest, double x) {
    if (!(x <= largest)) largest = x;
  };
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    const double expected = log_partition[1][s];
    enlarge(worst.log_partition,
            std::abs(log_partition[0][s] - expected) / std::max(1.0, std::abs(expected)));
  }
  const std::size_t kinds = marginals.size() / 2;
  for (std::size_t k = 0; k < kinds; ++k) {
    for (std::size_t i = 0; i < marginals[k].size(); ++i) {
      enlarge(worst.marginal, std::abs(marginals[k][i] - marginals[kinds + k][i]));
    }
  }
  return worst;
}

// The GPU's answers against the CPU's. So that it is known to notice, once with potentials of which one in
// each array is off by 1e-4.
bool check(Factorization factorization) {
  const std::vector<int> lengths = has_grandparents(factorization)
                                       ? std::vector<int>{1, 2, 5, 9, 14, 20, 31, 40, 65}
                                       : std::vector<int>{1, 2, 5, 9, 20, 31, 47, 63, 100};
  constexpr double kTolerance = 1e-10;
  const Difference found = differ(factorization, lengths, false);
  const Difference noticed = differ(factorization, {1, 5, 9}, true);
  const bool is_right = found.log_partition < kTolerance && found.marginal < kTolerance;
  const bool notices = noticed.log_partition > kTolerance && noticed.marginal > kTolerance;
  std::printf("%-13s against the CPU's log domain: log Z off by %.1e (relative), marginals by %.1e: %s\n",
              std::string(name(factorization)).c_str(), found.log_partition, found.marginal,
              is_right ? "right" : "WRONG");
  std::printf("%-13s   with a potential changed by 1e-4: %.1e, %.1e: %s\n", "", noticed.log_partition,
              noticed.marginal, notices ? "noticed" : "NOT NOTICED");
  return is_right && notices;
}

// Products of items that the sums consist of (see inference_throughput.cc); the adjoint pass does two more
// each.
double multiply_adds(Factorization factorization, double n) {
  double sum = 0.0;
  for (double d = 1; d <= n; ++d) {
    const double spans = n + 1 - d;
    const double contexts = has_grandparents(factorization) ? n - d : 1;
    const double join = spans * d * (factorization == Factorization::grandchild ? 2 : 1);
    const double complete = 2 * spans * d;
    const double attach = has_siblings(factorization) ? 2 * 2 * spans * d : 2 * spans;
    sum += contexts * (join + complete + attach);
  }
  return 3 * sum;
}

// What charts in global memory move for these: of each term the inside pass reads a number, and the adjoint
// pass reads one and changes another. Without grandparents charts are in shared memory, or small.
double chart_bytes(Factorization factorization, double products) {
  return has_grandparents(factorization) ? products / 3 * (8 + 24) : 0.0;
}

std::vector<int> treebank_lengths() {
  std::vector<int> lengths;
  for (int words = 1; words <= 100; ++words)
    lengths.insert(lengths.end(), kSentenceLengths[words - 1], words);
  // As in a treebank, not by length.
  std::uint64_t state = 1;
  for (std::size_t i = lengths.size(); i > 1; --i) std::swap(lengths[i - 1], lengths[mix_bits(++state) % i]);
  return lengths;
}

void measure(Factorization factorization, int rounds) {
  const std::vector<int> lengths = treebank_lengths();
  BatchDistribution gpu({.device = Device::cuda});
  Workload work(gpu, factorization, lengths);
  const double seconds = work.seconds(rounds);
  double products = 0.0;
  for (const int words : lengths) products += multiply_adds(factorization, words);
  const std::vector<SentenceStatus> status = copied(work.answers.status, gpu.sentences());
  const auto fine = std::count(status.begin(), status.end(), SentenceStatus::fine);
  const double charts = chart_bytes(factorization, products);
  std::printf("%-13s %9zu %12.0f %10.3f %10.3f %7.2f%% %10.3f %7.2f%% %12.3f %7.2f%% %8ld\n",
              std::string(name(factorization)).c_str(), lengths.size(),
              static_cast<double>(lengths.size()) / seconds, 1e3 * seconds, 1e-9 * work.bytes_moved(),
              100 * work.bytes_moved() / seconds / kMemoryBandwidth, 1e-9 * charts,
              100 * charts / seconds / kMemoryBandwidth, 1e-12 * products / seconds,
              100 * products / seconds / kMultiplyAdds, static_cast<long>(fine));
  std::fflush(stdout);
}

// The sentences of one class of lengths, often enough to fill the GPU.
std::vector<int> lengths_of_class(int length_class, std::size_t least) {
  std::vector<int> own;
  for (const int words : treebank_lengths()) {
    if (class_of_length(words) == length_class) own.push_back(words);
  }
  for (std::size_t i = 0; !own.empty() && own.size() < least; ++i) own.push_back(own[i]);
  return own;
}

BatchDistribution tuned(const CudaTuning& tuning) {
  return BatchBackEnd::make_distribution(Device::cuda, make_cuda_back_end({.device = Device::cuda}, tuning));
}

void measure_classes(Factorization factorization, int rounds) {
  for (int c = 0; c < kLengthClasses; ++c) {
    const std::vector<int> lengths = lengths_of_class(c, 0);
    if (lengths.empty()) continue;
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
    BatchDistribution gpu({.device = Device::cuda});
    Workload work(gpu, factorization, lengths);
    const double seconds = work.seconds(rounds);
    std::printf("%-13s %3d-%-3d words %6zu sentences %9.3f ms %12.0f sentences/s\n",
                std::string(name(factorization)).c_str(), *shortest, *longest, lengths.size(), 1e3 * seconds,
                static_cast<double>(lengths.size()) / seconds);
    std::fflush(stdout);
  }
}

void tune(Factorization factorization) {
  const bool grandparents = has_grandparents(factorization);
  for (int c = 0; c < kLengthClasses; ++c) {
    const std::vector<int> lengths = lengths_of_class(c, c < 5 ? 2000 : 0);
    BatchDistribution first({.device = Device::cuda});
    Workload work(first, factorization, lengths);
    for (int threads = 32; threads <= most_threads(grandparents); threads *= 2) {
      for (int tile = 0; tile < kTileSizes; ++tile) {
        // What is far from a shape that fits: short sentences with many threads, long ones with few.
        if (grandparents && (threads > (c < 3 ? 256 : 1024) || threads < (c < 4 ? 64 : c < 6 ? 128 : 256)))
          continue;
        CudaTuning tuning;
        tuning.threads = threads;
        tuning.tile_index = tile;
        BatchDistribution gpu = tuned(tuning);
        work.use(gpu);
        const double seconds = work.seconds(1);
        std::printf("tune %-13s class %d threads %4d tile %2d %12.0f sentences/s\n",
                    std::string(name(factorization)).c_str(), c, threads, tile_size_of(grandparents, tile),
                    static_cast<double>(lengths.size()) / seconds);
        std::fflush(stdout);
      }
    }
  }
}

int run(int count, char** arguments) {
  std::string only;
  bool classes = false;
  bool tries = false;
  int rounds = 5;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--only" && i + 1 < count) {
      only = arguments[++i];
    } else if (argument == "--classes") {
      classes = true;
    } else if (argument == "--tune") {
      tries = true;
    } else if (argument == "--repeat" && i + 1 < count) {
      rounds = std::max(1, std::atoi(arguments[++i]));
    } else {
      std::fprintf(stderr, "usage: gpu_inference [--only FACTORIZATION] [--classes] [--tune] [--repeat N]\n");
      return 2;
    }
  }
  const std::string obstacle = why_unavailable(Device::cuda);
  if (!obstacle.empty()) {
    std::fprintf(stderr, "gpu_inference: %s\n", obstacle.c_str());
    return 1;
  }
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, 0), "its properties");
  std::printf("%s, %d multiprocessors\n", properties.name, properties.multiProcessorCount);
  constexpr Factorization kAll[] = {Factorization::first, Factorization::sibling, Factorization::grandchild,
                                    Factorization::grandsibling};
  const auto is_left_out = [&](Factorization f) { return !only.empty() && only != name(f); };
  if (tries) {
    for (const Factorization f : kAll) {
      if (!is_left_out(f)) tune(f);
    }
    return 0;
  }
  bool is_right = true;
  for (const Factorization f : kAll) is_right &= is_left_out(f) || check(f);
  std::printf("%-13s %9s %12s %10s %10s %8s %10s %8s %12s %8s %8s\n", "factorization", "sentences",
              "sentences/s", "ms", "GB of parts", "of 4.3", "GB charts", "of 4.3", "T mult-adds", "of 16.7",
              "fine");
  for (const Factorization f : kAll) {
    if (!is_left_out(f)) measure(f, rounds);
  }
  for (const Factorization f : kAll) {
    if (classes && !is_left_out(f)) measure_classes(f, rounds);
  }
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace copse::bench

int main(int count, char** arguments) {
  try {
    return copse::bench::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_inference: %s\n", error.what());
    return 1;
  }
}
