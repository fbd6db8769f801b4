#include "option_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <vector>

#include "number_text.h"
#include "text/closest_name.h"
#include "text/utf8.h"

namespace copse {
namespace {

// A message cut where CLI11 puts a fixed text between two parts of it.
struct Halves {
  std::string_view left;
  std::string_view right;
};

std::optional<Halves> split(std::string_view text, std::string_view middle) {
  const std::size_t place = text.find(middle);
  if (place == std::string_view::npos) return std::nullopt;
  return Halves{text.substr(0, place), text.substr(place + middle.size())};
}

std::optional<double> number_in(std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// CLI11 writes six digits behind every point.
std::string limit_text(std::string_view written) {
  if (written.find('.') != std::string_view::npos) {
    written = written.substr(0, written.find_last_not_of('0') + 1);
    if (written.ends_with('.')) written.remove_suffix(1);
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), number);
  const bool is_whole = error == std::errc() && end == written.data() + written.size();
  return is_whole ? grouped(number) : std::string(written);
}

std::string value_text(std::string_view value) {
  return number_in(value) ? std::string(value) : quoted(value);
}

const CLI::Option* find_option(const CLI::App& command, std::string_view name) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name() == name) return option;
  }
  return nullptr;
}

// " seconds" for an option whose value is shown as S in the help, and so on.
std::string unit_of(const CLI::App& command, std::string_view name) {
  const CLI::Option* option = find_option(command, name);
  if (option == nullptr) return {};
  const std::string& shown = option->get_option_text();
  const std::string symbol = shown.substr(0, shown.find(' '));
  if (symbol == "S") return " seconds";
  return symbol == "BYTES" ? " bytes" : "";
}

std::string range_message(const CLI::App& command, std::string_view option, std::string_view value,
                          Halves limits) {
  const std::string unit = unit_of(command, option);
  const std::optional<double> least = number_in(limits.left);
  const std::optional<double> most = number_in(limits.right);
  const std::string what = number_in(value) ? "must be" : "must be a number";
  constexpr double kNoLimit = 1e12;
  std::string allowed = fmt::format("between {} and {}", limit_text(limits.left), limit_text(limits.right));
  if (most && *most >= kNoLimit) {
    // CLI11's positive numbers begin above 0, with one that it writes as 0.
    const bool is_any_positive = least && *least == 0.0 && *most >= std::numeric_limits<double>::max();
    allowed = is_any_positive ? "above 0" : fmt::format("at least {}", limit_text(limits.left));
  }
  return fmt::format("{} {} {}{}, not {}", option, what, allowed, unit, value_text(value));
}

std::string choice_message(std::string_view option, std::string_view value,
                           std::string_view names_in_braces) {
  const std::string_view list = names_in_braces.substr(1, names_in_braces.size() - 2);
  std::vector<std::string_view> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  std::string allowed;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) allowed += k + 1 == names.size() ? " or " : ", ";
    allowed += names[k];
  }
  std::string message = fmt::format("{} must be {}, not {}", option, allowed, quoted(value));
  if (const std::string_view close = closest_name(value, names); !close.empty()) {
    message += fmt::format("; did you mean {}?", close);
  }
  return message;
}

std::string conversion_message(const CLI::App& command, std::string_view option, std::string_view value) {
  const CLI::Option* found = find_option(command, option);
  const bool is_float = found != nullptr && found->get_type_name().starts_with("FLOAT");
  const bool is_flag = found != nullptr && found->get_items_expected_max() == 0;
  if (is_flag) return fmt::format("{} takes no value; leave {} out", option, quoted(value));
  return fmt::format("{} must be a {}, not {}", option, is_float ? "number" : "whole number", quoted(value));
}

// What follows "OPTION: ".
std::optional<std::string> value_message(const CLI::App& command, std::string_view option,
                                         std::string_view what) {
  constexpr std::string_view kValue = "Value ";
  if (const auto range = split(what, " not in range "); range && range->left.starts_with(kValue)) {
    const auto limits = split(range->right, " to ");
    if (limits) return range_message(command, option, range->left.substr(kValue.size()), *limits);
  }
  if (const auto choice = split(what, " not in {"); choice && what.ends_with('}')) {
    return choice_message(option, choice->left,
                          what.substr(choice->left.size() + std::string_view(" not in ").size()));
  }
  if (what.find(" unit not recognized") != std::string_view::npos ||
      what.find(" could not be converted to ") != std::string_view::npos ||
      what.find(" factor would cause number overflow") != std::string_view::npos) {
    return fmt::format("{} must be a size, such as 500K, 64M or 2G", option);
  }
  if (what.find(" required ") != std::string_view::npos && what.ends_with(" missing")) {
    return fmt::format("{} needs a value", option);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> plain_option_message(const CLI::App& command, const std::string& message) {
  const std::string_view text = message;
  constexpr std::string_view kConversion = "Could not convert: ";
  if (text.starts_with(kConversion)) {
    const auto parts = split(text.substr(kConversion.size()), " = ");
    if (parts) return conversion_message(command, parts->left, parts->right);
  }
  if (const auto surplus = split(text, " not expected: "); surplus && text.starts_with("The following ")) {
    return fmt::format("{} is not expected here", quoted(surplus->right));
  }
  if (const auto both = split(text, " excludes "); both && find_option(command, both->left) != nullptr) {
    return fmt::format("{} and {} cannot be used together", both->left, both->right);
  }
  if (const auto both = split(text, " requires "); both && find_option(command, both->left) != nullptr) {
    return fmt::format("{} needs {}", both->left, both->right);
  }
  if (const auto parts = split(text, ": ")) return value_message(command, parts->left, parts->right);
  return std::nullopt;
}

}  // namespace copse
