#include "treebank/head_probability.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "copse/error.h"
#include "text/attribute_list.h"
#include "text/utf8.h"

namespace copse {
namespace {

double parse_probability(std::string_view text, std::string_view key) {
  double value = -1.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  // Written so that a NaN fails.
  if (is_number && value >= 0.0 && value <= 1.0) return value;
  throw DataError(
      fmt::format("{} is not a probability; write {}= and a number from 0 to 1 in MISC", quoted(text), key));
}

std::optional<double> misc_probability(const Token& word, std::string_view key) {
  const auto value = attribute_value(word.misc(), key);
  return value ? std::optional(parse_probability(*value, key)) : std::nullopt;
}

}  // namespace

std::optional<double> head_probability(const Token& word) {
  return misc_probability(word, kHeadProbabilityKey);
}

std::optional<double> label_probability(const Token& word) {
  return misc_probability(word, kLabelProbabilityKey);
}

}  // namespace copse
