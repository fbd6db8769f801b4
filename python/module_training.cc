#include "module_training.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/aligned_scores.h"
#include "evaluation/calibration.h"
#include "evaluation/evaluate_files.h"
#include "evaluation/resampling.h"
#include "optimisers/training_stopped.h"
#include "parallel/launch.h"
#include "run_report/train_report.h"
#include "training/train_options.h"

namespace copse::python {
namespace {

// Values as Python has them.
py::object as_python(const nlohmann::ordered_json& json) {
  switch (json.type()) {
    case nlohmann::ordered_json::value_t::boolean:
      return py::bool_(json.get<bool>());
    case nlohmann::ordered_json::value_t::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case nlohmann::ordered_json::value_t::number_integer:
      return py::int_(json.get<std::int64_t>());
    case nlohmann::ordered_json::value_t::number_float:
      return py::float_(json.get<double>());
    case nlohmann::ordered_json::value_t::string: {
      const std::string& text = json.get_ref<const std::string&>();
      return py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
    }
    case nlohmann::ordered_json::value_t::array: {
      py::list list;
      for (const nlohmann::ordered_json& entry : json) list.append(as_python(entry));
      return list;
    }
    case nlohmann::ordered_json::value_t::object: {
      py::dict dict;
      for (const auto& [key, value] : json.items()) dict[py::str(key)] = as_python(value);
      return dict;
    }
    default:
      return py::none();
  }
}

// Hands lines on to Python. What a callback raises stops the run, and is raised again at the end.
class Callbacks : public MessageLines {
 public:
  Callbacks(const py::function& on_event, const py::function& on_message)
      : on_event_(on_event), on_message_(on_message) {}

  void print(std::string_view line) override {
    call([&] { on_message_(py::str(line.data(), line.size())); });
  }
  void on_event(const nlohmann::ordered_json& record) {
    call([&] { on_event_(as_python(record)); });
  }
  bool should_stop() {
    call([] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    });
    return error_.has_value();
  }

  // With the interpreter's lock.
  void raise_error() {
    if (!error_) return;
    error_->restore();
    throw py::error_already_set();
  }

 private:
  template <class F>
  void call(const F& f) {
    const py::gil_scoped_acquire locked;
    if (error_) return;  // nothing is called any more
    try {
      f();
    } catch (py::error_already_set& error) {
      error_.emplace(error);
    }
  }

  const py::function& on_event_;
  const py::function& on_message_;
  std::optional<py::error_already_set> error_;
};

class PythonReport : public TrainReport {
 public:
  explicit PythonReport(Callbacks& callbacks)
      : TrainReport(Team::alone(), callbacks), callbacks_(callbacks) {}

 protected:
  void on_event(const nlohmann::ordered_json& record) override { callbacks_.on_event(record); }
  int stop_signal() override { return callbacks_.should_stop() ? SIGINT : 0; }

 private:
  Callbacks& callbacks_;
};

std::string path_of(const py::handle& value) {
  return py::module_::import("os").attr("fsencode")(value).cast<std::string>();
}

bool is_path(const py::handle& value) {
  return py::isinstance<py::str>(value) || py::hasattr(value, "__fspath__");
}

SettingValue setting_of(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (is_path(value)) return path_of(value);
  if (py::isinstance<py::int_>(value)) {
    const std::uint64_t number = PyLong_AsUnsignedLongLong(value.ptr());
    if (PyErr_Occurred() == nullptr) return number;
    PyErr_Clear();  // no option takes it: the message will say so
    return std::string(py::str(value));
  }
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    std::vector<std::string> texts;
    for (const py::handle& one : value) texts.push_back(path_of(one));
    return texts;
  }
  return std::string(py::str(value));
}

// Options that are None or False are left out.
TrainRequest request_of(const py::dict& options) {
  TrainRequest request;
  for (const auto& [name, value] : options) {
    if (value.is_none() || value.is(py::bool_(false))) continue;
    const TrainOption* option = find_train_option(name.cast<std::string>());
    if (option == nullptr) throw py::key_error(name.cast<std::string>());
    option->set(request, setting_of(value));
  }
  return request;
}

void train(const py::dict& options, const py::function& on_event, const py::function& on_message) {
  if (const auto launch = find_launch(); has_copies(launch)) {
    throw std::invalid_argument(
        std::to_string(launch->size) +
        " copies of the same training would overwrite each other; use the program (mpirun copse "
        "train), or, if each copy has work of its own, set COPSE_ALONE=1");
  }
  const TrainRequest request = request_of(options);
  Callbacks callbacks(on_event, on_message);
  try {
    const py::gil_scoped_release unlocked;
    PythonReport report(callbacks);
    train_with_report(request, Team::alone(), report);
  } catch (const TrainingStopped&) {
    can_resume(request);  // or else no empty folder is left
    callbacks.raise_error();
    throw;
  }
  callbacks.raise_error();  // of the last callback
}

