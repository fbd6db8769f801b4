#include <algorithm>

#include "cuda/heads.h"
#include "cuda/launch.h"
#include "cuda/row_kernels.h"

namespace copse::cuda {
namespace {

// Numbers that products of labels may take at a time.
constexpr std::size_t kLabelNumbers = std::size_t{1} << 27;

// A block for each modifier, a warp for each head.
__global__ void score_pairs(SequencesView sequences, DeviceMatrix products, DeviceMatrix heads,
                            const std::int64_t* pair_begins, float* scores) {
  const int row = static_cast<int>(blockIdx.x);
  const int sequence = sequences.sequence_of_row[row];
  const int begin = sequences.begins[sequence];
  const int length = sequences.begins[sequence + 1] - begin;
  const float* product = products.data + static_cast<std::size_t>(row) * products.stride;
  float* to = scores + pair_begins[sequence] + static_cast<std::int64_t>(row - begin) * length;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int head = static_cast<int>(threadIdx.x) / 32; head < length;
       head += static_cast<int>(blockDim.x) / 32) {
    const float* other = heads.data + static_cast<std::size_t>(begin + head) * heads.stride;
    float sum = 0.0F;
    for (int c = lane; c < heads.columns; c += 32) sum += product[c] * other[c];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xFFFFFFFFU, sum, offset);
    if (lane == 0) to[head] = sum;
  }
}

// A block for each word: the gradients of its product as a modifier, and of its role as a head.
__global__ void pairs_backward(SequencesView sequences, DeviceMatrix products, DeviceMatrix heads,
                               const std::int64_t* pair_begins, const float* score_gradient,
                               DeviceMatrix product_gradient, DeviceMatrix head_gradient) {
  const int row = static_cast<int>(blockIdx.x);
  const int sequence = sequences.sequence_of_row[row];
  const int begin = sequences.begins[sequence];
  const int length = sequences.begins[sequence + 1] - begin;
  const float* of_sentence = score_gradient + pair_begins[sequence];
  const int word = row - begin;
  for (int c = static_cast<int>(threadIdx.x); c < heads.columns; c += static_cast<int>(blockDim.x)) {
    float as_modifier = 0.0F;
    float as_head = 0.0F;
    for (int other = 0; other < length; ++other) {
      const std::size_t at = static_cast<std::size_t>(begin + other);
      as_modifier +=
          of_sentence[static_cast<std::int64_t>(word) * length + other] * heads.data[at * heads.stride + c];
      as_head += of_sentence[static_cast<std::int64_t>(other) * length + word] *
                 products.data[at * products.stride + c];
    }
    product_gradient.data[static_cast<std::size_t>(row) * product_gradient.stride + c] = as_modifier;
    head_gradient.data[static_cast<std::size_t>(row) * head_gradient.stride + c] += as_head;
  }
}

