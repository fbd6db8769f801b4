#include "module_training.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/aligned_scores.h"
#include "evaluation/calibration.h"
#include "evaluation/evaluate_files.h"
#include "evaluation/resampling.h"
#include "optimisers/training_stopped.h"
#include "training/train_command.h"

namespace copse::python {
namespace {

// Tells Python. What a callback raises stops the run, and is raised again at the end.
class PythonListener : public RunListener {
 public:
  PythonListener(const py::function& on_event, const py::function& on_message)
      : on_event_(on_event), on_message_(on_message) {}

  void on_event(const std::string& json) override {
    call([&] { on_event_(json); });
  }
  void on_message(std::string_view line) override {
    call([&] { on_message_(py::str(line.data(), line.size())); });
  }
  bool should_stop() override {
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
    if (error_) return;  // nobody listens any more
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

std::string train(const std::vector<std::string>& arguments, const py::function& on_event,
                  const py::function& on_message) {
  PythonListener listener(on_event, on_message);
  std::string summary;
  try {
    const py::gil_scoped_release unlocked;
    summary = train_command(arguments, listener);
  } catch (const TrainingStopped&) {
    listener.raise_error();
    throw;
  }
  listener.raise_error();  // of the last callback
  return summary;
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
  m.def("train_option_names", &train_option_names);
  m.def("evaluate", &evaluate);
  m.def("evaluate_aligned", &evaluate_aligned);
  m.attr("punctuation_names") = std::vector<std::string>(kPunctuationNames.begin(), kPunctuationNames.end());
}

}  // namespace copse::python
