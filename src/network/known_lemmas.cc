#include "network/known_lemmas.h"

#include <algorithm>
#include <map>

#include "features/hashing.h"
#include "features/lemma_rule.h"

namespace copse {
namespace {

constexpr std::string_view kWordSection = "network/lemma-words";
constexpr std::string_view kRuleSection = "network/lemma-rules";

}  // namespace

std::uint64_t KnownLemmas::key_of(const Token& word) {
  const std::string_view tag = word.upos() != "_" ? word.upos() : word.xpos();
  return mix(hash_text(word.form()) + mix(hash_text(tag)));
}

KnownLemmas::KnownLemmas(std::span<const Sentence* const> sentences, const Vocabulary& rules) {
  std::map<std::uint64_t, std::map<std::uint32_t, std::size_t>> counts;
  for (const Sentence* sentence : sentences) {
    for (const Token& word : sentence->words()) {
      if (word.lemma() == "_") continue;
      const std::uint32_t rule = rules.find(LemmaRule::between(word.form(), word.lemma()).text());
      if (rule != Vocabulary::kUnknown) ++counts[key_of(word)][rule];
    }
  }
  for (const auto& [key, found] : counts) {
    const auto best = std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return a.second < b.second;  // of equally frequent ones, the first
    });
    keys_.push_back(key);
    rules_.push_back(best->first);
  }
}

std::optional<std::uint32_t> KnownLemmas::find(const Token& word) const {
  const std::uint64_t key = key_of(word);
  const auto found = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (found == keys_.end() || *found != key) return std::nullopt;
  return rules_[static_cast<std::size_t>(found - keys_.begin())];
}

void KnownLemmas::add_to(SectionFileWriter& file) const {
  if (keys_.empty()) return;
  file.add_numbers(kWordSection, keys_);
  file.add_numbers(kRuleSection, rules_);
}

KnownLemmas KnownLemmas::from_file(const SectionFile& file, std::size_t rules) {
  KnownLemmas lemmas;
  if (!file.has(kWordSection)) return lemmas;
  const auto keys = file.numbers<std::uint64_t>(kWordSection);
  const auto numbers = file.numbers<std::uint32_t>(kRuleSection);
  lemmas.keys_.assign(keys.begin(), keys.end());
  lemmas.rules_.assign(numbers.begin(), numbers.end());
  const bool are_rules = std::all_of(lemmas.rules_.begin(), lemmas.rules_.end(),
                                     [rules](std::uint32_t rule) { return rule > 0 && rule < rules; });
  if (lemmas.keys_.size() != lemmas.rules_.size() || !are_rules ||
      !std::is_sorted(lemmas.keys_.begin(), lemmas.keys_.end())) {
    file.reader(kWordSection).fail("does not fit the rules of lemmas");
  }
  return lemmas;
}

}  // namespace copse
