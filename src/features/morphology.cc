#include "features/morphology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "features/hashing.h"
#include "text/attribute_list.h"

namespace copse {
namespace {

// Positional tags of rich languages come by the thousand, English ones are fifty.
constexpr std::size_t kManyTags = 150;
// What FEATS says beyond the fine tag, bits per word; 0.8 on en_ewt, whose tags know all that matters.
constexpr double kSilentTags = 1.25;
// What a refinement must tell about the other end of an arc, bits per word with the tag.
constexpr double kLeastInformation = 0.01;
// Of a word; longer lists are no morphology.
constexpr int kMostKeys = 32;

constexpr char kBare = '|';  // no key can have it

bool is_bare(std::string_view entry) { return entry.find('=') == std::string_view::npos; }

double bits(double count, double share) { return count * std::log2(share); }

template <class Key>
using Counts = std::map<Key, double>;

// The entropy of the second, given the first: bits per count.
double conditional_entropy(const Counts<std::pair<std::string_view, std::string_view>>& pairs) {
  Counts<std::string_view> firsts;
  double all = 0.0;
  for (const auto& [pair, count] : pairs) {
    firsts[pair.first] += count;
    all += count;
  }
  double sum = 0.0;
  for (const auto& [pair, count] : pairs) sum -= bits(count, count / firsts[pair.first]);
  return all > 0.0 ? sum / all : 0.0;
}

// Calls use(key, value) for the first features of a word with different keys.
template <class Use>
void for_each_key(std::string_view feats, Use use) {
  int bare = 0;
  int keys = 0;
  for_each_attribute(feats, [&](std::string_view entry) {
    if (entry.empty()) return true;
    if (is_bare(entry)) {
      use(fmt::format("{}{}", kBare, bare++), entry);
    } else {
      const std::string_view key = attribute_key(entry);
      use(std::string(key), entry.substr(key.size() + 1));
    }
    return ++keys < kMostKeys;
  });
}

std::optional<std::string_view> value_of(std::string_view feats, std::string_view key) {
  if (key.empty() || key.front() != kBare) return attribute_value(feats, key);
  std::optional<std::string_view> value;
  int number = 0;
  for (const char digit : key.substr(1)) number = std::min(number * 10 + (digit - '0'), kMostKeys);
  for_each_attribute(feats, [&](std::string_view entry) {
    if (entry.empty() || !is_bare(entry)) return true;
    if (number-- == 0) value = entry;
    return !value;
  });
  return value;
}

// What a word is seen with: the value of a key, the coarse tag of the other end, and the place of that.
using Observation = std::tuple<std::string_view, std::string_view, int>;

// The words with one coarse tag, and what their arcs are like.
struct TagUse {
  Counts<std::pair<std::string_view, int>> others;         // tag and place of the other end
  std::map<std::string, Counts<Observation>> by_key;       // words without the key are not among them
  std::map<std::string, Counts<std::string_view>> values;  // by key
  double words = 0.0;
};

void add_arc(std::string_view feats, std::string_view other, int place, TagUse& use) {
  use.words += 1.0;
  use.others[{other, place}] += 1.0;
  for_each_key(feats, [&](const std::string& key, std::string_view value) {
    use.by_key[key][{value, other, place}] += 1.0;
    use.values[key][value] += 1.0;
  });
}

// The mutual information of the value of a key, if any, and the other end of an arc: bits per arc.
double information(const TagUse& use, const std::string& key) {
  const Counts<Observation>& seen = use.by_key.at(key);
  const Counts<std::string_view>& values = use.values.at(key);
  Counts<std::pair<std::string_view, int>> without = use.others;
  double words_without = use.words;
  double sum = 0.0;
  for (const auto& [observation, count] : seen) {
    const auto& [value, other, place] = observation;
    sum += bits(count, count * use.words / (values.at(value) * use.others.at({other, place})));
    without[{other, place}] -= count;
    words_without -= count;
  }
  for (const auto& [other, count] : without) {
    if (count > 0.0 && words_without > 0.0) {
      sum += bits(count, count * use.words / (words_without * use.others.at(other)));
    }
  }
  return sum / use.words;
}

std::vector<Morphology::Refinement> choose_refinements(std::span<const Sentence> sentences,
                                                       CoarseRule coarse) {
  std::map<std::string_view, TagUse> uses;
  for (const Sentence& sentence : sentences) {
    for (int word = 1; word <= sentence.size(); ++word) {
      const Token& modifier = sentence[word];
      const int head = modifier.head();
      if (head == kNoHead || head < 0 || head > sentence.size()) continue;
      const int side = head < word ? 0 : 1;
      const std::string_view tag = coarse_tag(modifier, coarse);
      const std::string_view head_tag = head == 0 ? "" : coarse_tag(sentence[head], coarse);
      add_arc(modifier.feats(), head_tag, side, uses[tag]);
      if (head != 0) add_arc(sentence[head].feats(), tag, 2 + side, uses[head_tag]);
    }
  }
  std::vector<Morphology::Refinement> refinements;
  for (const auto& [tag, use] : uses) {
    double most = kLeastInformation;
    std::string_view best;
    for (const auto& [key, seen] : use.by_key) {
      const double own = information(use, key);
      if (own <= most) continue;
      most = own;
      best = key;
    }
    if (!best.empty()) refinements.push_back({std::string(tag), std::string(best)});
  }
  return refinements;
}

}  // namespace

bool is_rich_in_morphology(std::span<const Sentence> sentences) {
  Counts<std::pair<std::string_view, std::string_view>> pairs;
  std::set<std::string_view> tags;
  bool has_feats = false;
  for (const Sentence& sentence : sentences) {
    for (const Token& word : sentence.words()) {
      pairs[{fine_tag(word), word.feats()}] += 1.0;
      tags.insert(fine_tag(word));
      has_feats = has_feats || word.feats() != "_";
    }
  }
  return has_feats && (tags.size() >= kManyTags || conditional_entropy(pairs) >= kSilentTags);
}

Morphology choose_morphology(std::span<const Sentence> sentences, CoarseRule coarse) {
  if (!is_rich_in_morphology(sentences)) return {};
  return {true, choose_refinements(sentences, coarse)};
}

TagRefiner::TagRefiner(const Morphology& morphology) {
  for (const auto& [tag, key] : morphology.refinements) entries_.push_back({hash_text(tag), key});
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.tag < b.tag; });
}

