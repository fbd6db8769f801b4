#include "features/known_words.h"

#include <algorithm>
#include <utility>

namespace copse {

void KnownWords::add(std::uint64_t hash, Flags flags) { add_key(key_of(hash), flags); }

void KnownWords::add_key(std::uint32_t key, Flags flags) {
  if (2 * (size_ + 1) > table_.size()) grow();
  for (std::size_t place = home(key);; place = next(place)) {
    Entry& entry = table_[place];
    if (entry.key == kEmpty) {
      entry.key = key;
      ++size_;
    }
    if (entry.key != key) continue;
    entry.flags |= flags;
    return;
  }
}

void KnownWords::grow() {
  const std::vector<Entry> old = std::exchange(table_, std::vector<Entry>(2 * table_.size()));
  size_ = 0;
  for (const Entry& entry : old) {
    if (entry.key != kEmpty) add_key(entry.key, entry.flags);
  }
}

void KnownWords::save(ByteWriter& writer) const {
  std::vector<Entry> entries;
  std::copy_if(table_.begin(), table_.end(), std::back_inserter(entries),
               [](const Entry& entry) { return entry.key != kEmpty; });
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
  std::vector<std::uint32_t> keys;
  std::vector<Flags> flags;
  for (const Entry& entry : entries) {
    keys.push_back(entry.key);
    flags.push_back(entry.flags);
  }
  writer.numbers<std::uint32_t>(keys);
  writer.numbers<Flags>(flags);
}

KnownWords KnownWords::load(ByteReader& reader) {
  const std::vector<std::uint32_t> keys = reader.numbers<std::uint32_t>();
  const std::vector<Flags> flags = reader.numbers<Flags>();
  if (keys.size() != flags.size()) reader.fail("has words that do not fit");
  KnownWords words;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (keys[k] == kEmpty) reader.fail("has a word that cannot be");
    words.add_key(keys[k], flags[k]);
  }
  return words;
}

}  // namespace copse
