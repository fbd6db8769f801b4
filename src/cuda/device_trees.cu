#include "cuda/device_trees.h"

#include <algorithm>
#include <numeric>

#include "batch/cuda/cuda_back_end.h"
#include "batch/cuda/cuda_group.h"
#include "cuda/launch.h"
#include "inference/tree_parts.h"

namespace copse::cuda {
namespace {

using Warps = CudaGroup<32>;

template <class Place>
struct Places {
  const PartSentence* sentences;
  const Place* places;
};

template <PartKind kKind>
__global__ void score_kernel(Places<ArcPlace> arcs, PartFactorsView factors, double* potentials) {
  extern __shared__ float product[];
  const ArcPlace place = arcs.places[blockIdx.x];
  score_parts<kKind>(Warps(), arcs.sentences[place.sentence], factors, place.arc, product, potentials);
}

template <PartKind kKind>
__global__ void arc_kernel(Places<ArcPlace> arcs, PartFactorsView factors, const double* coefficients,
                           PartGradientsView gradients) {
  const ArcPlace place = arcs.places[blockIdx.x];
  arc_backward<kKind>(Warps(), arcs.sentences[place.sentence], factors, place.arc, coefficients, gradients);
}

template <PartKind kKind>
__global__ void word_kernel(Places<WordPlace> words, PartFactorsView factors, const double* coefficients,
                            PartGradientsView gradients) {
  extern __shared__ float room[];
  const auto role = static_cast<PartRole>(blockIdx.y);
  if (!has_role(kKind, role)) return;
  const WordPlace place = words.places[blockIdx.x];
  word_backward<kKind>(Warps(), words.sentences[place.sentence], factors, place.word, role, coefficients,
                       gradients, room);
}

// Potentials of arcs: their scores, with a margin for those that are wrong.
struct ArcPotentials {
  Places<ArcPlace> arcs;
  const float* scores;
  const std::int32_t* gold_heads;
  double margin;
  double* potentials;
  __device__ void operator()(std::size_t k) const {
    const ArcPlace place = arcs.places[k];
    const PartSentence& sentence = arcs.sentences[place.sentence];
    const int head = sentence.tables.heads[place.arc];
    const int modifier = sentence.tables.entries[place.arc].modifier;
    const std::int64_t pair =
        sentence.first_pair + static_cast<std::int64_t>(modifier) * (sentence.tables.words + 1) + head;
    const bool is_gold = gold_heads[sentence.first_row + modifier] == head;
    potentials[k] = static_cast<double>(scores[pair]) + (is_gold ? 0.0 : margin);
  }
};

// Every arc of a sentence is there once.
struct AddArcGradients {
  Places<ArcPlace> arcs;
  const double* coefficients;
  float* score_gradient;
  __device__ void operator()(std::size_t k) const {
    const ArcPlace place = arcs.places[k];
    const PartSentence& sentence = arcs.sentences[place.sentence];
    const std::int64_t modifier = sentence.tables.entries[place.arc].modifier;
    score_gradient[sentence.first_pair + modifier * (sentence.tables.words + 1) +
                   sentence.tables.heads[place.arc]] += static_cast<float>(coefficients[k]);
  }
};

// A tree has a part once.
struct TakeGoldParts {
  const std::int64_t* places;
  const double* potentials;
  double* coefficients;
  double* losses;
  __device__ void operator()(std::size_t k) const {
    losses[k] = -potentials[places[k]];
    coefficients[places[k]] -= 1.0;
  }
};

struct CopyNumbers {
  const double* from;
  double* to;
  __device__ void operator()(std::size_t k) const { to[k] = from[k]; }
};

// Calls f.operator()<kind>() for the larger kinds of parts that a factorization has.
template <class F>
void for_larger_kinds(Factorization factorization, F&& f) {
  if (contains(factorization, PartKind::sibling)) f.template operator()<PartKind::sibling>();
  if (contains(factorization, PartKind::grandchild)) f.template operator()<PartKind::grandchild>();
  if (contains(factorization, PartKind::grandsibling)) f.template operator()<PartKind::grandsibling>();
}

}  // namespace

void DeviceTrees::Tree::prepare(std::span<const int> heads, std::size_t first_row, std::size_t first_pair) {
  heads_ = heads;
  first_row_ = static_cast<std::int64_t>(first_row);
  first_pair_ = static_cast<std::int64_t>(first_pair);
  const PartIndex& parts = parts_.parts();
  for (std::vector<std::int64_t>& places : gold_) places.clear();
  for_each_part_of_tree(heads, parts.factorization(), [&](PartKind kind, const PartWords& words) {
    gold_[static_cast<std::size_t>(kind)].push_back(parts.find(kind, words));
  });
  if (!parts.arcs().is_full() && !tables_.assign(parts)) {
    throw DataError("a sentence of " + std::to_string(parts.words()) +
                    " words is too long to learn from on a GPU");
  }
}

DeviceTrees::DeviceTrees(const NetworkShape& shape, const NetworkBlocks& blocks,
                         const NetworkLossOptions& options, Products& products)
    : blocks_(&blocks),
      columns_(shape),
      factorization_(shape.factorization),
      options_(options),
      products_(&products),
      stream_(products.stream()),
      back_end_(make_cuda_back_end({.device = Device::cuda, .threads = 1})) {
  batch_.factorization = factorization_;
  batch_.trees = options.trees;
}

DeviceTrees::~DeviceTrees() = default;

const DeviceTrees::FullTree& DeviceTrees::full_tree(int words) {
  std::unique_ptr<FullTree>& found = full_[words];
  if (found) return *found;
  auto made = std::make_unique<FullTree>();
  made->parts.assign(words, {}, factorization_);
  ChartTableData data;
  if (!data.assign(made->parts.parts())) {
    throw DataError("a sentence of " + std::to_string(words) + " words is too long to learn from all arcs");
  }
  made->memory.upload(data.bytes(), stream_);
  check_cuda(cudaStreamSynchronize(stream_), "copying tables");  // `data` ends here
  made->tables = data.at(made->memory.data());
  found = std::move(made);
  return *found;
}

void DeviceTrees::lay_out(std::span<const Tree* const> trees) {
  ++batch_.number;
  batch_.sentences.clear();
  batch_.longest_first.resize(trees.size());
  std::iota(batch_.longest_first.begin(), batch_.longest_first.end(), 0);
  std::stable_sort(batch_.longest_first.begin(), batch_.longest_first.end(), [&](int a, int b) {
    return trees[static_cast<std::size_t>(a)]->heads_.size() >
           trees[static_cast<std::size_t>(b)]->heads_.size();
  });
  for (auto& begins : batch_.begins) begins.assign(1, 0);
  batch_.heads_begins.assign(1, 0);
  for (auto& gold : gold_host_) gold.clear();
  sentences_host_.clear();
  arcs_host_.clear();
  words_host_.clear();
  heads_host_.assign(rows_, -1);
  for (const Tree* tree : trees) {
    const bool is_full = tree->parts_.arcs().is_full();
    const int words = tree->parts_.parts().words();
    const PartIndex& parts = is_full ? full_tree(words).parts.parts() : tree->parts_.parts();
    const auto number = static_cast<std::int32_t>(sentences_host_.size());
    PartSentence& sentence = sentences_host_.emplace_back();
    sentence.first_row = tree->first_row_;
    sentence.first_pair = tree->first_pair_;
    sentence.first_arc = static_cast<std::int64_t>(arcs_host_.size());
    for (std::size_t kind = 0; kind < kPartKinds; ++kind) {
      std::vector<PartIndex::Position>& begins = batch_.begins[kind];
      if (kind < kCudaPartKinds) {
        sentence.begins[kind] = begins.back();
        for (const std::int64_t place : tree->gold_[kind]) gold_host_[kind].push_back(begins.back() + place);
      }
      begins.push_back(begins.back() + parts.count(static_cast<PartKind>(kind)));
    }
    batch_.heads_begins.push_back(batch_.heads_begins.back() + words + 1);
    batch_.sentences.push_back({&parts, is_full});
    for (int arc = 0; arc < parts.arcs().size(); ++arc) arcs_host_.push_back({number, arc});
    for (int word = 0; word <= words; ++word) words_host_.push_back({number, word});
    std::copy(tree->heads_.begin(), tree->heads_.end(), heads_host_.begin() + tree->first_row_);
  }
  place_tables(trees);
}

void DeviceTrees::place_tables(std::span<const Tree* const> trees) {
  tables_host_.clear();
  for (const Tree* tree : trees) {
    if (tree->parts_.arcs().is_full()) continue;
    const std::vector<std::byte>& bytes = tree->tables_.bytes();
    tables_host_.insert(tables_host_.end(), bytes.begin(), bytes.end());
  }
  tables_.upload(tables_host_, stream_);
  std::size_t place = 0;
  for (std::size_t k = 0; k < trees.size(); ++k) {
    const Tree& tree = *trees[k];
    if (tree.parts_.arcs().is_full()) {
      sentences_host_[k].tables = full_tree(tree.parts_.parts().words()).tables;
      continue;
    }
    sentences_host_[k].tables = tree.tables_.at(tables_.data() + place);
    place += tree.tables_.bytes().size();
  }
  sentences_.upload(sentences_host_, stream_);
  arcs_.upload(arcs_host_, stream_);
  words_.upload(words_host_, stream_);
  heads_.upload(heads_host_, stream_);
}

PartFactorsView DeviceTrees::factors(PartKind kind, DeviceMatrix roles, float* weights) const {
  const RoleColumns::Part& columns = columns_.part(kind);
  const NetworkBlocks::Part& blocks = blocks_->part(kind);
  const auto role = [&](const Columns& range) {
    return range.size == 0 ? nullptr : roles.data + range.begin;
  };
  return {.rank = static_cast<int>(blocks.weights.size()),
          .stride = roles.stride,
          .grandparents = role(columns.grandparent),
          .heads = role(columns.head),
          .siblings = role(columns.sibling),
          .modifiers = role(columns.modifier),
          .no_grandparent = weights + blocks.no_grandparent.offset,
          .no_sibling = weights + blocks.no_sibling.offset,
          .weights = weights + blocks.weights.offset};
}

template <PartKind kKind>
void DeviceTrees::score(DeviceMatrix roles, DeviceWeights& weights) {
  const PartFactorsView view = factors(kKind, roles, weights.weights());
  KindArrays& arrays = kinds_[static_cast<std::size_t>(kKind)];
  score_kernel<kKind>
      <<<static_cast<unsigned>(arcs_host_.size()), 128, static_cast<std::size_t>(view.rank) * sizeof(float),
         stream_>>>(Places<ArcPlace>{sentences_.data(), arcs_.data()}, view, arrays.potentials.data());
  check_cuda(cudaGetLastError(), "scores of parts");
}

template <PartKind kKind>
void DeviceTrees::backward(DeviceMatrix roles, DeviceWeights& weights, DeviceMatrix role_gradient) {
  const PartFactorsView view = factors(kKind, roles, weights.weights());
  const auto rank = static_cast<std::size_t>(view.rank);
  const RoleColumns::Part& columns = columns_.part(kKind);
  const NetworkBlocks::Part& blocks = blocks_->part(kKind);
  const std::size_t arcs = arcs_host_.size();
  by_arc_.resize(arcs * rank);
  of_weights_.resize(arcs * rank);
  of_no_sibling_.resize(arcs * rank);
  of_no_grandparent_.resize(rows_ * rank);
  of_no_grandparent_.clear_values(stream_);
  const auto role = [&](const Columns& range) {
    return range.size == 0 ? nullptr : role_gradient.data + range.begin;
  };
  const PartGradientsView gradients{.stride = role_gradient.stride,
                                    .grandparents = role(columns.grandparent),
                                    .heads = role(columns.head),
                                    .siblings = role(columns.sibling),
                                    .modifiers = role(columns.modifier),
                                    .by_arc = by_arc_.data(),
                                    .weights = of_weights_.data(),
                                    .no_sibling = of_no_sibling_.data(),
                                    .no_grandparent = of_no_grandparent_.data()};
  const double* coefficients = kinds_[static_cast<std::size_t>(kKind)].coefficients.data();
  arc_kernel<kKind>
      <<<static_cast<unsigned>(arcs), static_cast<unsigned>((rank + 31) / 32 * 32), 0, stream_>>>(
          Places<ArcPlace>{sentences_.data(), arcs_.data()}, view, coefficients, gradients);
  check_cuda(cudaGetLastError(), "the gradient of parts");
  const std::size_t threads = rank * std::max<std::size_t>(256 / rank, 1);
  word_kernel<kKind><<<dim3(static_cast<unsigned>(words_host_.size()), kPartRoles),
                       static_cast<unsigned>(threads), threads * sizeof(float), stream_>>>(
      Places<WordPlace>{sentences_.data(), words_.data()}, view, coefficients, gradients);
  check_cuda(cudaGetLastError(), "the gradient of parts");
  const auto add_up = [&](DeviceArray<float>& rows, const Block& block) {
    products_->add_rows_to({rows.data(), rows.size() / rank, rank}, weights.gradient() + block.offset);
  };
  add_up(of_weights_, blocks.weights);
  if constexpr (has_sibling(kKind)) add_up(of_no_sibling_, blocks.no_sibling);
  if constexpr (has_grandparent(kKind)) add_up(of_no_grandparent_, blocks.no_grandparent);
}

void DeviceTrees::run(std::span<const Tree* const> trees, const float* scores, DeviceMatrix roles,
                      DeviceWeights& weights, float* score_gradient, DeviceMatrix role_gradient) {
  if (trees.empty()) return;
  rows_ = static_cast<std::size_t>(roles.rows);
  lay_out(trees);
  PartArrays<const double> potentials;
  BatchAnswers<double> answers;
  for (const PartKind kind : part_kinds(factorization_)) {
    KindArrays& arrays = kinds_[static_cast<std::size_t>(kind)];
    const auto count = static_cast<std::size_t>(batch_.begins[static_cast<std::size_t>(kind)].back());
    arrays.potentials.resize(count);
    arrays.coefficients.resize(count);
    arrays.gold.upload(gold_host_[static_cast<std::size_t>(kind)], stream_);
    potentials[kind] = arrays.potentials.data();
    answers.marginals[kind] = arrays.coefficients.data();
  }
  log_partitions_.resize(trees.size());
  answers.log_partition = log_partitions_.data();

  const Places<ArcPlace> arcs{sentences_.data(), arcs_.data()};
  KindArrays& of_arcs = kinds_[static_cast<std::size_t>(PartKind::arc)];
  run_for(arcs_host_.size(), stream_,
          ArcPotentials{arcs, scores, heads_.data(), options_.margin, of_arcs.potentials.data()});
  for_larger_kinds(factorization_, [&]<PartKind kKind>() { score<kKind>(roles, weights); });
  back_end_->compute(batch_, potentials, answers, stream_);

  // Marginals become expected minus gold parts.
  run_for(trees.size(), stream_, CopyNumbers{log_partitions_.data(), weights.take_losses(trees.size())});
  for (const PartKind kind : part_kinds(factorization_)) {
    KindArrays& arrays = kinds_[static_cast<std::size_t>(kind)];
    run_for(arrays.gold.size(), stream_,
            TakeGoldParts{arrays.gold.data(), arrays.potentials.data(), arrays.coefficients.data(),
                          weights.take_losses(arrays.gold.size())});
  }
  run_for(arcs_host_.size(), stream_, AddArcGradients{arcs, of_arcs.coefficients.data(), score_gradient});
  for_larger_kinds(factorization_, [&]<PartKind kKind>() { backward<kKind>(roles, weights, role_gradient); });
}

}  // namespace copse::cuda
