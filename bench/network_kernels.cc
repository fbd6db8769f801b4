// The arithmetic of networks: products in float and in 8 bits, steps of LSTMs, potentials of low rank. Each
// benchmark checks its answers against the definition before it is timed.
//   network_kernels [--benchmark_filter=...]
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "copse/inference/part_index.h"
#include "inference/tree_parts.h"
#include "network/adam_kernels.h"
#include "network/lstm_kernels.h"
#include "network/matrix_product.h"
#include "network/part_products.h"
#include "network/quantised_matrix.h"
#include "network/training_matrix.h"

namespace copse {
namespace {

using Numbers = std::vector<float>;

Numbers random_numbers(std::size_t size, float deviation = 1.0F) {
  std::mt19937_64 random(size);
  std::normal_distribution<float> distribution(0.0F, deviation);
  Numbers numbers(size);
  for (float& number : numbers) number = distribution(random);
  return numbers;
}

// Stops the benchmark unless the numbers agree.
bool agree(benchmark::State& state, double found, double expected, double tolerance) {
  if (std::abs(found - expected) <= tolerance) return true;
  state.SkipWithError("wrong answer");
  return false;
}

void count(benchmark::State& state, const char* name, double each) {
  state.counters[name] =
      benchmark::Counter(each * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// Rows × columns × inputs.
struct Product {
  std::size_t rows, outputs, inputs;
  Numbers weights, activations, bias, result;

  explicit Product(const benchmark::State& state)
      : rows(static_cast<std::size_t>(state.range(0))),
        outputs(static_cast<std::size_t>(state.range(1))),
        inputs(static_cast<std::size_t>(state.range(2))),
        weights(random_numbers(inputs * outputs, 0.1F)),
        activations(random_numbers(rows * inputs)),
        bias(outputs, 0.0F),
        result(rows * outputs) {
    for (float& x : activations) x = std::tanh(x);
  }
  // The largest error in a row and column, here and there.
  bool is_right(benchmark::State& state, double tolerance) const {
    for (std::size_t r = 0; r < rows; r += 7) {
      for (std::size_t c = 0; c < outputs; c += 31) {
        double sum = 0.0;
        for (std::size_t k = 0; k < inputs; ++k) {
          sum += static_cast<double>(activations[r * inputs + k]) * weights[k * outputs + c];
        }
        if (!agree(state, result[r * outputs + c], sum, tolerance)) return false;
      }
    }
    return true;
  }
  double multiply_adds() const { return static_cast<double>(rows * outputs * inputs); }
};

void float_product(benchmark::State& state) {
  Product product(state);
  const auto run = [&] {
    multiply(ConstMatrix(product.activations.data(), product.rows, product.inputs),
             ConstMatrix(product.weights.data(), product.inputs, product.outputs),
             Matrix(product.result.data(), product.rows, product.outputs));
    benchmark::ClobberMemory();
  };
  run();
  if (!product.is_right(state, 1e-4)) return;
  for (auto _ : state) run();
  count(state, "multiply_adds", product.multiply_adds());
}

void bfloat16_product(benchmark::State& state) {
  if (!has_bfloat16()) return state.SkipWithError("no bfloat16 on this processor");
  Product product(state);
  PackedMatrix matrix;
  matrix.assign({product.weights.data(), product.inputs, product.outputs}, Precision::bfloat16);
  const auto run = [&] {
    multiply(ConstMatrix(product.activations.data(), product.rows, product.inputs), matrix,
             Matrix(product.result.data(), product.rows, product.outputs));
    benchmark::ClobberMemory();
  };
  run();
  // Six times the error that rounding makes on the average, 8 bits of two factors.
  const double size = 0.1 * 0.63 * std::sqrt(static_cast<double>(product.inputs));
  if (!product.is_right(state, 6 * 0x1p-8 * size)) return;
  for (auto _ : state) run();
  count(state, "multiply_adds", product.multiply_adds());
}

// The gradient of weights: of the same size as the product, in float (0) and bfloat16 (1).
void weight_gradient(benchmark::State& state) {
  const Precision precision = state.range(3) == 0 ? Precision::float32 : Precision::bfloat16;
  if (precision == Precision::bfloat16 && !has_bfloat16()) {
    return state.SkipWithError("no bfloat16 on this processor");
  }
  Product product(state);
  const Numbers gradient = random_numbers(product.rows * product.outputs);
  Numbers result(product.inputs * product.outputs, 0.0F);
  const auto run = [&] {
    multiply_by_transposed(ConstMatrix(product.activations.data(), product.rows, product.inputs),
                           ConstMatrix(gradient.data(), product.rows, product.outputs),
                           Matrix(result.data(), product.inputs, product.outputs), Into::add, precision);
    benchmark::ClobberMemory();
  };
  run();
  for (std::size_t k = 0; k < result.size(); k += 4099) {
    double sum = 0.0;
    for (std::size_t row = 0; row < product.rows; ++row) {
      sum += static_cast<double>(product.activations[row * product.inputs + k / product.outputs]) *
             gradient[row * product.outputs + k % product.outputs];
    }
    if (!agree(state, result[k], sum, 6 * 0x1p-8 * std::sqrt(static_cast<double>(product.rows)))) return;
  }
  for (auto _ : state) run();
  count(state, "multiply_adds", product.multiply_adds());
}

// Of weights and their transposed, as before each step of the learner.
void pack_weights(benchmark::State& state) {
  if (!has_bfloat16()) return state.SkipWithError("no bfloat16 on this processor");
  const std::size_t inputs = 768;
  const std::size_t outputs = 3072;
  const Numbers weights = random_numbers(inputs * outputs);
  TrainingMatrix matrix;
  for (auto _ : state) matrix.assign({weights.data(), inputs, outputs}, Precision::bfloat16);
  Numbers result(outputs);
  Numbers row(inputs, 0.0F);
  row[3] = 1.0F;
  matrix.multiply({row.data(), 1, inputs}, {result.data(), 1, outputs});
  for (std::size_t k = 0; k < outputs; k += 17) {
    const double expected = weights[3 * outputs + k];
    if (!agree(state, result[k], expected, 0x1p-8 * std::abs(expected))) return;
  }
  count(state, "weights", static_cast<double>(2 * inputs * outputs));
}
BENCHMARK(pack_weights);

void byte_product(benchmark::State& state) {
  Product product(state);
  const QuantisedMatrix matrix =
      QuantisedMatrix::from({product.weights.data(), product.inputs, product.outputs});
  QuantisedRows rows;
  rows.assign_bounded({product.activations.data(), product.rows, product.inputs});
  const auto run = [&] {
    matrix.multiply(rows, product.bias, Matrix(product.result.data(), product.rows, product.outputs));
    benchmark::ClobberMemory();
  };
  run();
  // Six times the error that rounding makes on the average.
  const double size = 0.1 * 0.63 * std::sqrt(static_cast<double>(product.inputs));
  if (!product.is_right(state, 6 * 0.01 * size)) return;
  for (auto _ : state) run();
  count(state, "multiply_adds", product.multiply_adds());
}

void products(benchmark::internal::Benchmark* benchmark) {
  for (const int rows : {1, 8, 16, 32, 64, 256}) benchmark->Args({rows, 1024, 256});
  benchmark->Args({32, 1600, 800})->Args({256, 256, 512})->Args({32, 1600, 400});
}
BENCHMARK(float_product)->Apply(products);
BENCHMARK(bfloat16_product)->Apply(products);
// As in training: whole parts of batches, and steps of LSTMs.
BENCHMARK(float_product)->Args({250, 3072, 768})->Args({16, 1536, 384});
BENCHMARK(bfloat16_product)->Args({250, 3072, 768})->Args({16, 1536, 384});
BENCHMARK(weight_gradient)->Args({250, 3072, 768, 0})->Args({250, 3072, 768, 1});
BENCHMARK(byte_product)->Apply(products);

void quantise_rows(benchmark::State& state) {
  const Numbers values = random_numbers(64 * 256);
  QuantisedRows rows;
  rows.assign({values.data(), 64, 256});
  for (std::size_t k = 0; k < values.size(); k += 57) {
    const float rounded = rows.scale(k / 256) * static_cast<float>(rows.row(k / 256)[k % 256] - 128);
    if (!agree(state, rounded, values[k], rows.scale(k / 256))) return;
  }
  for (auto _ : state) {
    rows.assign({values.data(), 64, 256});
    benchmark::ClobberMemory();
  }
  count(state, "elements", 64 * 256);
}
BENCHMARK(quantise_rows);

constexpr std::size_t kHidden = 256;
constexpr std::size_t kSequences = 32;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

void parsing_step(benchmark::State& state) {
  const Numbers input = random_numbers(kSequences * 4 * kHidden);
  const Numbers recurrent = random_numbers(kSequences * 4 * kHidden + 1);
  Numbers cells(kSequences * kHidden, 0.5F);
  Numbers outputs(kSequences * kHidden);
  QuantisedRows next;
  next.assign_zeros(kSequences, kHidden);
  std::vector<LstmStep> steps;
  for (std::size_t s = 0; s < kSequences; ++s) {
    steps.push_back({input.data() + s * 4 * kHidden, recurrent.data() + s * 4 * kHidden,
                     cells.data() + s * kHidden, outputs.data() + s * kHidden, next.bounded_row(s)});
  }
  lstm_step(kHidden, steps);
  for (std::size_t k = 0; k < kHidden; k += 5) {
    const auto z = [&](std::size_t gate) {
      return static_cast<double>(input[gate * kHidden + k]) + recurrent[gate * kHidden + k];
    };
    const double cell = sigmoid(z(1)) * 0.5 + sigmoid(z(0)) * std::tanh(z(2));
    if (!agree(state, outputs[k], sigmoid(z(3)) * std::tanh(cell), 1e-6)) return;
  }
  for (auto _ : state) {
    lstm_step(kHidden, steps);
    benchmark::ClobberMemory();
  }
  count(state, "elements", kSequences * kHidden);
}
BENCHMARK(parsing_step);

void training_steps(benchmark::State& state) {
  const Numbers input = random_numbers(kSequences * 4 * kHidden);
  Numbers gates = input;
  Numbers cells(kSequences * kHidden), tanh_cells = cells, outputs = cells, cell_gradients = cells;
  const Numbers previous(kSequences * kHidden, 0.5F);
  const Numbers gradient = random_numbers(kSequences * kHidden);
  std::vector<LstmForwardStep> forward;
  std::vector<LstmBackwardStep> backward;
  for (std::size_t s = 0; s < kSequences; ++s) {
    const std::size_t at = s * kHidden;
    forward.push_back({gates.data() + 4 * at, nullptr, previous.data() + at, cells.data() + at,
                       tanh_cells.data() + at, outputs.data() + at});
    backward.push_back({gradient.data() + at, nullptr, gates.data() + 4 * at, tanh_cells.data() + at,
                        previous.data() + at, cell_gradients.data() + at, gates.data() + 4 * at});
  }
  lstm_forward_step(kHidden, forward);
  for (std::size_t k = 0; k < kHidden; k += 5) {
    const double cell =
        sigmoid(input[kHidden + k]) * 0.5 + sigmoid(input[k]) * std::tanh(input[2 * kHidden + k]);
    if (!agree(state, outputs[k], sigmoid(input[3 * kHidden + k]) * std::tanh(cell), 1e-6)) return;
  }
  lstm_backward_step(kHidden, backward);
  for (std::size_t k = 0; k < kHidden; k += 5) {
    const double o = sigmoid(input[3 * kHidden + k]);
    if (!agree(state, gates[3 * kHidden + k], gradient[k] * tanh_cells[k] * o * (1.0 - o), 1e-5)) return;
  }
  for (auto _ : state) {
    lstm_forward_step(kHidden, forward);
    lstm_backward_step(kHidden, backward);
    std::fill(cell_gradients.begin(), cell_gradients.end(), 0.0F);
    benchmark::ClobberMemory();
  }
  count(state, "elements", kSequences * kHidden);
}
BENCHMARK(training_steps);

void adam(benchmark::State& state) {
  const std::size_t size = 100'000;
  Numbers weights(size, 1.0F), first(size), second(size), average(size, 1.0F);
  const Numbers gradient = random_numbers(size);
  AdamStep step;
  step.set_time(1);
  adam_update({weights, gradient, first, second, average}, step);
  for (std::size_t k = 0; k < size; k += 101) {
    // The first step has the length of the rate.
    if (!agree(state, weights[k], gradient[k] > 0.0F ? 0.998 : 1.002, 1e-5)) return;
  }
  for (auto _ : state) {
    adam_update({weights, gradient, first, second, average}, step);
    benchmark::ClobberMemory();
  }
  count(state, "elements", static_cast<double>(size));
}
BENCHMARK(adam);

// A sentence of 25 words with five candidate heads a word, and rank 64 or more.
template <Factorization kFactorization, PartKind kKind>
void part_products(benchmark::State& state, bool is_backward) {
  const int words = 25;
  const auto rank = static_cast<std::size_t>(state.range(0));
  std::mt19937_64 random(1);
  std::vector<Arc> some;
  for (int modifier = 1; modifier <= words; ++modifier) {
    std::vector<int> heads;
    for (int head = 0; head <= words; ++head) {
      if (head != modifier) heads.push_back(head);
    }
    std::shuffle(heads.begin(), heads.end(), random);
    for (int k = 0; k < 5; ++k) some.push_back({heads[static_cast<std::size_t>(k)], modifier});
  }
  ArcSet arcs;
  arcs.assign(words, some);
  PartIndex parts;
  parts.assign(arcs, kFactorization);
  const std::size_t rows = words + 1;
  const Numbers numbers = random_numbers((5 * rows + 4) * rank);
  Numbers gradients(numbers.size());
  const auto factor = [&](std::size_t which) {
    return ConstMatrix(numbers.data() + which * rows * rank, rows, rank);
  };
  const auto gradient = [&](std::size_t which) {
    return Matrix(gradients.data() + which * rows * rank, rows, rank);
  };
  const auto row = [&](auto& all, std::size_t which) {
    return std::span(all).subspan((5 * rows + which) * rank, rank);
  };
  const PartFactors factors = {.grandparents = factor(0),
                               .heads = factor(1),
                               .second_siblings = factor(2),
                               .siblings = factor(3),
                               .modifiers = factor(4),
                               .no_grandparent = row(numbers, 0),
                               .no_sibling = row(numbers, 1),
                               .no_second_sibling = row(numbers, 2),
                               .weights = row(numbers, 3)};
  const PartFactorGradients into = {.grandparents = gradient(0),
                                    .heads = gradient(1),
                                    .second_siblings = gradient(2),
                                    .siblings = gradient(3),
                                    .modifiers = gradient(4),
                                    .no_grandparent = row(gradients, 0),
                                    .no_sibling = row(gradients, 1),
                                    .no_second_sibling = row(gradients, 2),
                                    .weights = row(gradients, 3)};
  std::vector<double> potentials(static_cast<std::size_t>(parts.count(kKind)));
  add_part_products(parts, kKind, factors, 1.0, potentials);
  bool is_right = true;
  std::size_t part = 0;
  for_each_part<kKind>(parts, [&](const PartWords& at) {
    double sum = 0.0;
    const auto row_of = [](int word, bool is_none, ConstMatrix all, std::span<const float> none) {
      return is_none ? none.data() : all.row(static_cast<std::size_t>(word));
    };
    const float* head = factors.heads.row(static_cast<std::size_t>(at.head));
    const float* modifier = factors.modifiers.row(static_cast<std::size_t>(at.modifier));
    const float* grandparent =
        row_of(at.grandparent, at.head == 0, factors.grandparents, factors.no_grandparent);
    const float* sibling = row_of(at.sibling, at.sibling == at.head, factors.siblings, factors.no_sibling);
    const float* second_sibling = row_of(at.second_sibling, at.second_sibling == at.head,
                                         factors.second_siblings, factors.no_second_sibling);
    for (std::size_t k = 0; k < rank; ++k) {
      double product = static_cast<double>(factors.weights[k]) * head[k] * modifier[k];
      if (has_grandparent(kKind)) product *= grandparent[k];
      if (has_sibling(kKind)) product *= sibling[k];
      if (has_second_sibling(kKind) && at.sibling != at.head) product *= second_sibling[k];
      sum += product;
    }
    is_right = is_right && agree(state, potentials[part++], sum, 1e-3);
  });
  if (!is_right) return;
  if (is_backward) {
    // The potentials are linear in the weights: their gradient, times them, is the sum of the potentials.
    const std::vector<double> coefficients(potentials.size(), 1.0);
    add_part_gradients(parts, kKind, factors, coefficients, into);
    double sum = 0.0;
    double expected = 0.0;
    for (std::size_t k = 0; k < rank; ++k) sum += static_cast<double>(into.weights[k]) * factors.weights[k];
    for (const double potential : potentials) expected += potential;
    if (!agree(state, sum, expected, 1e-3 * std::sqrt(static_cast<double>(potentials.size() * rank)))) return;
    for (auto _ : state) {
      add_part_gradients(parts, kKind, factors, coefficients, into);
      benchmark::ClobberMemory();
    }
  } else {
    for (auto _ : state) {
      add_part_products(parts, kKind, factors, 1.0, potentials);
      benchmark::ClobberMemory();
    }
  }
  count(state, "parts", static_cast<double>(potentials.size()));
  count(state, "words", words);
}
constexpr auto grandsibling_products = part_products<Factorization::grandsibling, PartKind::grandsibling>;
constexpr auto trisibling_products = part_products<Factorization::trisibling, PartKind::trisibling>;
constexpr auto grandtrisibling_products =
    part_products<Factorization::grandtrisibling, PartKind::grandtrisibling>;
void grandsibling_potentials(benchmark::State& state) { grandsibling_products(state, false); }
void grandsibling_gradients(benchmark::State& state) { grandsibling_products(state, true); }
void trisibling_potentials(benchmark::State& state) { trisibling_products(state, false); }
void trisibling_gradients(benchmark::State& state) { trisibling_products(state, true); }
void grandtrisibling_potentials(benchmark::State& state) { grandtrisibling_products(state, false); }
void grandtrisibling_gradients(benchmark::State& state) { grandtrisibling_products(state, true); }
BENCHMARK(grandsibling_potentials)->Arg(64)->Arg(128);
BENCHMARK(grandsibling_gradients)->Arg(64)->Arg(128);
BENCHMARK(trisibling_potentials)->Arg(64);
BENCHMARK(trisibling_gradients)->Arg(64);
BENCHMARK(grandtrisibling_potentials)->Arg(64);
BENCHMARK(grandtrisibling_gradients)->Arg(64);

}  // namespace
}  // namespace copse

BENCHMARK_MAIN();
