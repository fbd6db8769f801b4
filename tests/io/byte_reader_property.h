#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "copse/error.h"
#include "io/bytes.h"

namespace copse {

// Reads `bytes` by the calls that `operations` chooses. Each succeeds within the bytes or is refused with a
// DataError. Returns what went wrong, or nothing.
inline std::optional<std::string> byte_reader_violation(std::span<const std::byte> operations,
                                                        std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "bytes");
  try {
    for (const std::byte operation : operations) {
      const std::size_t before = reader.remaining();
      std::size_t used = 0;
      switch (std::to_integer<int>(operation) % 10) {
        case 0:
          reader.u8();
          used = 1;
          break;
        case 1:
          reader.u32();
          used = 4;
          break;
        case 2:
          reader.u64();
          used = 8;
          break;
        case 3:
          reader.i32();
          used = 4;
          break;
        case 4:
          reader.f32();
          used = 4;
          break;
        case 5:
          reader.f64();
          used = 8;
          break;
        case 6:
          used = 4 + std::string(reader.text()).size();  // a copy touches every byte
          break;
        case 7:
          used = 8 + reader.numbers<std::uint16_t>().size() * 2;
          break;
        case 8:
          used = 8 + reader.numbers<double>().size() * 8;
          break;
        default:
          if (reader.count(3) > reader.remaining() / 3) return "a count beyond what is left";
          used = 8;
      }
      if (reader.remaining() + used != before) return "a call used another number of bytes than it returned";
    }
    const std::size_t left = reader.remaining();
    reader.expect_end();
    if (left != 0) return "bytes were left at the end";
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("bytes: ")) return "a message without the name: " + std::string(message);
    if (message.find('\n') != std::string_view::npos) return "a message of several lines";
  }
  return std::nullopt;
}

}  // namespace copse
