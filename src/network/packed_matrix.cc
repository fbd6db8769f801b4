#include "network/packed_matrix.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>

#include "network/bfloat16_kernels.h"
#include "network/element_kernels.h"

namespace copse {
namespace {

using Type = dnnl::memory::data_type;
using Order = dnnl::memory::format_tag;

const dnnl::engine& processor() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::memory::desc describe(std::size_t rows, std::size_t columns, Type type, Order order) {
  return {{static_cast<dnnl::memory::dim>(rows), static_cast<dnnl::memory::dim>(columns)}, type, order};
}

// Memory that is kept, aligned as vectors like it.
class Buffer {
 public:
  void* resize(std::size_t bytes) {
    if (lines_.size() * sizeof(Line) < bytes) lines_.resize((bytes + sizeof(Line) - 1) / sizeof(Line));
    return lines_.data();
  }

 private:
  struct alignas(64) Line {
    char bytes[64];
  };
  std::vector<Line> lines_;
};

// A product of certain sizes, compiled.
struct Product {
  std::optional<dnnl::matmul> primitive;      // none: bfloat16 would not be quick
  dnnl::memory left, right, result, scratch;  // without their numbers
};

enum class Kind { packed, gradient };
using Size = std::tuple<Kind, std::size_t, std::size_t, std::size_t, Into>;  // rows, columns, inner size

dnnl::matmul::primitive_desc describe_product(const dnnl::memory::desc& left, const dnnl::memory::desc& right,
                                              const dnnl::memory::desc& result, Into into) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (into == Into::add) {
    dnnl::post_ops sum;
    sum.append_sum(1.0F);
    attributes.set_post_ops(sum);
  }
  return {dnnl::matmul::desc(left, right, result), attributes, processor()};
}

// Not the plain loops that stand in where there is nothing better.
bool is_quick(const dnnl::matmul::primitive_desc& product) {
  return std::strstr(product.impl_info_str(), "ref") == nullptr;
}

// What a thread needs for products in bfloat16.
class Workspace {
 public:
  static Workspace& of_this_thread() {
    thread_local Workspace workspace;
    return workspace;
  }

  // Null where there is no quick way.
  Product* find(const Size& size, const dnnl::memory::desc& right) {
    const auto found = products_.find(size);
    if (found != products_.end()) return found->second.primitive ? &found->second : nullptr;
    if (products_.size() >= kMostProducts) products_.clear();
    Product& product = products_[size];
    make(size, right, product);
    return product.primitive ? &product : nullptr;
  }

  void run(Product& product, const dnnl::memory& right, void* left_data, void* result_data) {
    product.left.set_data_handle(left_data);
    product.result.set_data_handle(result_data);
    product.scratch.set_data_handle(scratch_.resize(product.scratch.get_desc().get_size()));
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, product.left.get()},
                                         {DNNL_ARG_WEIGHTS, right.get()},
                                         {DNNL_ARG_DST, product.result.get()},
                                         {DNNL_ARG_SCRATCHPAD, product.scratch.get()}};
    if (dnnl_primitive_execute(product.primitive->get(), stream_.get(), 4, arguments) != dnnl_success) {
      throw std::runtime_error("a product in bfloat16 failed; take the precision float");
    }
    stream_.wait();
  }

  dnnl::stream& stream() { return stream_; }
  std::uint16_t* left(std::size_t size) { return numbers(left_, size); }
  std::uint16_t* right(std::size_t size) { return numbers(right_, size); }
  float* result(std::size_t size) { return static_cast<float*>(result_.resize(size * sizeof(float))); }

 private:
  // Each takes about 30 KB.
  static constexpr std::size_t kMostProducts = 2000;

  static std::uint16_t* numbers(Buffer& buffer, std::size_t size) {
    return static_cast<std::uint16_t*>(buffer.resize(size * sizeof(std::uint16_t)));
  }

  static void make(const Size& size, const dnnl::memory::desc& right, Product& product) {
    const auto [kind, rows, columns, inner, into] = size;
    const dnnl::memory::desc left =
        describe(rows, inner, Type::bf16, kind == Kind::gradient ? Order::ba : Order::ab);
    const dnnl::memory::desc result = describe(rows, columns, Type::f32, Order::ab);
    try {
      const dnnl::matmul::primitive_desc description = describe_product(left, right, result, into);
      if (!is_quick(description)) return;
      product.left = {left, processor(), nullptr};
      product.right = {right, processor(), nullptr};
      product.result = {result, processor(), nullptr};
      product.scratch = {description.scratchpad_desc(), processor(), nullptr};
      product.primitive.emplace(description);
    } catch (const dnnl::error&) {
      product.primitive.reset();
    }
  }

  dnnl::stream stream_{processor()};
  std::map<Size, Product> products_;
  Buffer left_, right_, result_, scratch_;
};

