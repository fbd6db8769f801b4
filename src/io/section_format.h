// The layout of a section file, for its reader and its writer; section_file.h has the picture.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "io/checksum.h"

namespace copse::section_format {

// No text starts like this (with the byte 0x89), and a transfer that changes line ends or clears high bits
// shows.
inline constexpr std::string_view kMagic = "\211copse\r\n";

inline constexpr std::size_t kVersionOffset = 8;
inline constexpr std::size_t kCountOffset = 12;
inline constexpr std::size_t kFileSizeOffset = 16;
inline constexpr std::size_t kChecksumOffset = 24;
inline constexpr std::size_t kHeaderBytes = 32;

inline constexpr std::size_t kNameBytes = 40;
inline constexpr std::size_t kEntryOffset = kNameBytes;
inline constexpr std::size_t kEntrySize = kNameBytes + 8;
inline constexpr std::size_t kEntryChecksum = kNameBytes + 16;
inline constexpr std::size_t kEntryBytes = kNameBytes + 24;

inline constexpr std::size_t kAlignment = 64;

constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

// What the header says about itself and the directory, which `start` ends with.
inline std::uint64_t start_checksum(std::span<const std::byte> start) {
  return checksum(start.subspan(kHeaderBytes), checksum(start.first(kChecksumOffset)));
}

// Plain ASCII letters whatever the locale.
inline bool is_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-' || c == '/';
  };
  return !name.empty() && name.size() <= kNameBytes && std::all_of(name.begin(), name.end(), is_allowed);
}

}  // namespace copse::section_format
