#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "features/hashing.h"

namespace copse {

// Numbers of words by their text. The text lies elsewhere: all words in one, each with a line feed behind it.
// One flat table, which takes a few milliseconds to fill when a file is loaded, so that files need none.
class WordTable {
 public:
  WordTable() : slots_(2), ends_(1, 0) {}

  std::size_t size() const { return ends_.size() - 1; }

  std::string_view word(std::string_view words, std::size_t number) const {
    return words.substr(ends_[number], ends_[number + 1] - ends_[number] - 1);
  }

  std::optional<std::uint32_t> find(std::string_view words, std::string_view word) const {
    const std::uint64_t hash = hash_text(word);
    for (std::size_t place = home(hash);; place = next(place)) {
      const Slot& slot = slots_[place];
      if (slot.number_plus_one == 0) return std::nullopt;
      if (slot.tag == tag(hash) && this->word(words, slot.number_plus_one - 1) == word) {
        return slot.number_plus_one - 1;
      }
    }
  }

  // Of the word that comes next in `words`, in which the last one added so far ends before it. Returns false
  // if it is there already.
  bool add(std::string_view words, std::string_view word) {
    if (find(words, word)) return false;
    ends_.push_back(ends_.back() + word.size() + 1);
    if (2 * size() > slots_.size()) {
      grow(words);
    }
    insert(hash_text(word), static_cast<std::uint32_t>(size()));
    return true;
  }

  // Of the first `count` words.
  std::size_t bytes_of_words(std::size_t count) const { return ends_[count]; }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number_plus_one = 0;  // 0: nothing here
  };

  static std::uint32_t tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::size_t home(std::uint64_t hash) const { return hash & (slots_.size() - 1); }
  std::size_t next(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }

  void insert(std::uint64_t hash, std::uint32_t number_plus_one) {
    std::size_t place = home(hash);
    while (slots_[place].number_plus_one != 0) place = next(place);
    slots_[place] = {tag(hash), number_plus_one};
  }

  // All words but the last, which is being added.
  void grow(std::string_view words) {
    slots_.assign(2 * slots_.size(), Slot());
    for (std::size_t number = 0; number + 1 < size(); ++number) {
      insert(hash_text(word(words, number)), static_cast<std::uint32_t>(number + 1));
    }
  }

  std::vector<Slot> slots_;          // a power of two, at most half full
  std::vector<std::uint64_t> ends_;  // where each word begins, and the end
};

}  // namespace copse
