#pragma once

#include <cstddef>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/bytes.h"
#include "vectors/vector_reader.h"

namespace copse::testing {

using NamedVectors = std::vector<std::pair<std::string, std::vector<float>>>;

inline WordVectors build_vectors(const NamedVectors& rows) {
  WordVectorsBuilder builder(rows.at(0).second.size());
  for (const auto& [word, values] : rows) builder.add(word, values);
  return builder.build();
}

inline NamedVectors random_vectors(std::mt19937_64& random, std::size_t words, std::size_t dimension) {
  NamedVectors rows;
  std::normal_distribution<float> normal;
  for (std::size_t word = 0; word < words; ++word) {
    std::vector<float> values(dimension);
    const float size = std::exp(normal(random));
    for (float& value : values) value = size * normal(random);
    rows.emplace_back("w" + std::to_string(word) + (word % 3 == 0 ? "ß" : ""), values);
  }
  return rows;
}

inline WordVectors read_text_vectors(std::string text, std::size_t max_words = WordVectors::kMostWords) {
  return read_vectors(open_memory(std::move(text)), "file", {max_words});
}

inline std::vector<float> row_of(const WordVectors& vectors, std::size_t number) {
  std::vector<float> values(vectors.dimension());
  vectors.copy_row(number, values);
  return values;
}

// word2vec's binary format.
inline std::string binary_vectors(const NamedVectors& rows, bool ends_rows = true) {
  std::string text = std::to_string(rows.size()) + " " + std::to_string(rows.at(0).second.size()) + "\n";
  for (const auto& [word, values] : rows) {
    text += word + " ";
    for (const float value : values) {
      std::byte bytes[sizeof(float)];
      store_little_endian(value, bytes);
      text += as_text(bytes);
    }
    if (ends_rows) text += "\n";
  }
  return text;
}

}  // namespace copse::testing
