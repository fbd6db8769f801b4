#include <algorithm>

#include "cuda/guesses.h"
#include "cuda/launch.h"
#include "cuda/row_kernels.h"

namespace copse::cuda {
namespace {

// Scores of so many hidden words at a time: with 50,000 words to choose from, 800 MB.
constexpr std::size_t kRowsAtATime = 4096;
constexpr float kLeastVariance = 1e-5F;

// A block for each row: bias, rectifier, normalisation.
__global__ void normalise(int columns, const float* bias, const float* gain, const float* shift,
                          float* activated, float* normal, float* guesses, float* deviations) {
  __shared__ float room[32];
  const std::size_t row = blockIdx.x;
  float sum = 0.0F;
  float squares = 0.0F;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    const float y = rectified(activated[row * columns + c] + bias[c]);
    activated[row * columns + c] = y;
    sum += y;
  }
  const float mean = sum_of_block(sum, room) / columns;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    const float d = activated[row * columns + c] - mean;
    squares += d * d;
  }
  const float deviation = rsqrtf(sum_of_block(squares, room) / columns + kLeastVariance);
  if (threadIdx.x == 0) deviations[row] = deviation;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    const float x = (activated[row * columns + c] - mean) * deviation;
    normal[row * columns + c] = x;
    guesses[row * columns + c] = x * gain[c] + shift[c];
  }
}

// The way back; `gradient` is that of the guesses, and becomes that of the affine layer's output.
__global__ void normalise_backward(int columns, const float* gain, const float* activated,
                                   const float* normal, const float* deviations, float* gradient,
                                   float* gain_gradient) {
  __shared__ float room[32];
  const std::size_t row = blockIdx.x;
  float sum = 0.0F;
  float product = 0.0F;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    const float x = normal[row * columns + c];
    const float g = gradient[row * columns + c];
    gain_gradient[row * columns + c] = g * x;
    sum += g * gain[c];
    product += g * gain[c] * x;
  }
  const float mean = sum_of_block(sum, room) / columns;
  const float mean_product = sum_of_block(product, room) / columns;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    const float x = normal[row * columns + c];
    const float g = (gradient[row * columns + c] * gain[c] - mean - x * mean_product) * deviations[row];
    gradient[row * columns + c] = rectified_backward(activated[row * columns + c], g);
  }
}

// A block for each row: scores become the gradient of the loss.
__global__ void softmax_losses(int columns, const float* bias, const std::uint32_t* gold, float* scores,
                               double* losses) {
  __shared__ float room[32];
  const std::size_t row = blockIdx.x;
  float* own = scores + row * columns;
  float highest = -INFINITY;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    const float x = own[c] + bias[c];
    own[c] = x;
    highest = fmaxf(highest, x);
  }
  highest = highest_of_block(highest, room);
  float sum = 0.0F;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    sum += expf(own[c] - highest);
  }
  sum = sum_of_block(sum, room);
  if (threadIdx.x == 0) losses[row] = static_cast<double>(logf(sum)) + highest - own[gold[row]];
  __syncthreads();
  const float factor = 1.0F / sum;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    own[c] = expf(own[c] - highest) * factor - (c == static_cast<int>(gold[row]) ? 1.0F : 0.0F);
  }
}

}  // namespace

void DeviceGuesses::run(DeviceMatrix output, std::span<const std::uint32_t> hidden_rows,
                        std::span<const std::uint32_t> gold, DeviceWeights& all,
                        DeviceMatrix output_gradient) {
  const cudaStream_t stream = products_->stream();
  const NetworkBlocks::Guess& guess = blocks_->guess;
  float* weights = all.weights();
  float* gradients = all.gradient();
  const std::size_t hidden = hidden_rows.size();
  const std::size_t size = shape_->word_size;
  const auto width = static_cast<std::size_t>(output.columns);
  check_cuda(cudaMemset2DAsync(output_gradient.data, output_gradient.stride * sizeof(float), 0,
                               width * sizeof(float), static_cast<std::size_t>(output_gradient.rows), stream),
             "clearing memory");
  if (hidden == 0) return;
  rows_.upload(hidden_rows, stream);
  gold_.upload(gold, stream);
  inputs_.resize(hidden * width);
  for (DeviceArray<float>* array : {&activated_, &normal_, &guesses_, &gradient_, &gain_gradient_}) {
    array->resize(hidden * size);
  }
  deviations_.resize(hidden);
  const DeviceMatrix inputs(inputs_.data(), hidden, width);
  const DeviceMatrix guesses(guesses_.data(), hidden, size);
  const DeviceMatrix gradient(gradient_.data(), hidden, size);
  run_for(hidden * width, stream, GatherRows{output, rows_.data(), inputs_.data()});
  products_->multiply(inputs, in(weights, guess.affine.weights),
                      DeviceMatrix(activated_.data(), hidden, size));
  const int columns = static_cast<int>(size);
  const auto blocks = static_cast<unsigned>(hidden);
  normalise<<<blocks, 128, 0, stream>>>(
      columns, weights + guess.affine.bias.offset, weights + guess.gain.offset, weights + guess.shift.offset,
      activated_.data(), normal_.data(), guesses_.data(), deviations_.data());
  check_cuda(cudaGetLastError(), "normalising");
  const DeviceMatrix words = in(weights, blocks_->word_table);
  double* losses = all.take_losses(hidden);
  for (std::size_t begin = 0; begin < hidden; begin += kRowsAtATime) {
    const std::size_t count = std::min(kRowsAtATime, hidden - begin);
    scores_.resize(count * shape_->words);
    const DeviceMatrix scores(scores_.data(), count, shape_->words);
    products_->multiply_transposed(guesses.in_rows(begin, count), words, scores);
    softmax_losses<<<static_cast<unsigned>(count), 512, 0, stream>>>(
        static_cast<int>(shape_->words), weights + guess.word_bias.offset, gold_.data() + begin,
        scores_.data(), losses + begin);
    check_cuda(cudaGetLastError(), "choosing words");
    products_->multiply_by_transposed(scores, guesses.in_rows(begin, count),
                                      in(gradients, blocks_->word_table), Into::add);
    products_->add_rows_to(scores, gradients + guess.word_bias.offset);
    products_->multiply(scores, words, gradient.in_rows(begin, count));
  }
  products_->add_rows_to(gradient, gradients + guess.shift.offset);
  normalise_backward<<<blocks, 128, 0, stream>>>(columns, weights + guess.gain.offset, activated_.data(),
                                                 normal_.data(), deviations_.data(), gradient_.data(),
                                                 gain_gradient_.data());
  check_cuda(cudaGetLastError(), "normalising");
  products_->add_rows_to(DeviceMatrix(gain_gradient_.data(), hidden, size), gradients + guess.gain.offset);
  products_->multiply_by_transposed(inputs, gradient, in(gradients, guess.affine.weights), Into::add);
  products_->add_rows_to(gradient, gradients + guess.affine.bias.offset);
  products_->multiply_transposed(gradient, in(weights, guess.affine.weights), inputs);
  run_for(hidden * width, stream, AddToGatheredRows{inputs_.data(), rows_.data(), output_gradient});
}

}  // namespace copse::cuda
