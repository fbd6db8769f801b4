#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/error.h"
#include "vectors/vector_reader.h"

namespace copse {

inline constexpr std::array kVectorSections = {"vectors/settings", "vectors/words", "vectors/codes",
                                               "vectors/scales"};

inline std::optional<std::string> vectors_refusal_violation(const DataError& error) {
  const std::string_view message = error.what();
  if (!message.starts_with("file:")) return "a message without the name: " + std::string(message);
  if (message.find('\n') != std::string_view::npos) return "a message of several lines";
  if (message.find("; ") == std::string_view::npos) return "no advice: " + std::string(message);
  return std::nullopt;
}

inline std::optional<std::string> vectors_use_violation(const WordVectors& vectors) {
  std::vector<float> values(vectors.dimension());
  for (std::size_t number = 0; number < vectors.size(); ++number) {
    if (vectors.find(vectors.word(number)) != number) return "a word that is not found";
    vectors.copy_row(number, values);
    for (const float value : values) {
      if (!std::isfinite(value)) return "a value that is no number";
    }
  }
  if (vectors.find("")) return "an empty word";
  const WordVectors half = vectors.truncated(vectors.size() / 2);
  if (half.size() != vectors.size() / 2) return "another size";
  if (vectors.size() > 0 && half.find(vectors.word(vectors.size() - 1))) return "a word beyond the end";
  return std::nullopt;
}

// Bytes, of whatever format, are either refused with a DataError or are vectors that can be used. Returns
// what went wrong, or nothing.
inline std::optional<std::string> vector_reader_violation(std::string bytes) {
  try {
    return vectors_use_violation(read_vectors(open_memory(std::move(bytes)), "file"));
  } catch (const DataError& error) {
    return vectors_refusal_violation(error);
  }
}

}  // namespace copse
