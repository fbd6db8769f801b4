#include "copse/treebank/sentence.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "copse/error.h"
#include "text/utf8.h"

namespace copse {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kNoValue = "_";
constexpr size_t kMaxRowBytes = std::numeric_limits<uint32_t>::max() / 2;

void check_text(std::string_view text, std::string_view forbidden, const char* what) {
  const auto occurs = [text](char c) { return text.find(c) != std::string_view::npos; };
  if (std::any_of(forbidden.begin(), forbidden.end(), occurs) || !is_valid_utf8(text)) {
    throw DataError(std::string(what) + " cannot be " + quoted(text) +
                    "; tabs, line breaks, NUL and invalid UTF-8 have no place in it");
  }
}

// The value of a `# key = value` line; the spaces around key and value are optional.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  const auto skip_spaces = [&line] {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  };
  line.remove_prefix(1);
  skip_spaces();
  if (!line.starts_with(key)) return std::nullopt;
  line.remove_prefix(key.size());
  skip_spaces();
  if (!line.starts_with('=')) return std::nullopt;
  line.remove_prefix(1);
  skip_spaces();
  return line;
}

}  // namespace

std::optional<int> parse_head(std::string_view text) {
  if (text == kNoValue) return kNoHead;
  if (text.empty() || text[0] < '0' || text[0] > '9' || (text[0] == '0' && text.size() > 1))
    return std::nullopt;
  int head = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), head);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return head;
}

Row::Row() : text_("_\t_\t_\t_\t_\t_\t_\t_\t_") {
  for (uint32_t k = 0; k < kColumns; ++k) ends_[k] = 2 * k + 1;
}

bool Row::assign_columns(std::string_view columns) {
  if (columns.size() > kMaxRowBytes) return false;
  size_t begin = 0;
  for (int k = 0; k < kColumns; ++k) {
    const void* tab = std::memchr(columns.data() + begin, '\t', columns.size() - begin);
    const bool is_last = k == kColumns - 1;
    if ((tab == nullptr) != is_last) return false;
    const size_t end = is_last ? columns.size() : static_cast<const char*>(tab) - columns.data();
    if (end == begin) return false;
    ends_[k] = static_cast<uint32_t>(end);
    begin = end + 1;
  }
  text_.assign(columns);
  return true;
}

void Row::set_field(Column column, std::string_view value) {
  if (value.empty()) value = kNoValue;
  check_text(value, "\t\n\r\0"sv, "a field");
  set_checked(column, value);
}

void Row::set_checked(Column column, std::string_view value) {
  const std::string_view old = field(column);
  if (text_.size() + value.size() > kMaxRowBytes) throw DataError("a field is too long; shorten it");
  const uint32_t begin = ends_[column] - static_cast<uint32_t>(old.size());
  const uint32_t growth = static_cast<uint32_t>(value.size() - old.size());  // modulo 2^32 when it shrinks
  text_.replace(begin, old.size(), value);
  for (int k = column; k < kColumns; ++k) ends_[k] += growth;
}

void Token::set_head(int head) {
  if (head < kNoHead) throw DataError("a head cannot be " + std::to_string(head) + "; use 0 for the root");
  set_checked(kHead, head == kNoHead ? std::string(kNoValue) : std::to_string(head));
  head_ = head;
}

bool Token::assign_columns(std::string_view columns) {
  if (!Row::assign_columns(columns)) return false;
  const std::optional<int> head = parse_head(head_text());
  head_ = head.value_or(kNoHead);
  return head.has_value();
}

void Sentence::clear() {
  tokens_.resize(1);
  multiwords_.clear();
  empty_nodes_.clear();
  comments_.clear();
  layout_ = Layout();
}

Token& Sentence::add_word(std::string_view form) {
  Token token;
  token.set_form(form);
  return add_word(std::move(token));
}

Token& Sentence::add_word(Token word) { return tokens_.emplace_back(std::move(word)); }

std::vector<int> Sentence::heads() const {
  std::vector<int> result(tokens_.size());
  std::transform(tokens_.begin(), tokens_.end(), result.begin(),
                 [](const Token& token) { return token.head(); });
  return result;
}

void Sentence::set_heads(std::span<const int> heads) {
  if (heads.size() != tokens_.size()) {
    throw DataError("a sentence of " + std::to_string(size()) + " words cannot take " +
                    std::to_string(heads.size()) + " heads; give one per word and one for the root");
  }
  for (size_t m = 1; m < heads.size(); ++m) tokens_[m].set_head(heads[m]);
}

MultiwordToken& Sentence::add_multiword(int first, int last) {
  const std::string range = std::to_string(first) + "-" + std::to_string(last);
  if (first < 1 || first >= last) {
    throw DataError("the range " + range + " is not two or more words in order; write it as FIRST-LAST");
  }
  if (!multiwords_.empty() && first <= multiwords_.back().last()) {
    throw DataError("the range " + range + " overlaps the range " +
                    std::to_string(multiwords_.back().first()) + "-" +
                    std::to_string(multiwords_.back().last()) + "; a word belongs to one range at most");
  }
  return multiwords_.emplace_back(first, last);
}

EmptyNode& Sentence::add_empty_node(int word) {
  const bool has_earlier = !empty_nodes_.empty();
  if (word < 0 || (has_earlier && word < empty_nodes_.back().word())) {
    throw DataError("an empty node after word " + std::to_string(word) +
                    " is out of order; add the nodes from left to right");
  }
  const bool same_word = has_earlier && empty_nodes_.back().word() == word;
  return empty_nodes_.emplace_back(word, same_word ? empty_nodes_.back().index() + 1 : 1);
}

void Sentence::add_comment(std::string_view line) { insert_comment(comments_.size(), line); }

void Sentence::insert_comment(std::size_t position, std::string_view line) {
  if (!line.starts_with('#')) throw DataError("a comment cannot be " + quoted(line) + "; it starts with #");
  check_text(line, "\n\r\0"sv, "a comment");
  comments_.emplace(comments_.begin() + static_cast<std::ptrdiff_t>(position), line);
}

std::optional<std::string_view> Sentence::comment(std::string_view key) const {
  for (const std::string& line : comments_) {
    if (const auto value = value_of(line, key)) return value;
  }
  return std::nullopt;
}

void Sentence::set_comment(std::string_view key, std::string_view value) {
  std::string line = "# ";
  line.append(key).append(" = ").append(value);
  check_text(line, "\n\r\0"sv, "a comment");
  for (std::string& old : comments_) {
    if (value_of(old, key)) {
      old = std::move(line);
      return;
    }
  }
  comments_.push_back(std::move(line));
}

void Sentence::remove_comment(std::string_view key) {
  std::erase_if(comments_, [key](const std::string& line) { return value_of(line, key).has_value(); });
}

}  // namespace copse