void transpose(ConstMatrix matrix, std::vector<float>& result) {
  constexpr std::size_t kTile = 16;  // rows and columns at a time, so that lines are used while they are near
  result.resize(matrix.rows * matrix.columns);
  for (std::size_t top = 0; top < matrix.rows; top += kTile) {
    const std::size_t bottom = std::min(top + kTile, matrix.rows);
    for (std::size_t left = 0; left < matrix.columns; left += kTile) {
      const std::size_t end = std::min(left + kTile, matrix.columns);
      for (std::size_t column = left; column < end; ++column) {
        for (std::size_t row = top; row < bottom; ++row) {
          result[column * matrix.rows + row] = matrix.row(row)[column];
        }
      }
    }
  }
}

// Of a packed matrix, packed at a time: a multiple of the blocks that there are.
constexpr std::size_t kSliceColumns = 192;

// Of which the inner size of gradients is a multiple.
constexpr std::size_t kRowsOfGradients = 32;

std::uint16_t* convert_with_zeros(ConstMatrix values, std::size_t rows, std::uint16_t* result) {
  convert_to_bfloat16(values, result);
  std::fill(result + values.rows * values.columns, result + rows * values.columns, std::uint16_t{0});
  return result;
}

// Into a result whose rows may lie apart; then, the product is one that replaces.
template <class Run>
void run_into(Workspace& workspace, Matrix result, Into into, const Run& run) {
  if (result.stride == result.columns) return run(result.data);
  float* rows = workspace.result(result.rows * result.columns);
  run(rows);
  for (std::size_t r = 0; r < result.rows; ++r) {
    const std::span<const float> from(rows + r * result.columns, result.columns);
    if (into == Into::add) {
      add_scaled(from, 1.0F, {result.row(r), result.columns});
    } else {
      std::copy(from.begin(), from.end(), result.row(r));
    }
  }
}

}  // namespace

// In bfloat16, by slices of columns.
struct PackedMatrix::Packed {
  struct Slice {
    std::size_t begin = 0;  // in the weights
    dnnl::memory plain;
    dnnl::memory packed;  // a part of the memory of all
    dnnl::reorder reorder;
  };
  dnnl::memory::desc plain;
  dnnl::memory memory;
  bool has_known_order = false;  // that of pack_block()
  std::vector<Slice> slices;
};

PackedMatrix::PackedMatrix() = default;
PackedMatrix::~PackedMatrix() = default;
PackedMatrix::PackedMatrix(PackedMatrix&&) noexcept = default;
PackedMatrix& PackedMatrix::operator=(PackedMatrix&&) noexcept = default;

void PackedMatrix::assign(ConstMatrix weights, Precision precision) {
  prepare(weights, false, precision);
  for (std::size_t slice = 0; slice < slices(); ++slice) pack(slice);
}

void PackedMatrix::assign_transposed(ConstMatrix weights, Precision precision) {
  prepare(weights, true, precision);
  for (std::size_t slice = 0; slice < slices(); ++slice) pack(slice);
}

void PackedMatrix::prepare(ConstMatrix weights, bool is_transposed, Precision precision) {
  weights_ = weights;
  is_transposed_ = is_transposed;
  const bool is_empty = rows() == 0 || columns() == 0;
  if (precision == Precision::float32 || is_empty || !prepare_bfloat16()) packed_.reset();
  if (packed_ != nullptr) transposed_.clear();
}

// False where there is no quick product.
bool PackedMatrix::prepare_bfloat16() {
  use_one_thread();
  const auto size = [](std::size_t value) { return static_cast<dnnl::memory::dim>(value); };
  const auto describe_plain = [&](std::size_t columns) {
    const auto stride = size(weights_.stride);
    const auto strides = is_transposed_ ? dnnl::memory::dims{1, stride} : dnnl::memory::dims{stride, 1};
    return dnnl::memory::desc({size(rows()), size(columns)}, Type::f32, strides);
  };
  const dnnl::memory::desc plain = describe_plain(columns());
  if (packed_ != nullptr && packed_->plain == plain) return true;
  try {
    // Which order is best hardly depends on the number of rows of the left factor.
    constexpr std::size_t kRows = 64;
    const dnnl::matmul::primitive_desc product = describe_product(
        describe(kRows, rows(), Type::bf16, Order::ab), describe(rows(), columns(), Type::bf16, Order::any),
        describe(kRows, columns(), Type::f32, Order::ab), Into::replace);
    if (!is_quick(product)) return false;
    packed_ = std::make_unique<Packed>();
    packed_->plain = plain;
    packed_->memory = {product.weights_desc(), processor()};
    packed_->has_known_order =
        product.weights_desc() == describe(rows(), columns(), Type::bf16, Order::BA16a64b2a);
    for (std::size_t begin = 0; begin < columns(); begin += kSliceColumns) {
      const std::size_t width = std::min(kSliceColumns, columns() - begin);
      const dnnl::memory::desc part =
          product.weights_desc().submemory_desc({size(rows()), size(width)}, {0, size(begin)});
      const dnnl::memory from(describe_plain(width), processor(), nullptr);
      const dnnl::memory to(part, processor(), packed_->memory.get_data_handle());
      packed_->slices.push_back({is_transposed_ ? begin * weights_.stride : begin, from, to, {from, to}});
    }
    return true;
  } catch (const dnnl::error&) {
    return false;
  }
}

