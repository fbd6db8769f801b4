#include "features/coarse_tags.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, 5> kRuleNames = {"treebank", "english", "czech", "chinese", "none"};

constexpr std::string_view kEmptyColumn = "_";

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& tags, std::string_view tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

std::string_view without_last_character(std::string_view text) {
  return text.substr(0, text.size() - last_characters(text, 1).size());
}

std::string_view english_coarse_tag(std::string_view fine) {
  constexpr std::array<std::string_view, 2> kWhole = {"PRP", "PRP$"};
  return contains(kWhole, fine) ? fine : first_characters(fine, 2);
}

std::string_view chinese_coarse_tag(std::string_view fine) {
  constexpr std::array<std::string_view, 2> kWhole = {"PU", "CD"};
  if (contains(kWhole, fine)) return fine;
  const std::string_view shortened = without_last_character(fine);
  return shortened.empty() ? fine : shortened;
}

}  // namespace

std::string_view name(CoarseRule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

std::optional<CoarseRule> parse_coarse_rule(std::string_view name) {
  const auto found = std::find(kRuleNames.begin(), kRuleNames.end(), name);
  if (found == kRuleNames.end()) return std::nullopt;
  return static_cast<CoarseRule>(found - kRuleNames.begin());
}

std::string_view coarse_tag(const Token& token, CoarseRule rule) {
  switch (rule) {
    case CoarseRule::treebank:
      return token.upos();
    case CoarseRule::english:
      return english_coarse_tag(fine_tag(token));
    case CoarseRule::czech:
      return first_characters(fine_tag(token), 1);
    case CoarseRule::chinese:
      return chinese_coarse_tag(fine_tag(token));
    case CoarseRule::none:
      break;
  }
  return fine_tag(token);
}

CoarseRule choose_coarse_rule(std::span<const Sentence> sentences, Team& team) {
  constexpr std::array<std::string_view, 2> kChineseOnly = {"NR", "VV"};
  constexpr std::array<std::string_view, 3> kEnglish = {"NN", "NNP", "VBD"};
  bool has_upos = false;
  bool has_xpos = false;
  bool looks_chinese = false;
  bool looks_english = false;
  for (const Sentence& sentence : sentences) {
    for (const Token& word : sentence.words()) {
      has_upos = has_upos || word.upos() != kEmptyColumn;
      has_xpos = has_xpos || word.xpos() != kEmptyColumn;
      const std::string_view tag = fine_tag(word);
      looks_chinese = looks_chinese || contains(kChineseOnly, tag);
      looks_english = looks_english || contains(kEnglish, tag);
    }
    if (has_upos && has_xpos) break;  // the rest does not matter
  }
  std::array<std::int64_t, 4> seen = {has_upos, has_xpos, looks_chinese, looks_english};
  team.add_up(seen);
  if (seen[0] > 0 && seen[1] > 0) return CoarseRule::treebank;
  if (seen[2] > 0) return CoarseRule::chinese;
  return seen[3] > 0 ? CoarseRule::english : CoarseRule::none;
}

}  // namespace copse
