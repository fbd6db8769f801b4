#include "treebank/head_probability.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "copse/error.h"
#include "io/utf8.h"

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
  std::string_view rest = word.misc();
  while (!rest.empty()) {
    const std::string_view entry = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
    const size_t equals = entry.find('=');
    if (equals != std::string_view::npos && entry.substr(0, equals) == key) {
      return parse_probability(entry.substr(equals + 1), key);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> head_probability(const Token& word) {
  return misc_probability(word, kHeadProbabilityKey);
}

std::optional<double> label_probability(const Token& word) {
  return misc_probability(word, kLabelProbabilityKey);
}

}  // namespace copse
