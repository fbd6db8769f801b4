#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/error.h"
#include "io/checksum.h"
#include "io/section_file.h"

namespace copse {

// The layout of the file once more, as section_file.h states it: magic at 0, version at 8, number of sections
// at 12, size of the file at 16, checksum at 24, directory at 32; in an entry of 64 bytes, offset at 40, size
// at 48, checksum at 56.
//
// Makes the checksums right, and all of the header but the number of sections, so that damage elsewhere is
// not found by them: what a forger could do, and what a fuzzer needs to get on.
inline void make_checksums_right(std::vector<std::byte>& file) {
  if (file.size() < 32) return;
  std::memcpy(file.data(), "\211copse\r\n", 8);
  store_little_endian(kSectionFileVersion, file.data() + 8);
  store_little_endian<std::uint64_t>(file.size(), file.data() + 16);
  const std::size_t count = load_little_endian<std::uint32_t>(file.data() + 12);
  if (count > (file.size() - 32) / 64) return;
  const std::span<std::byte> directory = std::span(file).subspan(32, count * 64);
  for (std::size_t k = 0; k < count; ++k) {
    std::byte* entry = directory.data() + k * 64;
    const auto offset = load_little_endian<std::uint64_t>(entry + 40);
    const auto size = load_little_endian<std::uint64_t>(entry + 48);
    if (offset > file.size() || size > file.size() - offset) continue;
    store_little_endian(checksum(std::span(file).subspan(offset, size)), entry + 56);
  }
  store_little_endian(checksum(directory, checksum(std::span(file).first(24))), file.data() + 24);
}

// Bytes are either refused with a DataError or are a file with sections that can be used. Returns what went
// wrong, or nothing.
inline std::optional<std::string> section_file_violation(std::span<const std::byte> bytes) {
  try {
    const SectionFile file = SectionFile::from_bytes(bytes, "file");
    if (file.size() != bytes.size()) return "another size";
    const std::byte* end = nullptr;
    for (const std::string_view name : file.names()) {
      const std::span<const std::byte> section = file.section(name);
      if (!file.has(name)) return "a section that is not there";
      if (reinterpret_cast<std::uintptr_t>(section.data()) % 64 != 0) return "a section out of line";
      if (end != nullptr && section.data() < end) return "sections that overlap or are out of order";
      end = section.data() + section.size();
      if (checksum(section) != checksum(std::as_bytes(std::span(file.text(name))))) return "another text";
      bool are_doubles = true;
      try {
        const std::span<const double> numbers = file.numbers<double>(name);
        if (numbers.size_bytes() != section.size()) return "another number of numbers";
      } catch (const DataError&) {
        are_doubles = false;
      }
      if (are_doubles != (section.size() % 8 == 0)) return "numbers of another size";
    }
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("file: ")) return "a message without the name: " + std::string(message);
    if (message.find('\n') != std::string_view::npos) return "a message of several lines";
    if (message.find("; ") == std::string_view::npos) return "no advice: " + std::string(message);
  }
  return std::nullopt;
}

}  // namespace copse
