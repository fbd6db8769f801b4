#include "training/option_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "text/utf8.h"
#include "training/model_facts.h"
#include "training/usage_error.h"

namespace copse {
namespace {

template <class T>
std::optional<T> parse(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "8G", "500 MB", "1024".
std::optional<std::uint64_t> parse_size(std::string_view text) {
  constexpr std::string_view kUnits = "kmgtpe";
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::erase(lower, ' ');
  std::string_view rest = lower;
  if (rest.ends_with('b')) rest.remove_suffix(rest.ends_with("ib") ? 2 : 1);
  std::uint64_t factor = 1;
  if (!rest.empty()) {
    if (const std::size_t unit = kUnits.find(rest.back()); unit != std::string_view::npos) {
      factor = std::uint64_t{1} << (10 * (unit + 1));
      rest.remove_suffix(1);
    }
  }
  const std::optional<std::uint64_t> number = parse<std::uint64_t>(rest);
  if (!number || *number > std::numeric_limits<std::uint64_t>::max() / factor) return std::nullopt;
  return *number * factor;
}

// As people write it.
struct Shown {
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::string>& values) const {
    return fmt::format("{}", fmt::join(values, " "));
  }
};

// In messages: without an exponent, which 0.000001 would have.
std::string limit_text(double limit) {
  std::string text = fmt::format("{:.6f}", limit);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

class Checker {
 public:
  explicit Checker(const OptionRow& option) : option_(option) {}

  SettingValue check(const SettingValue& value) const {
    const auto* text = std::get_if<std::string>(&value);
    switch (option_.kind) {
      case OptionKind::flag:
        if (!std::holds_alternative<bool>(value)) fail("takes no value: it is True or False");
        return value;
      case OptionKind::integer:
        if (text != nullptr && !option_.word.empty() && *text == option_.word) return value;
        return integer(value, text != nullptr ? parse<std::uint64_t>(*text) : std::nullopt);
      case OptionKind::number:
        if (text != nullptr && !option_.word.empty() && *text == option_.word) return value;
        return number(value, text != nullptr ? parse<double>(*text) : std::nullopt);
      case OptionKind::size:
        return size(value, text != nullptr ? parse_size(*text) : std::nullopt);
      case OptionKind::name:
        return name(value);
      case OptionKind::text:
      case OptionKind::file:
        if (text == nullptr) fail(fmt::format("{} is no text", shown(value)));
        return value;
      case OptionKind::files:
        return files(value);
    }
    return value;
  }

 private:
  static std::string shown(const SettingValue& value) { return std::visit(Shown(), value); }

  [[noreturn]] void fail(const std::string& problem) const { throw UsageError(option_.name, problem); }

  [[noreturn]] void fail_in_range(const SettingValue& value) const {
    if (!option_.word.empty()) {
      const std::string number =
          option_.number_named.empty()
              ? fmt::format("a number from {} to {}", limit_text(option_.least), limit_text(option_.most))
              : option_.number_named;
      fail(fmt::format("{} is neither {} nor {}", copse::quoted(shown(value)), number, option_.word));
    }
    fail(fmt::format("Value {} not in range {} to {}", shown(value), limit_text(option_.least),
                     limit_text(option_.most)));
  }

  SettingValue integer(const SettingValue& value, std::optional<std::uint64_t> parsed) const {
    if (const auto* given = std::get_if<std::uint64_t>(&value)) parsed = *given;
    if (!parsed || static_cast<double>(*parsed) < option_.least ||
        static_cast<double>(*parsed) > option_.most) {
      fail_in_range(value);
    }
    if (*parsed % option_.multiple != 0) fail(fmt::format("must be a multiple of {}", option_.multiple));
    return *parsed;
  }

  SettingValue number(const SettingValue& value, std::optional<double> parsed) const {
    if (const auto* whole = std::get_if<std::uint64_t>(&value)) parsed = static_cast<double>(*whole);
    if (const auto* given = std::get_if<double>(&value)) parsed = *given;
    if (!parsed || !(*parsed >= option_.least && *parsed <= option_.most)) fail_in_range(value);  // or NaN
    return *parsed;
  }

  SettingValue size(const SettingValue& value, std::optional<std::uint64_t> parsed) const {
    if (const auto* given = std::get_if<std::uint64_t>(&value)) parsed = *given;
    if (!parsed) fail(fmt::format("{} is no size such as 8G", copse::quoted(shown(value))));
    return *parsed;
  }

  SettingValue name(const SettingValue& value) const {
    const std::string text = shown(value);
    if (std::find(option_.choices.begin(), option_.choices.end(), text) == option_.choices.end()) {
      fail(fmt::format("{} not in {{{}}}", text, fmt::join(option_.choices, ",")));
    }
    return text;
  }

  SettingValue files(const SettingValue& value) const {
    if (const auto* one = std::get_if<std::string>(&value)) return std::vector<std::string>{*one};
    if (!std::holds_alternative<std::vector<std::string>>(value)) {
      fail(fmt::format("{} is no name of a file", shown(value)));
    }
    return value;
  }

  const OptionRow& option_;
};

}  // namespace

std::string OptionRow::flag() const { return flag_of(name); }

std::string OptionRow::value_text() const {
  if (otherwise.empty()) return placeholder;
  return fmt::format("{} [{}]", placeholder, otherwise);
}

SettingValue OptionRow::checked(const SettingValue& value) const { return Checker(*this).check(value); }

SettingValue OptionRow::kept(SettingValue value) const {
  if (effect != OptionEffect::content) return value;
  if (auto* files = std::get_if<std::vector<std::string>>(&value)) {
    for (std::string& file : *files) file = file_name(file);
  } else {
    value = file_name(std::get<std::string>(value));
  }
  return value;
}

}  // namespace copse
