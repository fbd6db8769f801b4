#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/bytes.h"
#include "io/output_file.h"

namespace copse {

// The file of a model: named sections of bytes, made to be mapped into memory and used where they lie.
// Numbers are little-endian. A section begins at a multiple of 64 bytes; its name has 1 to 40 letters, digits
// and the characters . _ - /
//
//   header     magic "\x89copse\r\n" · version u32 · number of sections u32 · size of the file u64 ·
//              checksum of these and the directory u64
//   directory  per section: name, filled up with zeros, 40 bytes · offset u64 · size u64 · checksum u64
//   sections   in the order of the directory, zeros between them
inline constexpr std::uint32_t kSectionFileVersion = 1;

// Collects sections and writes them all in close(); the file appears then, and not before (see OutputFile).
// Names that are not valid or come twice, and sections after close(), throw std::invalid_argument and
// std::logic_error.
class SectionFileWriter {
 public:
  // Throws DataError when the file cannot be created.
  explicit SectionFileWriter(const std::string& path) : file_(path) {}

  // Borrows the bytes until close(): they may be large.
  void add(std::string_view name, std::span<const std::byte> bytes);
  // Takes the bytes over.
  void add(std::string_view name, std::vector<std::byte>&& bytes);
  // Copies the text.
  void add(std::string_view name, std::string_view text);

  // Borrows a vector, array or span of numbers until close().
  template <std::ranges::contiguous_range Numbers>
  requires std::ranges::borrowed_range<Numbers> && Number<std::ranges::range_value_t<Numbers>>
  void add_numbers(std::string_view name, Numbers&& numbers) {
    using T = std::ranges::range_value_t<Numbers>;
    const std::span<const T> values(std::ranges::data(numbers), std::ranges::size(numbers));
    if constexpr (std::endian::native == std::endian::little) {
      add(name, std::as_bytes(values));
    } else {
      std::vector<std::byte> bytes(values.size_bytes());
      for (std::size_t k = 0; k < values.size(); ++k) {
        store_little_endian(values[k], bytes.data() + k * sizeof(T));
      }
      add(name, std::move(bytes));
    }
  }

  // Writes the file. Later calls do nothing.
  void close();

 private:
  struct Section {
    std::string name;
    std::span<const std::byte> bytes;
  };

  OutputFile file_;
  std::vector<Section> sections_;
  std::vector<std::vector<std::byte>> owned_;
  bool is_closed_ = false;
};

// Such a file, open for reading. Everything is checked when it is opened, all checksums included, so that
// later only a section's content can be wrong. The bytes live as long as the object, or as what keep_alive()
// returns. A file that is open may be replaced (as a SectionFileWriter does), but must not be overwritten in
// place.
class SectionFile {
 public:
  // Maps the file into memory, or reads it where that is not possible (pipes; "-" is the standard input).
  // Throws DataError for what is not such a file, truncated, damaged, or of a newer version.
  static SectionFile open(const std::string& path);
  // The same for a copy of `bytes`; `name` stands for the file in messages.
  static SectionFile from_bytes(std::span<const std::byte> bytes, const std::string& name = "<memory>");

  SectionFile(SectionFile&&) noexcept = default;
  SectionFile& operator=(SectionFile&&) noexcept = default;
  SectionFile(const SectionFile&) = delete;
  SectionFile& operator=(const SectionFile&) = delete;
  ~SectionFile() = default;

  bool has(std::string_view name) const;
  // In the order of the file.
  std::vector<std::string_view> names() const;

  // The content of a section, as bytes, text, an array of numbers, or to be decoded. All throw DataError when
  // there is no such section. The first byte lies at a multiple of 64.
  std::span<const std::byte> section(std::string_view name) const;
  std::string_view text(std::string_view name) const;
  // Also throws DataError unless the section is a whole number of T.
  template <Number T>
  std::span<const T> numbers(std::string_view name) const {
    const std::span<const std::byte> bytes = native_numbers(name, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  ByteReader reader(std::string_view name) const;

  // As in messages.
  const std::string& path() const;
  // Of the whole file, in bytes, and these.
  std::size_t size() const;
  std::span<const std::byte> bytes() const;

  // Holds the bytes of all sections, for who needs them longer than this object.
  std::shared_ptr<const void> keep_alive() const { return state_; }

 private:
  struct State;
  explicit SectionFile(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  // The section's elements of `width` bytes in the byte order of this machine.
  std::span<const std::byte> native_numbers(std::string_view name, std::size_t width) const;

  std::shared_ptr<const State> state_;
};

}  // namespace copse
