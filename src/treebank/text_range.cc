#include "copse/treebank/text_range.h"

#include <charconv>
#include <string_view>

#include "text/attribute_list.h"

namespace copse {
namespace {

// Takes a number off the text; nothing unless one is there.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::optional<TextRange> text_range(const Row& row) {
  std::string_view text = attribute_value(row.misc(), "TokenRange").value_or("");
  const std::optional<std::int64_t> begin = take_number(text);
  if (!begin || !text.starts_with(':')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<std::int64_t> end = take_number(text);
  if (!end || !text.empty() || *end < *begin) return std::nullopt;
  return TextRange{*begin, *end};
}

std::vector<std::optional<TextRange>> text_ranges(const Sentence& sentence) {
  std::vector<std::optional<TextRange>> ranges(static_cast<std::size_t>(sentence.size()) + 1);
  for (int word = 1; word <= sentence.size(); ++word) {
    ranges[static_cast<std::size_t>(word)] = text_range(sentence[word]);
  }
  for (const MultiwordToken& token : sentence.multiwords()) {
    const std::optional<TextRange> range = text_range(token);
    for (int word = token.first(); range && word <= token.last(); ++word) {
      ranges[static_cast<std::size_t>(word)] = range;
    }
  }
  return ranges;
}

}  // namespace copse