// A block for each arc: see LabelBiaffine::loss().
__global__ void label_loss_kernel(int labels, int size, DeviceMatrix heads, const std::uint32_t* head_rows,
                                  const std::uint32_t* gold, float weight, float* all_products,
                                  float* head_gradient, double* losses) {
  extern __shared__ float scores[];
  __shared__ float room[32];
  const std::size_t arc = blockIdx.x;
  float* products = all_products + arc * labels * (size + 1);
  const float* head = heads.data + static_cast<std::size_t>(head_rows[arc]) * heads.stride;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int label = static_cast<int>(threadIdx.x) / 32; label < labels;
       label += static_cast<int>(blockDim.x) / 32) {
    const float* product = products + label * (size + 1);
    float sum = 0.0F;
    for (int c = lane; c < size; c += 32) sum += product[c] * head[c];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xFFFFFFFFU, sum, offset);
    if (lane == 0) scores[label] = sum + product[size];
  }
  __syncthreads();
  float highest = -INFINITY;
  for (int label = static_cast<int>(threadIdx.x); label < labels; label += static_cast<int>(blockDim.x)) {
    highest = fmaxf(highest, scores[label]);
  }
  highest = highest_of_block(highest, room);
  float sum = 0.0F;
  for (int label = static_cast<int>(threadIdx.x); label < labels; label += static_cast<int>(blockDim.x)) {
    sum += expf(scores[label] - highest);
  }
  sum = sum_of_block(sum, room);
  const int right = static_cast<int>(gold[arc]);
  if (threadIdx.x == 0)
    losses[arc] = static_cast<double>(weight) * (static_cast<double>(logf(sum)) + highest - scores[right]);
  __syncthreads();
  for (int label = static_cast<int>(threadIdx.x); label < labels; label += static_cast<int>(blockDim.x)) {
    scores[label] = weight * (expf(scores[label] - highest) / sum - (label == right ? 1.0F : 0.0F));
  }
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < size; c += static_cast<int>(blockDim.x)) {
    float of_head = 0.0F;
    for (int label = 0; label < labels; ++label) {
      float* product = products + label * (size + 1) + c;
      of_head += scores[label] * *product;
      *product = scores[label] * head[c];  // the products make room for their own gradient
    }
    head_gradient[arc * size + c] = of_head;
  }
  for (int label = static_cast<int>(threadIdx.x); label < labels; label += static_cast<int>(blockDim.x)) {
    products[label * (size + 1) + size] = scores[label];
  }
}

// A block for each word: what its arcs as a head have, in their order.
__global__ void add_up_heads(const std::int32_t* begins, const std::int32_t* arcs, const float* of_arcs,
                             DeviceMatrix gradient) {
  const int row = static_cast<int>(blockIdx.x);
  for (int c = static_cast<int>(threadIdx.x); c < gradient.columns; c += static_cast<int>(blockDim.x)) {
    float sum = 0.0F;
    for (int k = begins[row]; k < begins[row + 1]; ++k) {
      sum += of_arcs[static_cast<std::size_t>(arcs[k]) * gradient.columns + c];
    }
    gradient.data[static_cast<std::size_t>(row) * gradient.stride + c] += sum;
  }
}

// A block for each word and column of tags.
__global__ void tag_loss_kernel(const TagPlace* gold, float weight, DeviceMatrix scores, float* gradient,
                                double* losses) {
  __shared__ float room[32];
  const TagPlace place = gold[blockIdx.x];
  const std::size_t offset = static_cast<std::size_t>(place.row) * scores.columns + place.begin;
  const float* own = scores.data + offset;
  float* to = gradient + offset;
  float highest = -INFINITY;
  for (unsigned c = threadIdx.x; c < place.size; c += blockDim.x) highest = fmaxf(highest, own[c]);
  highest = highest_of_block(highest, room);
  float sum = 0.0F;
  for (unsigned c = threadIdx.x; c < place.size; c += blockDim.x) sum += expf(own[c] - highest);
  sum = sum_of_block(sum, room);
  if (threadIdx.x == 0) {
    losses[blockIdx.x] =
        static_cast<double>(weight) * (static_cast<double>(logf(sum)) + highest - own[place.value]);
  }
  for (unsigned c = threadIdx.x; c < place.size; c += blockDim.x) {
    to[c] = weight * (expf(own[c] - highest) / sum - (c == place.value ? 1.0F : 0.0F));
  }
}

}  // namespace

DeviceHeads::DeviceHeads(const NetworkShape& shape, const NetworkBlocks& blocks, Products& products)
    : shape_(&shape), blocks_(&blocks), columns_(shape), products_(&products), stream_(products.stream()) {}