std::size_t PackedMatrix::slices() const {
  if (packed_ != nullptr) return packed_->slices.size();
  return is_transposed_ ? 1 : 0;
}

void PackedMatrix::pack(std::size_t number) {
  if (packed_ == nullptr) {
    transpose(weights_, transposed_);
    return;
  }
  use_one_thread();
  Packed::Slice& slice = packed_->slices[number];
  const float* from = weights_.data + slice.begin;
  if (packed_->has_known_order) {
    const std::size_t begin = number * kSliceColumns;
    const std::size_t end = std::min(begin + kSliceColumns, columns());
    const std::size_t block_size = (rows() + kPackedRows - 1) / kPackedRows * kPackedRows * kPackedColumns;
    auto* to = static_cast<std::uint16_t*>(packed_->memory.get_data_handle());
    for (std::size_t column = begin; column < end; column += kPackedColumns) {
      const std::size_t width = std::min(kPackedColumns, end - column);
      std::uint16_t* block = to + column / kPackedColumns * block_size;
      if (is_transposed_) {
        pack_transposed_block({weights_.row(column), width, weights_.columns, weights_.stride}, block);
      } else {
        pack_block({weights_.data + column, weights_.rows, width, weights_.stride}, block);
      }
    }
    return;
  }
  slice.plain.set_data_handle(const_cast<float*>(from));  // NOLINT: it is read only
  dnnl::stream& stream = Workspace::of_this_thread().stream();
  slice.reorder.execute(stream, slice.plain, slice.packed);
  stream.wait();
}

void multiply(ConstMatrix a, const PackedMatrix& b, Matrix result, Into into) {
  if (a.rows != result.rows || a.columns != b.rows() || result.columns != b.columns()) {
    throw std::invalid_argument("a product of impossible sizes");
  }
  if (result.rows == 0 || result.columns == 0) return;
  if (b.packed_ != nullptr && a.columns > 0) {
    use_one_thread();
    Workspace& workspace = Workspace::of_this_thread();
    const bool has_gaps = result.stride != result.columns;
    const dnnl::memory& right = b.packed_->memory;
    Product* product = workspace.find(
        {Kind::packed, a.rows, result.columns, a.columns, has_gaps ? Into::replace : into}, right.get_desc());
    if (product != nullptr) {
      std::uint16_t* left = workspace.left(a.rows * a.columns);
      convert_to_bfloat16(a, left);
      run_into(workspace, result, into,
               [&](float* numbers) { workspace.run(*product, right, left, numbers); });
      return;
    }
  }
  if (!b.is_transposed_) {
    multiply(a, b.weights_, result, into);
  } else if (b.transposed_.empty()) {
    multiply_transposed(a, b.weights_, result, into);
  } else {
    multiply(a, ConstMatrix(b.transposed_.data(), b.rows(), b.columns()), result, into);
  }
}

void multiply_by_transposed(ConstMatrix a, ConstMatrix b, Matrix result, Into into, Precision precision) {
  if (a.rows != b.rows || a.columns != result.rows || b.columns != result.columns) {
    throw std::invalid_argument("a product of impossible sizes");
  }
  if (result.rows == 0 || result.columns == 0) return;
  if (a.rows == 0) {  // no product, which oneDNN refuses
    for (std::size_t r = 0; into == Into::replace && r < result.rows; ++r) {
      std::fill_n(result.row(r), result.columns, 0.0F);
    }
    return;
  }
  if (precision == Precision::bfloat16) {
    use_one_thread();
    Workspace& workspace = Workspace::of_this_thread();
    // Rows of zeros change nothing, and make fewer sizes of products.
    const std::size_t inner = (a.rows + kRowsOfGradients - 1) / kRowsOfGradients * kRowsOfGradients;
    const bool has_gaps = result.stride != result.columns;
    Product* product =
        workspace.find({Kind::gradient, result.rows, result.columns, inner, has_gaps ? Into::replace : into},
                       describe(inner, result.columns, Type::bf16, Order::ab));
    if (product != nullptr) {
      std::uint16_t* left = convert_with_zeros(a, inner, workspace.left(inner * a.columns));
      std::uint16_t* right = convert_with_zeros(b, inner, workspace.right(inner * b.columns));
      product->right.set_data_handle(right);
      run_into(workspace, result, into,
               [&](float* numbers) { workspace.run(*product, product->right, left, numbers); });
      return;
    }
  }
  multiply_by_transposed(a, b, result, into);
}

}  // namespace copse
