#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "constituency/conversion_rules.h"
#include "copse/error.h"
#include "io/byte_source.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::string_view kSpaces = " \t\r";
constexpr size_t kMaxRuleFileBytes = size_t{1} << 20;

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

// The part before the first of `separators`; it and the separator leave `text`.
std::string_view cut(std::string_view& text, std::string_view separators) {
  const size_t end = text.find_first_of(separators);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    if (const std::string_view word = cut(text, kSpaces); !word.empty()) words.emplace_back(word);
  }
  return words;
}

std::optional<ScanDirection> parse_direction(std::string_view word) {
  if (word == "l") return ScanDirection::from_left;
  if (word == "r") return ScanDirection::from_right;
  return std::nullopt;
}

}  // namespace

class RuleFileParser {
 public:
  RuleFileParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  ConversionRules parse() {
    if (!is_valid_utf8(rest_)) throw DataError(name_ + ": invalid UTF-8; convert the file to UTF-8");
    while (!rest_.empty()) {
      ++line_number_;
      const std::string_view line = trimmed(cut(rest_, "\n"));
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == '%') {
        read_setting(line);
      } else {
        read_head_rule(line);
      }
    }
    if (rules_.head_rules_.empty()) {
      throw DataError(name_ + ": no head rules; write lines such as 'NP r NN NNS; NP'");
    }
    return std::move(rules_);
  }

 private:
  void read_setting(std::string_view line) {
    std::vector<std::string> words = split_words(line);
    const std::string setting = words.front();
    words.erase(words.begin());
    if (words.empty()) fail("the setting " + setting + " has no value; add one or remove the line");
    if (setting == "%punctuation") {
      rules_.punctuation_.insert(words.begin(), words.end());
    } else if (setting == "%empty") {
      rules_.empty_elements_.insert(words.begin(), words.end());
    } else if (setting == "%default") {
      rules_.default_rule_ = parse_head_rule(line.substr(setting.size()));
    } else if (setting == "%root") {
      if (words.size() > 1) fail("%root takes one label");
      rules_.root_label_ = words.front();
    } else if (setting == "%label") {
      read_label_rule(words);
    } else {
      fail("there is no setting " + quoted(setting) +
           "; the settings are %punctuation, %empty, %default, %root and %label");
    }
  }

  void read_label_rule(const std::vector<std::string>& words) {
    ArcLabelRule rule;
    rule.label = words.front();
    const std::array<std::pair<std::string_view, CategorySet*>, 5> conditions = {{
        {"parent", &rule.parents},
        {"head", &rule.heads},
        {"modifier", &rule.modifiers},
        {"function", &rule.functions},
        {"without", &rule.without},
    }};
    for (size_t k = 1; k < words.size(); ++k) {
      if (words[k] == "punctuation") {
        rule.is_punctuation = true;
        continue;
      }
      std::string_view values = words[k];
      const std::string_view key = cut(values, "=");
      const auto* const condition = std::find_if(conditions.begin(), conditions.end(),
                                                 [key](const auto& entry) { return entry.first == key; });
      if (condition == conditions.end() || values.empty()) {
        fail(quoted(words[k]) +
             " is no condition; write punctuation, or parent=, head=, modifier=, function= or without= with "
             "categories separated by commas");
      }
      while (!values.empty()) {
        const std::string_view value = cut(values, ",");
        if (value.empty()) fail("an empty category in " + quoted(words[k]) + "; remove a comma");
        condition->second->emplace(value);
      }
    }
    rules_.label_rules_.push_back(std::move(rule));
  }

  void read_head_rule(std::string_view line) {
    const std::string_view category = cut(line, kSpaces);
    const auto [place, is_new] = rules_.head_rules_.try_emplace(std::string(category), parse_head_rule(line));
    if (!is_new) fail("a second rule for " + quoted(category) + "; remove one of them");
  }

  // "r NN NNS; NX; l S": groups separated by semicolons, the direction before a group where it changes.
  HeadRule parse_head_rule(std::string_view text) {
    HeadRule rule;
    std::optional<ScanDirection> direction;
    text = trimmed(text);
    while (!text.empty()) {
      std::vector<std::string> words = split_words(cut(text, ";"));
      if (words.empty()) fail("an empty group between semicolons; remove one of them");
      if (const auto named = parse_direction(words.front())) {
        direction = named;
        words.erase(words.begin());
      }
      if (!direction) {
        fail("the direction is missing; write l (from the left) or r (from the right) before " +
             quoted(words.front()));
      }
      if (words.empty() && !trimmed(text).empty()) {
        fail("a direction without categories; only the last group may be one");
      }
      if (!words.empty()) rule.groups.push_back({*direction, std::move(words)});
    }
    if (!direction) fail("the rule is empty; write l or r, then categories");
    rule.otherwise = *direction;
    return rule;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(name_ + ":" + std::to_string(line_number_) + ": " + reason);
  }

  std::string_view rest_;
  std::string name_;
  size_t line_number_ = 0;
  ConversionRules rules_;
};

ConversionRules ConversionRules::from_text(std::string_view text, const std::string& name) {
  return RuleFileParser(text, name).parse();
}

ConversionRules ConversionRules::from_file(const std::string& path) {
  const std::string name = input_name(path);
  const std::unique_ptr<ByteSource> source = decompress(open_file(path), name);
  std::string text;
  std::array<char, 4096> buffer;
  for (size_t count = source->read(buffer); count > 0; count = source->read(buffer)) {
    text.append(buffer.data(), count);
    if (text.size() > kMaxRuleFileBytes) {
      throw DataError(name + ": is longer than any file of head rules; name the right file");
    }
  }
  return from_text(text, name);
}

}  // namespace copse
