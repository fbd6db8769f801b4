#include "vectors/character_ngrams.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "features/hashing.h"
#include "text/utf8.h"

namespace copse {
namespace {

// Longer words are addresses and the like, which share too much with nobody.
constexpr std::size_t kLongestWord = 40;

struct Ngram {
  std::uint64_t hash;
  std::uint64_t count;  // in the text
};

// The hashes of all n-grams of a word, each once, in order.
void list_ngrams(std::string_view word, NgramLengths lengths, std::string& marked,
                 std::vector<std::size_t>& starts, std::vector<std::uint64_t>& hashes) {
  hashes.clear();
  marked.assign("<").append(word).append(">");
  starts.clear();
  for (std::size_t k = 0; k < marked.size(); ++k) {
    if (!continues_character(marked[k])) starts.push_back(k);
  }
  if (starts.size() > kLongestWord) return;
  starts.push_back(marked.size());
  const std::size_t characters = starts.size() - 1;
  const auto shortest = static_cast<std::size_t>(std::max(1, lengths.shortest));
  const auto longest = static_cast<std::size_t>(lengths.longest);
  for (std::size_t first = 0; first < characters; ++first) {
    for (std::size_t length = shortest; length <= std::min(longest, characters - first); ++length) {
      const std::size_t begin = starts[first];
      const std::size_t end = starts[first + length];
      hashes.push_back(hash_text(std::string_view(marked).substr(begin, end - begin)));
    }
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

// Those of several words, the most frequent first: what is often read lies side by side.
std::vector<Ngram> shared_ngrams(std::vector<Ngram> all) {
  std::sort(all.begin(), all.end(), [](const Ngram& a, const Ngram& b) { return a.hash < b.hash; });
  std::vector<Ngram> shared;
  for (std::size_t k = 0; k < all.size();) {
    const std::size_t first = k;
    Ngram sum{all[k].hash, 0};
    for (; k < all.size() && all[k].hash == sum.hash; ++k) sum.count += all[k].count;
    if (k - first > 1) shared.push_back(sum);
  }
  std::sort(shared.begin(), shared.end(), [](const Ngram& a, const Ngram& b) {
    return a.count != b.count ? a.count > b.count : a.hash < b.hash;
  });
  if (shared.size() > CharacterNgrams::kMostNgrams) shared.resize(CharacterNgrams::kMostNgrams);
  return shared;
}

}  // namespace

CharacterNgrams::CharacterNgrams(const TextVocabulary& vocabulary, NgramLengths lengths) {
  std::string marked;
  std::vector<std::size_t> starts;
  std::vector<std::uint64_t> hashes;
  std::vector<Ngram> all;
  for (std::size_t word = 0; word < vocabulary.words.size(); ++word) {
    list_ngrams(vocabulary.words[word], lengths, marked, starts, hashes);
    for (const std::uint64_t hash : hashes) all.push_back({hash, vocabulary.counts[word]});
  }
  const std::vector<Ngram> shared = shared_ngrams(std::move(all));
  std::unordered_map<std::uint64_t, std::uint32_t> row_of;
  row_of.reserve(shared.size());
  for (const Ngram& ngram : shared) {
    row_of.emplace(ngram.hash, static_cast<std::uint32_t>(vocabulary.words.size() + row_of.size()));
  }
  rows_ = vocabulary.words.size() + shared.size();
  for (std::size_t word = 0; word < vocabulary.words.size(); ++word) {
    begins_.push_back(parts_.size());
    parts_.push_back(static_cast<std::uint32_t>(word));
    list_ngrams(vocabulary.words[word], lengths, marked, starts, hashes);
    for (const std::uint64_t hash : hashes) {
      if (const auto found = row_of.find(hash); found != row_of.end()) parts_.push_back(found->second);
    }
  }
  begins_.push_back(parts_.size());
}

}  // namespace copse
