#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse {

// What files hold arrays of: numbers that have the same bytes on every machine, up to their order.
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool> && sizeof(T) <= 8;

template <Number T>
T load_little_endian(const std::byte* from) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, bytes.size());
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

template <Number T>
void store_little_endian(T value, std::byte* to) {
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  std::memcpy(to, bytes.data(), bytes.size());
}

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Encodes small structures: little-endian numbers one after the other, texts and arrays behind their lengths.
// A ByteReader decodes them with the same calls in the same order.
class ByteWriter {
 public:
  void u8(std::uint8_t value) { put(value); }
  void u32(std::uint32_t value) { put(value); }
  void u64(std::uint64_t value) { put(value); }
  void i32(std::int32_t value) { put(value); }
  void f32(float value) { put(value); }
  void f64(double value) { put(value); }

  // Throws std::length_error for 4 GiB and more.
  void text(std::string_view value);

  template <Number T>
  void numbers(std::span<const T> values) {
    u64(values.size());
    bytes_.reserve(bytes_.size() + values.size_bytes());
    for (const T value : values) put(value);
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }
  // Hands the bytes over and starts again.
  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }

 private:
  template <Number T>
  void put(T value) {
    bytes_.resize(bytes_.size() + sizeof(T));
    store_little_endian(value, bytes_.data() + bytes_.size() - sizeof(T));
  }

  std::vector<std::byte> bytes_;
};

// Decodes what a ByteWriter wrote. The bytes are borrowed. Asking for more than there is, is a DataError that
// starts with `name`; lengths are compared with what is left before anything is allocated.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, std::string name) : rest_(bytes), name_(std::move(name)) {}

  std::uint8_t u8() { return get<std::uint8_t>(); }
  std::uint32_t u32() { return get<std::uint32_t>(); }
  std::uint64_t u64() { return get<std::uint64_t>(); }
  std::int32_t i32() { return get<std::int32_t>(); }
  float f32() { return get<float>(); }
  double f64() { return get<double>(); }

  // A view of the borrowed bytes, whatever they are: not checked to be UTF-8.
  std::string_view text();

  template <Number T>
  std::vector<T> numbers() {
    std::vector<T> values(count(sizeof(T)));
    const std::byte* from = take(values.size() * sizeof(T)).data();
    for (T& value : values) {
      value = load_little_endian<T>(from);
      from += sizeof(T);
    }
    return values;
  }

  // A u64 that says how many elements follow, of which each takes at least `bytes_each` (1 or more) bytes:
  // not more than there can be, so it is safe to allocate that many.
  std::size_t count(std::size_t bytes_each);

  std::size_t remaining() const { return rest_.size(); }
  // Throws DataError unless everything has been read.
  void expect_end() const;
  // For the caller's own checks: throws a DataError with the name, `problem` and the advice that the others
  // give.
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  template <Number T>
  T get() {
    return load_little_endian<T>(take(sizeof(T)).data());
  }
  std::span<const std::byte> take(std::size_t size);

  std::span<const std::byte> rest_;
  std::string name_;
};

}  // namespace copse