std::uint64_t TagRefiner::refined_tag(std::uint64_t coarse, std::string_view feats) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), coarse,
                                      [](const Entry& entry, std::uint64_t tag) { return entry.tag < tag; });
  if (found == entries_.end() || found->tag != coarse) return coarse;
  const std::optional<std::string_view> value = value_of(feats, found->key);
  return value ? mix(coarse + hash_text(*value)) : coarse;
}

void SingleFeats::assign(const Sentence& sentence) {
  constexpr Feature kRoot = {hash_text("\x01 root"), hash_text("\x01 root")};
  constexpr Feature kNone = {hash_text("\x01 none"), hash_text("\x01 none")};
  features_.assign(1, kRoot);
  begins_.assign({0, 1});
  for (const Token& word : sentence.words()) {
    const std::size_t begin = features_.size();
    for_each_attribute(word.feats(), [&](std::string_view entry) {
      if (entry.empty()) return true;
      const std::uint64_t hash = hash_text(entry);
      const bool is_new = std::none_of(features_.begin() + static_cast<std::ptrdiff_t>(begin),
                                       features_.end(), [&](const Feature& f) { return f.entry == hash; });
      if (is_new) features_.push_back({hash_text(attribute_key(entry)), hash});
      return features_.size() - begin < kMost;
    });
    if (features_.size() == begin) features_.push_back(kNone);
    begins_.push_back(size());
  }
}

std::uint64_t SingleFeats::agreement(int head, int modifier) const {
  std::uint64_t sum = 0;
  for (int first = begin(head); first < end(head); ++first) {
    const Feature& own = (*this)[first];
    for (int second = begin(modifier); second < end(modifier); ++second) {
      const Feature& other = (*this)[second];
      if (own.key == other.key) sum += mix(own.key + (own.entry == other.entry ? 1 : 0));
    }
  }
  return mix(sum);
}

}  // namespace copse