std::string_view name_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::flag:
      return "flag";
    case OptionKind::integer:
      return "integer";
    case OptionKind::number:
      return "number";
    case OptionKind::size:
      return "size";
    case OptionKind::name:
      return "name";
    case OptionKind::text:
      return "text";
    case OptionKind::file:
      return "file";
    case OptionKind::files:
      return "files";
  }
  return {};
}

// What the signature of train(), its documentation and its stub are made of.
py::list described_options() {
  py::list options;
  for (const TrainOption& option : train_options()) {
    py::dict entry;
    entry["name"] = option.name;
    entry["kind"] = name_of(option.kind);
    entry["choices"] = option.choices;
    entry["word"] = option.word;
    entry["help"] = option.help;
    entry["otherwise"] = option.otherwise;
    options.append(entry);
  }
  return options;
}

py::dict score_entry(const Ratio& ratio) {
  py::dict entry;
  entry["value"] = ratio.value();
  entry["part"] = ratio.part;
  entry["whole"] = ratio.whole;
  return entry;
}

py::dict evaluate(const std::string& gold, const std::string& system, const std::string& punctuation,
                  bool keep_subtypes, int bootstrap, std::uint64_t seed) {
  const auto* const found = std::find(kPunctuationNames.begin(), kPunctuationNames.end(), punctuation);
  const EvaluationOptions options{static_cast<Punctuation>(found - kPunctuationNames.begin()), keep_subtypes};
  std::optional<Evaluator> evaluator;
  std::optional<MeasureIntervals> intervals;
  std::optional<Calibration> calibrated;
  {
    const py::gil_scoped_release unlocked;
    evaluator = evaluate_files(gold, {&system, 1}, options).front();
    if (bootstrap > 0) intervals = bootstrap_intervals(evaluator->sentences(), {bootstrap, seed});
    if (!evaluator->confidences().empty()) calibrated = calibration(evaluator->confidences());
  }
  py::dict result;
  const Scores scores = evaluator->scores();
  for (const Measure measure : kMeasures) {
    if (!scores.has(measure)) continue;
    py::dict entry = score_entry(scores[measure]);
    if (intervals)
      entry["interval"] = py::make_tuple((*intervals)[measure].lower, (*intervals)[measure].upper);
    result[py::str(kMeasureNames[static_cast<std::size_t>(measure)].data())] = entry;
  }
  if (calibrated) {
    py::dict entry;
    entry["arcs"] = calibrated->arcs;
    entry["mean_probability"] = calibrated->mean_probability;
    entry["right"] = calibrated->right;
    entry["brier"] = calibrated->brier;
    entry["log_loss"] = calibrated->log_loss;
    entry["error_equal_width"] = calibrated->error_equal_width;
    entry["error_equal_count"] = calibrated->error_equal_count;
    entry["chance_equal_width"] = calibrated->chance_equal_width;
    entry["chance_equal_count"] = calibrated->chance_equal_count;
    result["calibration"] = entry;
  }
  return result;
}

py::dict evaluate_aligned(const std::string& gold, const std::string& system) {
  AlignedScores scores;
  {
    const py::gil_scoped_release unlocked;
    scores = evaluate_aligned_files(gold, {&system, 1}).front();
  }
  py::dict result;
  for (std::size_t k = 0; k < kAlignedMeasureNames.size(); ++k) {
    const AlignedScore& score = scores.all()[k];
    py::dict entry;
    entry["value"] = score.f1();
    entry["precision"] = score.precision();
    entry["recall"] = score.recall();
    entry["aligned_accuracy"] = score.aligned_accuracy();
    result[py::str(kAlignedMeasureNames[k].data()).attr("lower")()] = entry;
  }
  return result;
}

}  // namespace

void add_training(py::module_& m) {
  // UsageError is an std::invalid_argument, and so a ValueError.
  m.def("train", &train);
  m.def("train_options", &described_options);
  m.def("evaluate", &evaluate);
  m.def("evaluate_aligned", &evaluate_aligned);
  m.attr("punctuation_names") = std::vector<std::string>(kPunctuationNames.begin(), kPunctuationNames.end());
}

}  // namespace copse::python
