#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "io/bytes.h"

namespace copse {

// Equal for texts that differ in case and in kinds of quotation marks alone; as many characters as the text
// has.
std::u32string folded_text(std::string_view text);

// How the words of a token are made from its form. If they are nothing but its parts, these are cut out, and
// keep all their characters. Otherwise characters are taken off the end and replaced, and words added.
//
// Case is that of the form: a form in capital letters has such words, and so on.
struct WordSplit {
  static constexpr std::size_t kMostWords = 16;

  std::vector<std::uint32_t> lengths;  // parts: characters of all words but the first, from the second one
  std::uint32_t cut = 0;               // else: characters to take off the end
  std::vector<std::string> words;      // and what is put there; then the other words; at least two texts

  bool is_parts() const { return !lengths.empty(); }
  bool operator==(const WordSplit&) const = default;
  bool operator<(const WordSplit& other) const {
    return std::tie(lengths, cut, words) < std::tie(other.lengths, other.cut, other.words);
  }

  // The split with the longest beginning that is kept. At least two words.
  static WordSplit between(std::string_view form, std::span<const std::string_view> words);
  // Overwrites words; false if the form is too short for it.
  bool apply(std::string_view form, std::vector<std::string>& words) const;

  void save(ByteWriter& writer) const;
  static WordSplit load(ByteReader& reader);
};

// Knows which tokens are several words: by their forms, or, of forms that training data does not have, by
// their ends, where nearly all forms with such an end are split in the same way.
class WordSplitter {
 public:
  // Overwrites words by those of a token; false, and nothing is written, if it is a word itself.
  bool split(std::string_view form, std::vector<std::string>& words) const;

  bool empty() const { return forms_.empty() && ends_.empty(); }
  std::size_t forms() const { return forms_.size(); }
  std::size_t ends() const { return ends_.size(); }

  void save(ByteWriter& writer) const;
  static WordSplitter load(ByteReader& reader);

 private:
  friend class WordSplitterTrainer;
  static constexpr std::size_t kLongestEnd = 8;

  const WordSplit* find(const std::u32string& folded) const;
  void index();

  std::vector<WordSplit> splits_;
  // Numbers of splits, by folded text; kWhole for forms that are words although their ends look otherwise.
  static constexpr std::uint32_t kWhole = 0xFFFFFFFF;
  std::unordered_map<std::u32string, std::uint32_t> forms_;
  std::unordered_map<std::u32string, std::uint32_t> ends_;
  std::array<std::uint8_t, 256> may_end_{};  // by a hash of the last character: most tokens need no look-up
};

// Collects tokens, and makes a splitter of them.
class WordSplitterTrainer {
 public:
  void add_word(std::string_view form) { ++counts_[folded_text(form)].whole; }
  void add_split(std::string_view form, std::span<const std::string_view> words);

  WordSplitter train() const;

 private:
  struct Counts {
    std::int64_t whole = 0;
    std::map<WordSplit, std::int64_t> splits;

    std::int64_t times_split() const {
      std::int64_t sum = 0;
      for (const auto& [split, count] : splits) sum += count;
      return sum;
    }
  };

  static bool is_certainly_whole(const Counts& counts);

  std::map<std::u32string, Counts> counts_;
};

}  // namespace copse
