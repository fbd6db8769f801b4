#include "features/morphology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "features/hashing.h"
#include "parallel/team_values.h"
#include "text/attribute_list.h"

namespace copse {
namespace {

// Positional tags of rich languages come by the thousand, English ones are fifty.
constexpr std::size_t kManyTags = 150;
// What FEATS says beyond the fine tag, bits per word; 0.8 on en_ewt, whose tags know all that matters.
constexpr double kSilentTags = 1.25;
// What a refinement must tell about the other end of an arc, bits per word with the tag.
constexpr double kLeastInformation = 0.01;
// Of a word, and of the words with a tag; more are no morphology.
constexpr std::size_t kMostKeys = 32;
// Enough to find out which key tells most.
constexpr std::size_t kMostSentences = 10'000;

constexpr char kBare = '|';      // no key can have it
constexpr int kMostBare = 1000;  // files may say anything

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

// Calls use(key) for the first features of a word.
template <class Use>
void for_each_key(std::string_view feats, Use use) {
  int bare = 0;
  std::size_t keys = 0;
  for_each_attribute(feats, [&](std::string_view entry) {
    if (entry.empty()) return true;
    use(is_bare(entry) ? fmt::format("{}{}", kBare, bare++) : std::string(attribute_key(entry)));
    return ++keys < kMostKeys;
  });
}

std::optional<std::string_view> value_of(std::string_view feats, std::string_view key) {
  if (key.empty() || key.front() != kBare) return attribute_value(feats, key);
  std::optional<std::string_view> value;
  int number = 0;
  for (const char digit : key.substr(1)) number = std::min(number * 10 + (digit - '0'), kMostBare);
  for_each_attribute(feats, [&](std::string_view entry) {
    if (entry.empty() || !is_bare(entry)) return true;
    if (number-- == 0) value = entry;
    return !value;
  });
  return value;
}

// One end of an arc, and what it is seen with.
struct ArcEnd {
  std::string_view feats;
  std::string_view other_tag;  // of the other end; empty for the root
  std::string_view other_feats;
  int place;           // of the other end: head or modifier, left or right
  std::int64_t count;  // such ends
};

// Texts that are counted have several columns, as files have. Columns cannot contain tabs.
constexpr char kTab = '\t';

std::string_view take_column(std::string_view& columns) {
  const std::size_t end = columns.find(kTab);
  const std::string_view column = columns.substr(0, end);
  columns = end == std::string_view::npos ? std::string_view() : columns.substr(end + 1);
  return column;
}

// The mutual information of the value of a key, if any, and the other end of the arc: its tag, its place, and
// its own value of the key, for words agree. Bits per arc, less what chance alone would give (Miller 1955).
double information(std::span<const ArcEnd> ends, std::string_view key) {
  constexpr std::uint64_t kNone = 1;
  const auto hash_of_value = [&](std::string_view feats) {
    const std::optional<std::string_view> value = value_of(feats, key);
    return value ? hash_text(*value) : kNone;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> pairs;
  std::map<std::uint64_t, double> own;
  std::map<std::uint64_t, double> other;
  double all = 0.0;
  for (const ArcEnd& end : ends) {
    const std::uint64_t x = hash_of_value(end.feats);
    const std::uint64_t y = mix(mix(hash_text(end.other_tag) + static_cast<std::uint64_t>(end.place)) +
                                hash_of_value(end.other_feats));
    const auto count = static_cast<double>(end.count);
    pairs[{x, y}] += count;
    own[x] += count;
    other[y] += count;
    all += count;
  }
  double sum = 0.0;
  for (const auto& [pair, count] : pairs) {
    sum += bits(count, count * all / (own[pair.first] * other[pair.second]));
  }
  const double by_chance =
      static_cast<double>(own.size() - 1) * static_cast<double>(other.size() - 1) / (2.0 * std::log(2.0));
  return (sum - by_chance) / all;
}

std::vector<std::string> frequent_keys(std::span<const ArcEnd> ends) {
  std::map<std::string, std::int64_t> counts;
  for (const ArcEnd& end : ends) {
    for_each_key(end.feats, [&](std::string key) { counts[std::move(key)] += end.count; });
  }
  std::vector<std::pair<std::int64_t, std::string>> order;
  order.reserve(counts.size());
  for (const auto& [key, count] : counts) order.emplace_back(-count, key);
  std::sort(order.begin(), order.end());
  std::vector<std::string> keys;
  for (std::size_t k = 0; k < std::min(order.size(), kMostKeys); ++k)
    keys.push_back(std::move(order[k].second));
  return keys;
}

// The ends of arcs in a sample of the sentences of all processes, as texts: the tag, and what ArcEnd says.
std::map<std::string, std::int64_t> count_ends(std::span<const Sentence> sentences, CoarseRule coarse,
                                               Team& team) {
  std::map<std::string, std::int64_t> counts;
  const auto add = [&](std::string_view tag, std::string_view feats, std::string_view other_tag,
                       std::string_view other_feats, int place) {
    ++counts[fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}", kTab, tag, feats, other_tag, other_feats, place)];
  };
  const auto all = static_cast<std::size_t>(team.sum(static_cast<std::int64_t>(sentences.size())));
  const std::size_t step = (all + kMostSentences - 1) / kMostSentences;
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    if (number_of_own(team, k) % step != 0) continue;
    const Sentence& sentence = sentences[k];
    for (int word = 1; word <= sentence.size(); ++word) {
      const Token& modifier = sentence[word];
      const int head = modifier.head();
      if (head < 0 || head > sentence.size()) continue;  // none
      const int side = head < word ? 0 : 1;
      const std::string_view tag = coarse_tag(modifier, coarse);
      if (head == 0) {
        add(tag, modifier.feats(), "", "_", side);
        continue;
      }
      const Token& other = sentence[head];
      const std::string_view head_tag = coarse_tag(other, coarse);
      add(tag, modifier.feats(), head_tag, other.feats(), side);
      add(head_tag, other.feats(), tag, modifier.feats(), 2 + side);
    }
  }
  add_up(team, counts);
  return counts;
}

std::vector<Morphology::Refinement> choose_refinements(std::span<const Sentence> sentences, CoarseRule coarse,
                                                       Team& team) {
  const std::map<std::string, std::int64_t> counts = count_ends(sentences, coarse, team);
  std::map<std::string_view, std::vector<ArcEnd>> ends;  // by tag
  for (const auto& [text, count] : counts) {
    std::string_view rest = text;
    const std::string_view tag = take_column(rest);
    ArcEnd& end = ends[tag].emplace_back();
    end.feats = take_column(rest);
    end.other_tag = take_column(rest);
    end.other_feats = take_column(rest);
    end.place = rest.front() - '0';
    end.count = count;
  }
  std::vector<Morphology::Refinement> refinements;
  for (const auto& [tag, own] : ends) {
    double most = kLeastInformation;
    std::string best;
    for (const std::string& key : frequent_keys(own)) {
      const double found = information(own, key);
      if (found <= most) continue;
      most = found;
      best = key;
    }
    if (!best.empty()) refinements.push_back({std::string(tag), best});
  }
  return refinements;
}

}  // namespace

bool is_rich_in_morphology(std::span<const Sentence> sentences, Team& team) {
  std::map<std::string, std::int64_t> counts;  // of fine tags with FEATS
  for (const Sentence& sentence : sentences) {
    for (const Token& word : sentence.words()) {
      ++counts[fmt::format("{}{}{}", fine_tag(word), kTab, word.feats())];
    }
  }
  add_up(team, counts);
  Counts<std::pair<std::string_view, std::string_view>> pairs;
  std::set<std::string_view> tags;
  bool has_feats = false;
  for (const auto& [text, count] : counts) {
    std::string_view feats = text;
    const std::string_view tag = take_column(feats);
    pairs[{tag, feats}] += static_cast<double>(count);
    tags.insert(tag);
    has_feats = has_feats || feats != "_";
  }
  return has_feats && (tags.size() >= kManyTags || conditional_entropy(pairs) >= kSilentTags);
}

Morphology choose_morphology(std::span<const Sentence> sentences, CoarseRule coarse, Team& team) {
  if (!is_rich_in_morphology(sentences, team)) return {};
  return {true, choose_refinements(sentences, coarse, team)};
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
