#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "batch/batch_back_end.h"
#include "batch/cuda/chart_tables.h"
#include "cuda/device_weights.h"
#include "cuda/part_kernels.h"
#include "features/sentence_parts.h"
#include "parser_training/network_loss_options.h"

namespace copse::cuda {

// The losses of trees on the GPU, for models with larger parts than arcs: potentials from the scores of arcs
// and the roles of words, exact sums over all trees of the candidates, and the gradients. Which arcs are
// candidates, the host decides (SentenceTreeLoss::run_arcs()).
class DeviceTrees {
 public:
  // A sentence whose gold tree is complete, as a thread of the host prepares it.
  class Tree {
   public:
    // To be filled with the candidates.
    SentenceParts& parts() { return parts_; }
    // Then: looks the parts of the gold tree up. The root has row `first_row` of the roles, and the scores of
    // arcs, [modifier][head], begin at `first_pair`.
    void prepare(std::span<const int> heads, std::size_t first_row, std::size_t first_pair);

   private:
    friend class DeviceTrees;
    SentenceParts parts_;
    ChartTableData tables_;  // unless all arcs are candidates
    std::span<const int> heads_;
    std::array<std::vector<std::int64_t>, kCudaPartKinds> gold_;  // by kind: their places among its parts
    std::int64_t first_row_ = 0;
    std::int64_t first_pair_ = 0;
  };

  static bool supports(Factorization factorization) {
    return factorization != Factorization::first && is_cuda_factorization(factorization);
  }

  // Borrows all.
  DeviceTrees(const NetworkShape& shape, const NetworkBlocks& blocks, const NetworkLossOptions& options,
              Products& products);
  ~DeviceTrees();

  // Adds to the gradients of scores and roles and of the weights of parts, and to the losses that `weights`
  // collects: NaN or minus infinity where a sentence has scores that are no numbers.
  void run(std::span<const Tree* const> trees, const float* scores, DeviceMatrix roles,
           DeviceWeights& weights, float* score_gradient, DeviceMatrix role_gradient);

 private:
  // All arcs of a number of words: the same for every sentence of that length.
  struct FullTree {
    SentenceParts parts;
    DeviceArray<std::byte> memory;
    ChartTables tables{};
  };
  struct KindArrays {
    DeviceArray<double> potentials, coefficients;
    DeviceArray<std::int64_t> gold;
  };

  const FullTree& full_tree(int words);
  void lay_out(std::span<const Tree* const> trees);
  void place_tables(std::span<const Tree* const> trees);
  PartFactorsView factors(PartKind kind, DeviceMatrix roles, float* weights) const;
  template <PartKind kKind>
  void score(DeviceMatrix roles, DeviceWeights& weights);
  template <PartKind kKind>
  void backward(DeviceMatrix roles, DeviceWeights& weights, DeviceMatrix role_gradient);

  const NetworkBlocks* blocks_;
  RoleColumns columns_;
  Factorization factorization_;
  NetworkLossOptions options_;
  Products* products_;
  cudaStream_t stream_;
  std::unique_ptr<BatchBackEnd> back_end_;
  std::map<int, std::unique_ptr<FullTree>> full_;  // by number of words

  Batch batch_;
  std::vector<PartSentence> sentences_host_;
  std::vector<std::byte> tables_host_;
  std::vector<ArcPlace> arcs_host_;
  std::vector<WordPlace> words_host_;
  std::vector<std::int32_t> heads_host_;
  std::array<std::vector<std::int64_t>, kCudaPartKinds> gold_host_;
  std::size_t rows_ = 0;  // of the roles of the batch

  DeviceArray<PartSentence> sentences_;
  DeviceArray<std::byte> tables_;
  DeviceArray<ArcPlace> arcs_;
  DeviceArray<WordPlace> words_;
  DeviceArray<std::int32_t> heads_;  // gold, by word
  std::array<KindArrays, kCudaPartKinds> kinds_;
  DeviceArray<double> log_partitions_;
  DeviceArray<float> by_arc_, of_weights_, of_no_sibling_, of_no_grandparent_;
};

}  // namespace copse::cuda
