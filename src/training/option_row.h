#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model_settings.h"

namespace copse {

enum class OptionKind : std::uint8_t {
  flag,
  integer,
  number,
  size,  // of memory: 8G
  name,  // one of some choices
  text,
  file,
  files,
};

// What the model has to do with an option.
enum class OptionEffect : std::uint8_t {
  none,       // the model is the same
  content,    // of files: what is in them makes the model
  model,      // the model depends on it, and a run is resumed with the same value only
  resumable,  // the model depends on it, but a run may be resumed with another value
};

// Which models it is about.
enum class OptionScope : std::uint8_t { all, hashed, network };

// What there is to say about an option of training, whatever the request is that has its value.
struct OptionRow {
  std::string name;  // as Python and files have it: max_length
  OptionKind kind = OptionKind::text;
  std::string placeholder;  // of a value: N
  std::string otherwise;    // what holds if it is not given, for people; may be empty
  std::string help;
  OptionEffect effect = OptionEffect::model;
  OptionScope scope = OptionScope::all;
  bool is_required = false;
  bool needs_no_name = false;  // the first files of a command line are its value
  // Of integers and numbers.
  double least = 0.0;
  double most = 0.0;
  std::uint64_t multiple = 1;
  std::string word;          // that may stand in the place of a number, such as "off"
  std::string number_named;  // in messages, where a range would not say it
  std::vector<std::string> choices;

  std::string flag() const;  // as the command line has it: --max-length
  // What the help has behind the name: "N [100]".
  std::string value_text() const;

  // Texts are read where other types are wanted. Throws UsageError for values that the option does not take.
  SettingValue checked(const SettingValue& value) const;
  // What is kept of a value in a model: of files, the names. Where they lie is the user's business, and equal
  // models would differ by it.
  SettingValue kept(SettingValue value) const;
};

// All that there is to say about an option: the command line, its help, Python, the log of the run, what a
// model says about its making, and the fingerprint that checkpoints have are made from it. A request says
// which options were given, and whether it is about networks (TrainRequest, PretrainRequest).
template <class Request>
struct RequestOption : OptionRow {
  // What a request has; nothing if that is left to others.
  std::function<std::optional<SettingValue>(const Request&)> get;
  // Of the right type, and checked.
  std::function<void(Request&, const SettingValue&)> assign;

  // Whether it says anything about the kind of model that is asked for.
  bool is_about(const Request& request) const {
    return scope == OptionScope::all || (scope == OptionScope::network) == request.is_about_networks();
  }
  void set(Request& request, const SettingValue& value) const {
    assign(request, checked(value));
    request.given.insert(name);
  }
};

// Finds an option by its name ("max_length"), or null.
template <class Request>
const RequestOption<Request>* find_option(std::span<const RequestOption<Request>> options,
                                          std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [name](const auto& option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

}  // namespace copse
