#include "treebank/format_detection.h"

#include <algorithm>
#include <array>

#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::array<std::string_view, 18> kUniversalTags = {
    "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X",    "CONJ" /* UD version 1 */};

bool has_universal_tag(const Token& word) {
  return std::find(kUniversalTags.begin(), kUniversalTags.end(), word.upos()) != kUniversalTags.end();
}

bool has_conllu_columns(const Token& word) {
  const size_t colon = word.deps().find(':');
  const bool is_enhanced_graph =
      colon != std::string_view::npos && word.deps()[0] >= '0' && word.deps()[0] <= '9';
  return is_enhanced_graph || word.misc().find('=') != std::string_view::npos;
}

bool has_projective_head(const Token& word) { return parse_head(word.deps()).value_or(kNoHead) != kNoHead; }

// 7, 3-4 or 8.1
bool is_row_id(std::string_view text) {
  const auto skip_digits = [&text] {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(digits);
    return digits > 0;
  };
  if (!skip_digits()) return false;
  if (text.empty()) return true;
  const bool is_pair = text[0] == '-' || text[0] == '.';
  text.remove_prefix(1);
  return is_pair && skip_digits() && text.empty();
}

}  // namespace

ContentLine first_content_line(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const bool is_whole = end != std::string_view::npos;
    std::string_view line = bytes.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_blank = line.find_first_not_of(" \t\v\f\r") == std::string_view::npos;
    if (!is_blank && line[0] != '#') return {line, is_whole};
    bytes.remove_prefix(is_whole ? end + 1 : bytes.size());
  }
  return {};
}

bool looks_like_treebank_row(std::string_view line) {
  constexpr std::ptrdiff_t kColumns = 10;
  const std::ptrdiff_t columns = 1 + std::count(line.begin(), line.end(), '\t');
  if (columns == kColumns) return true;
  if (columns == 3) return parse_head(line.substr(line.rfind('\t') + 1)).has_value();
  return looks_like_numbered_row(line);
}

bool looks_like_numbered_row(std::string_view line) {
  constexpr std::ptrdiff_t kFewestTabs = 4;
  return std::count(line.begin(), line.end(), '\t') >= kFewestTabs &&
         is_row_id(line.substr(0, line.find('\t')));
}

bool looks_like_tab3(std::string_view line) {
  if (std::count(line.begin(), line.end(), '\t') != 2) return false;
  return !line.starts_with('#') || parse_head(line.substr(line.rfind('\t') + 1)).has_value();
}

bool has_conllu_lines(const Sentence& sentence) {
  return !sentence.comments().empty() || !sentence.multiwords().empty() || !sentence.empty_nodes().empty();
}

ConllFormat judge_ten_columns(const Sentence& sentence) {
  const auto words = sentence.words();
  if (has_conllu_lines(sentence) || std::any_of(words.begin(), words.end(), has_conllu_columns)) {
    return ConllFormat::conllu;
  }
  if (std::any_of(words.begin(), words.end(), has_projective_head)) return ConllFormat::conllx;
  return std::all_of(words.begin(), words.end(), has_universal_tag) ? ConllFormat::conllu
                                                                    : ConllFormat::conllx;
}

}  // namespace copse