const DeviceArray<float>& DeviceHeads::score_arcs(DeviceMatrix roles, const DeviceSequences& sequences,
                                                  float* weights) {
  roles_ = roles;
  const Sequences& host = sequences.host();
  pair_begins_host_.clear();
  std::int64_t pairs = 0;
  for (std::size_t s = 0; s < host.count(); ++s) {
    pair_begins_host_.push_back(pairs);
    pairs += static_cast<std::int64_t>(host.length(s) * host.length(s));
  }
  pair_begins_.upload(pair_begins_host_, stream_);
  scores_.resize(static_cast<std::size_t>(pairs));
  const std::size_t size = shape_->arc_size;
  arc_products_.resize(rows() * size);
  const DeviceMatrix products(arc_products_.data(), rows(), size);
  products_->multiply(roles_.in_columns(columns_.arc_modifier), in(weights, blocks_->arcs).in_rows(0, size),
                      products);
  run_for(arc_products_.size(), stream_, AddToRows{products, weights + blocks_->arcs.offset + size * size});
  score_pairs<<<static_cast<unsigned>(rows()), 128, 0, stream_>>>(
      sequences.view(), products, roles_.in_columns(columns_.arc_head), pair_begins_.data(), scores_.data());
  check_cuda(cudaGetLastError(), "scoring arcs");
  return scores_;
}

void DeviceHeads::begin_backward() {
  role_gradient_.resize(rows() * columns_.size);
  role_gradient_.clear_values(stream_);
}

void DeviceHeads::add_label_losses(std::span<const RowArc> arcs, std::span<const std::uint32_t> gold,
                                   float weight, DeviceWeights& all) {
  if (arcs.empty()) return;
  std::vector<std::uint32_t> heads;
  std::vector<std::uint32_t> modifiers;
  for (const RowArc& arc : arcs) {
    heads.push_back(static_cast<std::uint32_t>(arc.head));
    modifiers.push_back(static_cast<std::uint32_t>(arc.modifier));
  }
  std::vector<std::int32_t> begins(rows() + 1, 0);
  for (const std::uint32_t head : heads) ++begins[head + 1];
  for (std::size_t row = 0; row < rows(); ++row) begins[row + 1] += begins[row];
  std::vector<std::int32_t> order(arcs.size());
  std::vector<std::int32_t> next(begins.begin(), begins.end() - 1);
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    order[static_cast<std::size_t>(next[heads[k]]++)] = static_cast<std::int32_t>(k);
  }
  label_heads_.upload(heads, stream_);
  label_modifiers_.upload(modifiers, stream_);
  label_gold_.upload(gold, stream_);
  arcs_of_head_.upload(order, stream_);
  arcs_of_head_begins_.upload(begins, stream_);

  const std::size_t size = shape_->label_size;
  const std::size_t width = blocks_->labels.columns;
  const DeviceMatrix weights = in(all.weights(), blocks_->labels).in_rows(0, size);
  float* bias = all.weights() + blocks_->labels.offset + size * width;
  const DeviceMatrix weight_gradient = in(all.gradient(), blocks_->labels).in_rows(0, size);
  float* bias_gradient = all.gradient() + blocks_->labels.offset + size * width;
  const std::size_t step = std::clamp<std::size_t>(kLabelNumbers / width, 8, arcs.size() + 8);
  label_head_gradient_.resize(arcs.size() * size);
  double* losses = all.take_losses(arcs.size());
  for (std::size_t begin = 0; begin < arcs.size(); begin += step) {
    const std::size_t count = std::min(step, arcs.size() - begin);
    label_modifier_rows_.resize(count * size);
    label_products_.resize(count * width);
    const DeviceMatrix modifier_rows(label_modifier_rows_.data(), count, size);
    const DeviceMatrix products(label_products_.data(), count, width);
    run_for(count * size, stream_,
            GatherRows{roles_.in_columns(columns_.label_modifier), label_modifiers_.data() + begin,
                       label_modifier_rows_.data()});
    products_->multiply(modifier_rows, weights, products);
    run_for(count * width, stream_, AddToRows{products, bias});
    label_loss_kernel<<<static_cast<unsigned>(count), 128, shape_->labels * sizeof(float), stream_>>>(
        static_cast<int>(shape_->labels), static_cast<int>(size), roles_.in_columns(columns_.label_head),
        label_heads_.data() + begin, label_gold_.data() + begin, weight, label_products_.data(),
        label_head_gradient_.data() + begin * size, losses + begin);
    check_cuda(cudaGetLastError(), "labels");
    products_->multiply_by_transposed(modifier_rows, products, weight_gradient, Into::add);
    products_->add_rows_to(products, bias_gradient);
    products_->multiply_transposed(products, weights, modifier_rows);
    run_for(count * size, stream_,
            AddToGatheredRows{label_modifier_rows_.data(), label_modifiers_.data() + begin,
                              role_gradient().in_columns(columns_.label_modifier)});
  }
  add_up_heads<<<static_cast<unsigned>(rows()), 64, 0, stream_>>>(
      arcs_of_head_begins_.data(), arcs_of_head_.data(), label_head_gradient_.data(),
      role_gradient().in_columns(columns_.label_head));
  check_cuda(cudaGetLastError(), "labels");
}

