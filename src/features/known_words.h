#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "features/hashing.h"
#include "io/bytes.h"

namespace copse {

// Hashes of text, folded character by character, so that those of all parts that begin somewhere come on the
// way.
class TextHash {
 public:
  void add(char32_t folded) { value_ = mix(value_ + folded); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x2545F4914F6CDD1DULL;
};

inline std::uint64_t text_hash(std::u32string_view folded) {
  TextHash hash;
  for (const char32_t character : folded) hash.add(character);
  return hash.value();
}

// What training data says about words and other texts, by their hashes: flags, or any byte but 0, that the
// caller gives a meaning. Of a hash, 32 bits are kept: an unknown text is taken for a known one once in 2^32
// / size() times.
class KnownWords {
 public:
  using Flags = std::uint8_t;

  KnownWords() : table_(1) {}

  void add(std::uint64_t hash, Flags flags);
  // 0 if the word is not there.
  Flags find(std::uint64_t hash) const {
    const std::uint32_t key = key_of(hash);
    for (std::size_t place = home(key);; place = next(place)) {
      if (table_[place].key == key) return table_[place].flags;
      if (table_[place].key == kEmpty) return 0;
    }
  }
  std::size_t size() const { return size_; }

  void save(ByteWriter& writer) const;
  static KnownWords load(ByteReader& reader);

 private:
  static constexpr std::uint32_t kEmpty = 0;
  struct Entry {
    std::uint32_t key = kEmpty;
    Flags flags = 0;
  };

  static std::uint32_t key_of(std::uint64_t hash) {
    const auto key = static_cast<std::uint32_t>(hash >> 32);
    return key == kEmpty ? 1 : key;
  }
  std::size_t home(std::uint32_t key) const { return key & (table_.size() - 1); }
  std::size_t next(std::size_t place) const { return (place + 1) & (table_.size() - 1); }
  void add_key(std::uint32_t key, Flags flags);
  void grow();

  std::vector<Entry> table_;  // a power of two, never full
  std::size_t size_ = 0;
};

}  // namespace copse
