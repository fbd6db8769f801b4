#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "copse/error.h"
#include "io/section_file.h"
#include "pipeline/model_settings.h"

namespace copse {

// The options that a model was made with are either refused with a DataError, or they are read. Returns what
// went wrong, or nothing.
inline std::optional<std::string> settings_violation(std::span<const std::byte> bytes) {
  try {
    for (const auto& [name, value] : read_settings(SectionFile::from_bytes(bytes, "file"))) {
      if (value.valueless_by_exception()) return "no value of " + name;
    }
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("file: ")) return "a message without the name: " + std::string(message);
    if (message.find("; ") == std::string_view::npos) return "no advice: " + std::string(message);
  }
  return std::nullopt;
}

}  // namespace copse