void DeviceHeads::add_tag_losses(std::span<const TagClassifier::Gold> gold, float weight,
                                 DeviceWeights& all) {
  if (gold.empty()) return;
  tag_gold_host_.clear();
  for (const TagClassifier::Gold& word : gold) {
    tag_gold_host_.push_back(
        {static_cast<std::uint32_t>(word.row), static_cast<std::uint32_t>(word.column.begin),
         static_cast<std::uint32_t>(word.column.size), static_cast<std::uint32_t>(word.value)});
  }
  tag_gold_.upload(tag_gold_host_, stream_);
  const std::size_t values = blocks_->tags.weights.columns;
  tag_scores_.resize(rows() * values);
  tag_gradient_.resize(rows() * values);
  tag_gradient_.clear_values(stream_);
  const DeviceMatrix scores(tag_scores_.data(), rows(), values);
  const DeviceMatrix gradient(tag_gradient_.data(), rows(), values);
  const DeviceMatrix roles = roles_.in_columns(columns_.tags);
  products_->multiply(roles, in(all.weights(), blocks_->tags.weights), scores);
  run_for(tag_scores_.size(), stream_, AddToRows{scores, all.weights() + blocks_->tags.bias.offset});
  tag_loss_kernel<<<static_cast<unsigned>(gold.size()), 64, 0, stream_>>>(
      tag_gold_.data(), weight, scores, tag_gradient_.data(), all.take_losses(gold.size()));
  check_cuda(cudaGetLastError(), "tags");
  products_->multiply_by_transposed(roles, gradient, in(all.gradient(), blocks_->tags.weights), Into::add);
  products_->add_rows_to(gradient, all.gradient() + blocks_->tags.bias.offset);
  products_->multiply_transposed(gradient, in(all.weights(), blocks_->tags.weights),
                                 role_gradient().in_columns(columns_.tags), Into::add);
}

void DeviceHeads::arcs_backward(const DeviceSequences& sequences, const DeviceArray<float>& score_gradient,
                                DeviceWeights& all) {
  const std::size_t size = shape_->arc_size;
  arc_product_gradient_.resize(rows() * size);
  const DeviceMatrix products(arc_products_.data(), rows(), size);
  const DeviceMatrix gradient(arc_product_gradient_.data(), rows(), size);
  pairs_backward<<<static_cast<unsigned>(rows()), 128, 0, stream_>>>(
      sequences.view(), products, roles_.in_columns(columns_.arc_head), pair_begins_.data(),
      score_gradient.data(), gradient, role_gradient().in_columns(columns_.arc_head));
  check_cuda(cudaGetLastError(), "the gradient of arcs");
  products_->multiply_transposed(gradient, in(all.weights(), blocks_->arcs).in_rows(0, size),
                                 role_gradient().in_columns(columns_.arc_modifier), Into::add);
  products_->multiply_by_transposed(roles_.in_columns(columns_.arc_modifier), gradient,
                                    in(all.gradient(), blocks_->arcs).in_rows(0, size), Into::add);
  products_->add_rows_to(gradient, all.gradient() + blocks_->arcs.offset + size * size);
}

}  // namespace copse::cuda
