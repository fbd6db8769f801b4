#include "serving/media_type.h"

#include <algorithm>
#include <map>
#include <optional>

#include "serving/form.h"
#include "text/charset.h"

namespace copse {
namespace {

constexpr std::size_t kMostParameters = 100;

bool is_token_character(char c) {
  // What tokens exclude in RFC 7230, but for brackets, slashes, colons, commas, question marks and equals
  // signs, which boundaries without quotation marks are sent with.
  return static_cast<unsigned char>(c) > ' ' && c != 0x7F && c != ';' && c != '"';
}

void skip_space(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

std::string take_token(std::string_view& text, char end = '\0') {
  std::size_t length = 0;
  while (length < text.size() && is_token_character(text[length]) && text[length] != end) ++length;
  std::string token(text.substr(0, length));
  text.remove_prefix(length);
  return token;
}

std::optional<std::string> take_quoted(std::string_view& text) {
  std::string content;
  for (std::size_t k = 1; k < text.size(); ++k) {
    if (text[k] == '"') {
      text.remove_prefix(k + 1);
      return content;
    }
    if (text[k] == '\\' && k + 1 < text.size()) ++k;
    content += text[k];
  }
  return std::nullopt;
}

// CHARSET'LANGUAGE'TEXT
std::optional<std::string> extended_value(std::string_view text) {
  const std::size_t first = text.find('\'');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = text.find('\'', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::optional<std::string> bytes =
      percent_decoded(text.substr(second + 1), PlusSigns::are_themselves);
  if (!bytes) return std::nullopt;
  return to_utf8(*bytes, std::string(text.substr(0, first)));
}

using Parameters = std::vector<std::pair<std::string, std::string>>;

void set_parameter(const std::string& name, std::string value, Parameters& parameters) {
  for (auto& [key, old] : parameters) {
    if (key == name) {
      old = std::move(value);
      return;
    }
  }
  parameters.emplace_back(name, std::move(value));
}

// name*, name*0, name*0* and so on, which become `name`.
bool join_parts(Parameters& parameters) {
  struct Parts {
    std::map<int, std::string> by_number;
    bool is_encoded = false;
  };
  std::map<std::string, Parts> found;
  Parameters plain;
  for (auto& [name, value] : parameters) {
    const std::size_t asterisk = name.find('*');
    if (asterisk == std::string::npos || asterisk == 0) {
      plain.emplace_back(name, std::move(value));
      continue;
    }
    std::string number = name.substr(asterisk + 1);
    const bool is_encoded = number.empty() || number.ends_with('*');
    if (number.ends_with('*')) number.pop_back();
    if (number.size() > 3 || number.find_first_not_of("0123456789") != std::string::npos) return false;
    Parts& parts = found[name.substr(0, asterisk)];
    parts.is_encoded = parts.is_encoded || is_encoded;
    parts.by_number[number.empty() ? 0 : std::stoi(number)] = std::move(value);
  }
  for (const auto& [name, parts] : found) {
    std::string joined;
    for (const auto& [number, value] : parts.by_number) joined += value;
    std::optional<std::string> value = parts.is_encoded ? extended_value(joined) : joined;
    if (!value) return false;
    set_parameter(name, std::move(*value), plain);
  }
  parameters = std::move(plain);
  return true;
}

}  // namespace

const std::string* ParameterisedValue::parameter(std::string_view name) const {
  for (const auto& [key, content] : parameters) {
    if (key == name) return &content;
  }
  return nullptr;
}

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<ParameterisedValue> parse_parameterised(std::string_view text) {
  ParameterisedValue parsed;
  skip_space(text);
  parsed.value = lower_ascii(take_token(text));
  if (parsed.value.empty()) return std::nullopt;
  for (skip_space(text); !text.empty(); skip_space(text)) {
    if (text.front() != ';') return std::nullopt;
    text.remove_prefix(1);
    skip_space(text);
    if (text.empty() || text.front() == ';') continue;
    const std::string name = lower_ascii(take_token(text, '='));
    skip_space(text);
    if (name.empty() || text.empty() || text.front() != '=') return std::nullopt;
    text.remove_prefix(1);
    skip_space(text);
    std::optional<std::string> value =
        !text.empty() && text.front() == '"' ? take_quoted(text) : take_token(text);
    if (!value) return std::nullopt;
    set_parameter(name, std::move(*value), parsed.parameters);
    if (parsed.parameters.size() > kMostParameters) return std::nullopt;
  }
  if (!join_parts(parsed.parameters)) return std::nullopt;
  return parsed;
}

}  // namespace copse
