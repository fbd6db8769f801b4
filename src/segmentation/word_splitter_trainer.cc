#include <algorithm>
#include <optional>

#include "segmentation/word_splitter.h"

namespace copse {
namespace {

// An end is a rule if so many forms have been seen with it, and so large a share of them is split alike.
constexpr std::int64_t kFewestForms = 3;
constexpr double kSmallestShare = 0.8;

struct EndCounts {
  std::int64_t forms = 0;
  std::map<WordSplit, std::int64_t> splits;
};

template <class Counts>
auto most_frequent(const Counts& splits) {
  return std::max_element(splits.begin(), splits.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; });
}

// How many characters of the end a split is about.
std::size_t reach(const WordSplit& split) {
  if (!split.is_parts()) return split.cut;
  std::size_t sum = 0;
  for (const std::uint32_t length : split.lengths) sum += length;
  return sum;
}

}  // namespace

void WordSplitterTrainer::add_split(std::string_view form, std::span<const std::string_view> words) {
  Counts& counts = counts_[folded_text(form)];
  // Not more words than characters: sentences do not become much longer than their texts.
  const bool is_usable =
      words.size() >= 2 && words.size() <= folded_text(form).size() && words.size() <= WordSplit::kMostWords;
  if (is_usable)
    ++counts.splits[WordSplit::between(form, words)];
  else
    ++counts.whole;
}

// Against a rule, one example is not enough.
bool WordSplitterTrainer::is_certainly_whole(const Counts& counts) {
  return counts.whole > counts.times_split() + 1;
}

WordSplitter WordSplitterTrainer::train() const {
  std::map<WordSplit, std::uint32_t> numbers;
  WordSplitter splitter;
  const auto number = [&](const WordSplit& split) {
    const auto [place, is_new] = numbers.emplace(split, static_cast<std::uint32_t>(numbers.size()));
    if (is_new) splitter.splits_.push_back(split);
    return place->second;
  };
  // What becomes of each form, in most cases.
  std::map<std::u32string, std::optional<WordSplit>> decisions;
  std::map<std::u32string, EndCounts> ends;
  for (const auto& [form, counts] : counts_) {
    std::optional<WordSplit> decision;
    if (counts.times_split() > counts.whole) decision = most_frequent(counts.splits)->first;
    for (std::size_t length = 1; length <= WordSplitter::kLongestEnd && length < form.size(); ++length) {
      EndCounts& end = ends[form.substr(form.size() - length)];
      ++end.forms;
      if (decision && reach(*decision) <= length && reach(*decision) > 0) ++end.splits[*decision];
    }
    decisions.emplace(form, std::move(decision));
  }
  std::vector<std::u32string> by_length;
  for (const auto& [text, counts] : ends) {
    if (!counts.splits.empty()) by_length.push_back(text);
  }
  std::stable_sort(by_length.begin(), by_length.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  for (const std::u32string& text : by_length) {
    const EndCounts& counts = ends.at(text);
    const auto best = most_frequent(counts.splits);
    const bool is_rule =
        best->second >= kFewestForms &&
        static_cast<double>(best->second) >= kSmallestShare * static_cast<double>(counts.forms);
    if (!is_rule) continue;
    // A shorter end that says the same is enough.
    const WordSplit* shorter = splitter.find(text);
    if (shorter == nullptr || *shorter != best->first) splitter.ends_.emplace(text, number(best->first));
  }
  // Forms that the ends get wrong, or say nothing about.
  for (const auto& [form, decision] : decisions) {
    const WordSplit* found = splitter.find(form);
    const bool is_wrong = decision ? found == nullptr || *found != *decision
                                   : found != nullptr && is_certainly_whole(counts_.at(form));
    if (is_wrong) splitter.forms_.emplace(form, decision ? number(*decision) : WordSplitter::kWhole);
  }
  splitter.index();
  return splitter;
}

}  // namespace copse
