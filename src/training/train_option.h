#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model_settings.h"
#include "training/train_request.h"

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

// All that there is to say about an option of training. The command line, its help, Python, the log of the
// run, what a model says about its making, and the fingerprint that checkpoints have are made from it.
struct TrainOption {
  std::string name;  // as Python and files have it: max_length
  OptionKind kind = OptionKind::text;
  std::string placeholder;  // of a value: N
  std::string otherwise;    // what holds if it is not given, for people; may be empty
  std::string help;
  OptionEffect effect = OptionEffect::model;
  OptionScope scope = OptionScope::all;
  bool is_required = false;
  // Of integers and numbers.
  double least = 0.0;
  double most = 0.0;
  std::uint64_t multiple = 1;
  std::string word;          // that may stand in the place of a number, such as "off"
  std::string number_named;  // in messages, where a range would not say it
  std::vector<std::string> choices;

  // What a request has; nothing if that is left to others.
  std::function<std::optional<SettingValue>(const TrainRequest&)> get;
  // Of the right type, and checked.
  std::function<void(TrainRequest&, const SettingValue&)> assign;

  // Whether it says anything about the kind of model that is asked for.
  bool is_about(const TrainRequest& request) const {
    return scope == OptionScope::all || (scope == OptionScope::network) == request.network.is_used;
  }
  std::string flag() const;  // as the command line has it: --max-length
  // What the help has behind the name: "N [100]".
  std::string value_text() const;

  // Texts are read where other types are wanted. Throws UsageError for values that the option does not take.
  SettingValue checked(const SettingValue& value) const;
  void set(TrainRequest& request, const SettingValue& value) const;
};

}  // namespace copse
