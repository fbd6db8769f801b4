#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/word_table.h"

namespace copse {

// Words with ids and counts. Where there are too many different ones for memory, the rarest are forgotten:
// should they come again, they are new.
class CountedWords {
 public:
  explicit CountedWords(std::size_t most) : most_(most) {}

  // The id of a word, which comes `times` more often now. Ids count from 0, and none is given twice. Throws
  // DataError when there are none left.
  std::uint32_t add(std::string_view word, std::uint64_t times = 1);
  // The same for words that are there already; no id for others.
  std::optional<std::uint32_t> add_known(std::string_view word, std::uint64_t times = 1);
  // Of the next new word.
  std::uint32_t next_id() const { return next_id_; }

  // Those that are not forgotten, by place, in the order in which they came.
  std::size_t size() const { return table_.size(); }
  std::string_view word(std::size_t place) const { return table_.word(texts_, place); }
  std::uint64_t count(std::size_t place) const { return counts_[place]; }
  std::uint32_t id(std::size_t place) const { return ids_[place]; }

  // Places of at most so many words that came at least so often, from the most frequent to the rarest; of
  // equal ones, the first first.
  std::vector<std::uint32_t> most_frequent(std::uint64_t min_count, std::size_t max_words) const;

 private:
  void forget_rare();

  std::size_t most_;
  std::string texts_;
  WordTable table_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> ids_;
  std::uint32_t next_id_ = 0;
};

}  // namespace copse
