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

#include "training/train_option.h"

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

// Writes down options one after the other: each call adds one, from the field that has its value.
class OptionTable {
 public:
  struct Range {
    double least;
    double most;
  };

  template <class Field>
  TrainOption& flag(std::string name, Field field, std::string help) {
    TrainOption& option = add(OptionKind::flag, std::move(name), "", std::move(help));
    bind<bool>(option, field);
    return option;
  }

  template <class Field>
  TrainOption& integer(std::string name, Field field, Range range, std::string help,
                       OptionKind kind = OptionKind::integer) {
    TrainOption& option =
        add(kind, std::move(name), kind == OptionKind::size ? "SIZE" : "N", std::move(help));
    option.least = range.least;
    option.most = range.most;
    bind<std::uint64_t>(option, field);
    return option;
  }

  template <class Field>
  TrainOption& number(std::string name, Field field, Range range, std::string placeholder, std::string help) {
    TrainOption& option = add(OptionKind::number, std::move(name), std::move(placeholder), std::move(help));
    option.least = range.least;
    option.most = range.most;
    bind<double>(option, field);
    return option;
  }

  template <class Field>
  TrainOption& text(std::string name, Field field, std::string help) {
    TrainOption& option = add(OptionKind::text, std::move(name), "TEXT", std::move(help));
    bind_text(option, field);
    return option;
  }

  template <class Field>
  TrainOption& file(std::string name, Field field, std::string help) {
    TrainOption& option = add(OptionKind::file, std::move(name), "FILE", std::move(help));
    bind_text(option, field);
    return option;
  }

  template <class Field>
  TrainOption& files(std::string name, Field field, std::string help) {
    TrainOption& option = add(OptionKind::files, std::move(name), "FILE ...", std::move(help));
    using Files = std::vector<std::string>;
    option.get = [field](const TrainRequest& request) -> std::optional<SettingValue> {
      if (field(request).empty()) return std::nullopt;
      return field(request);
    };
    option.assign = [field](TrainRequest& request, const SettingValue& value) {
      field(request) = std::get<Files>(value);
    };
    return option;
  }

  // One of some names, each with its value.
  template <class Value>
  using Names = std::vector<std::pair<std::string, Value>>;
  template <class Value, class Field>
  TrainOption& name(std::string name, Field field, Names<Value> names, std::string help) {
    TrainOption& option = add(OptionKind::name, std::move(name), "NAME", std::move(help));
    for (const auto& [text, value] : names) option.choices.push_back(text);
    option.get = [field, names](const TrainRequest& request) -> std::optional<SettingValue> {
      for (const auto& [text, value] : names) {
        if (field(request) == value) return text;
      }
      return std::nullopt;
    };
    option.assign = [field, names](TrainRequest& request, const SettingValue& chosen) {
      for (const auto& [text, value] : names) {
        if (std::get<std::string>(chosen) == text) field(request) = value;
      }
    };
    return option;
  }

  // A word in the place of a number: it stands for `value`.
  template <class Field, class Value>
  static void add_word(TrainOption& option, std::string word, Field field, Value value) {
    option.word = std::move(word);
    option.get = [inner = option.get, field, value,
                  word = option.word](const TrainRequest& request) -> std::optional<SettingValue> {
      if (field(request) == value) return word;
      return inner(request);
    };
    option.assign = [inner = option.assign, field, value](TrainRequest& request, const SettingValue& given) {
      if (std::holds_alternative<std::string>(given)) {
        field(request) = value;
      } else {
        inner(request, given);
      }
    };
  }

  // Says what holds without an option, if nothing else says it: what the request has then.
  std::vector<TrainOption> take();

 private:
  TrainOption& add(OptionKind kind, std::string name, std::string placeholder, std::string help);

  // A value of type T, or, where the field can be without one, of what it would have.
  template <class T, class Field>
  static void bind(TrainOption& option, Field field) {
    using Type = std::remove_cvref_t<decltype(field(std::declval<TrainRequest&>()))>;
    option.get = [field](const TrainRequest& request) -> std::optional<SettingValue> {
      if constexpr (requires(const Type& value) { value.has_value(); }) {
        if (!field(request).has_value()) return std::nullopt;
        return setting<T>(*field(request));
      } else {
        return setting<T>(field(request));
      }
    };
    option.assign = [field](TrainRequest& request, const SettingValue& value) {
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
  static void bind_text(TrainOption& option, Field field) {
    option.get = [field](const TrainRequest& request) -> std::optional<SettingValue> {
      if (field(request).empty()) return std::nullopt;
      return field(request);
    };
    option.assign = [field](TrainRequest& request, const SettingValue& value) {
      field(request) = std::get<std::string>(value);
    };
  }

  std::vector<TrainOption> options_;
};

// The part of the table that is about networks alone.
void add_network_options(OptionTable& table);

}  // namespace copse
