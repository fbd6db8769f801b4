#pragma once

#include <fmt/format.h>

#include <charconv>
#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "training/option_row.h"

namespace copse {

// A field of a request, by way of the structures that it is in: at(&TrainRequest::training,
// &TrainingOptions::seed).
template <class... Members>
constexpr auto at(Members... members) {
  return [=](auto& request) -> auto& { return (request.*....*members); };
}

// The number that people would write, for 0.002F is 0.0020000000949949026.
template <std::floating_point T>
double as_written(T value) {
  const std::string text = fmt::format("{}", value);
  double number = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// What a number may be.
struct OptionRange {
  double least;
  double most;
};

// Some names, each with its value.
template <class Value>
using OptionNames = std::vector<std::pair<std::string, Value>>;
template <class Value, class Parse>
OptionNames<Value> names_of(Parse parse, std::initializer_list<const char*> names) {
  OptionNames<Value> pairs;
  for (const char* name : names) pairs.emplace_back(name, *parse(name));
  return pairs;
}

// Writes down options one after the other: each call adds one, from the field that has its value.
template <class Request>
class OptionTable {
 public:
  using Option = RequestOption<Request>;

  template <class Field>
  Option& flag(std::string name, Field field, std::string help) {
    Option& option = add(OptionKind::flag, std::move(name), "", std::move(help));
    bind<bool>(option, field);
    return option;
  }

  template <class Field>
  Option& integer(std::string name, Field field, OptionRange range, std::string help,
                  OptionKind kind = OptionKind::integer) {
    Option& option = add(kind, std::move(name), kind == OptionKind::size ? "SIZE" : "N", std::move(help));
    option.least = range.least;
    option.most = range.most;
    bind<std::uint64_t>(option, field);
    return option;
  }

  template <class Field>
  Option& number(std::string name, Field field, OptionRange range, std::string placeholder,
                 std::string help) {
    Option& option = add(OptionKind::number, std::move(name), std::move(placeholder), std::move(help));
    option.least = range.least;
    option.most = range.most;
    bind<double>(option, field);
    return option;
  }

  template <class Field>
  Option& text(std::string name, Field field, std::string help) {
    Option& option = add(OptionKind::text, std::move(name), "TEXT", std::move(help));
    bind_text(option, field);
    return option;
  }

  template <class Field>
  Option& file(std::string name, Field field, std::string help) {
    Option& option = add(OptionKind::file, std::move(name), "FILE", std::move(help));
    bind_text(option, field);
    return option;
  }

  template <class Field>
  Option& files(std::string name, Field field, std::string help) {
    Option& option = add(OptionKind::files, std::move(name), "FILE ...", std::move(help));
    using Files = std::vector<std::string>;
    option.get = [field](const Request& request) -> std::optional<SettingValue> {
      if (field(request).empty()) return std::nullopt;
      return field(request);
    };
    option.assign = [field](Request& request, const SettingValue& value) {
      field(request) = std::get<Files>(value);
    };
    return option;
  }

  template <class Value, class Field>
  Option& name(std::string name, Field field, OptionNames<Value> names, std::string help) {
    Option& option = add(OptionKind::name, std::move(name), "NAME", std::move(help));
    for (const auto& [text, value] : names) option.choices.push_back(text);
    option.get = [field, names](const Request& request) -> std::optional<SettingValue> {
      for (const auto& [text, value] : names) {
        if (field(request) == value) return text;
      }
      return std::nullopt;
    };
    option.assign = [field, names](Request& request, const SettingValue& chosen) {
      for (const auto& [text, value] : names) {
        if (std::get<std::string>(chosen) == text) field(request) = value;
      }
    };
    return option;
  }

  // A word in the place of a number: it stands for `value`.
  template <class Field, class Value>
  static void add_word(Option& option, std::string word, Field field, Value value) {
    option.word = std::move(word);
    option.get = [inner = option.get, field, value,
                  word = option.word](const Request& request) -> std::optional<SettingValue> {
      if (field(request) == value) return word;
      return inner(request);
    };
    option.assign = [inner = option.assign, field, value](Request& request, const SettingValue& given) {
      if (std::holds_alternative<std::string>(given)) {
        field(request) = value;
      } else {
        inner(request, given);
      }
    };
  }

  // Says what holds without an option, if nothing else says it: what the request has then.
  std::vector<Option> take() {
    const Request request;
    for (Option& option : options_) {
      if (!option.otherwise.empty() || option.kind == OptionKind::flag) continue;
      const std::optional<SettingValue> value = option.get(request);
      if (!value) continue;
      if (const auto* text = std::get_if<std::string>(&*value)) option.otherwise = *text;
      if (const auto* number = std::get_if<std::uint64_t>(&*value))
        option.otherwise = std::to_string(*number);
      if (const auto* number = std::get_if<double>(&*value)) option.otherwise = fmt::format("{}", *number);
    }
    return std::move(options_);
  }

 private:
  Option& add(OptionKind kind, std::string name, std::string placeholder, std::string help) {
    Option& option = options_.emplace_back();
    option.kind = kind;
    option.name = std::move(name);
    option.placeholder = std::move(placeholder);
    option.help = std::move(help);
    return option;
  }

  // A value of type T, or, where the field can be without one, of what it would have.
  template <class T, class Field>
  static void bind(Option& option, Field field) {
    using Type = std::remove_cvref_t<decltype(field(std::declval<Request&>()))>;
    option.get = [field](const Request& request) -> std::optional<SettingValue> {
      if constexpr (requires(const Type& value) { value.has_value(); }) {
        if (!field(request).has_value()) return std::nullopt;
        return setting<T>(*field(request));
      } else {
        return setting<T>(field(request));
      }
    };
    option.assign = [field](Request& request, const SettingValue& value) {
      if constexpr (requires(const Type& optional) { optional.has_value(); }) {
        field(request) = static_cast<typename Type::value_type>(std::get<T>(value));
      } else {
        field(request) = static_cast<Type>(std::get<T>(value));
      }
    };
  }

  template <class T, class Value>
  static SettingValue setting(Value value) {
    if constexpr (std::floating_point<Value>) {
      return as_written(value);
    } else {
      return static_cast<T>(value);
    }
  }

  template <class Field>
  static void bind_text(Option& option, Field field) {
    option.get = [field](const Request& request) -> std::optional<SettingValue> {
      if (field(request).empty()) return std::nullopt;
      return field(request);
    };
    option.assign = [field](Request& request, const SettingValue& value) {
      field(request) = std::get<std::string>(value);
    };
  }

  std::vector<Option> options_;
};

}  // namespace copse
