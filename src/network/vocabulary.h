#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/section_file.h"

namespace copse {

// Texts that have numbers: words, tags, labels. Number 0 is everything that is not among them.
class Vocabulary {
 public:
  static constexpr std::uint32_t kUnknown = 0;

  Vocabulary() = default;
  // Numbered from 1, in this order. Texts that come twice throw std::invalid_argument.
  explicit Vocabulary(std::vector<std::string> texts);

  // With the unknown one.
  std::size_t size() const { return texts_.size() + 1; }
  bool empty() const { return texts_.empty(); }
  std::uint32_t find(std::string_view text) const {
    const auto found = numbers_.find(text);
    return found == numbers_.end() ? kUnknown : found->second;
  }
  // Not of the unknown one.
  const std::string& operator[](std::uint32_t number) const { return texts_[number - 1]; }

  void add_to(SectionFileWriter& file, std::string_view section) const;
  // Throws DataError for a section that is damaged.
  static Vocabulary from_file(const SectionFile& file, std::string_view section);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const;
  };

  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

// Counts texts, and gives a vocabulary of those that came often enough, in alphabetical order.
class VocabularyCounter {
 public:
  void add(std::string_view text);
  Vocabulary vocabulary(std::size_t least) const;
  bool empty() const { return counts_.empty(); }

 private:
  std::unordered_map<std::string, std::size_t> counts_;
};

}  // namespace copse
