#include "run_report/training_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "copse/error.h"
#include "render/number_text.h"

namespace copse {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Json> read_events(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw DataError(path + ": cannot open the log of the run; check the path and its permissions");
  std::vector<Json> events;
  for (std::string line; std::getline(file, line);) {
    Json event = Json::parse(line, nullptr, false);
    // The program that goes on writes behind what was cut off.
    if (event.is_discarded()) {
      event = Json::parse(line.substr(std::min(line.rfind("{\"event\":"), line.size())), nullptr, false);
    }
    const bool is_whole = event.is_object() && event.value("event", Json()).is_string() &&
                          event.value("time", Json()).is_number();
    if (is_whole) events.push_back(std::move(event));
  }
  return events;
}

std::optional<double> number(const Json& event, std::string_view key) {
  const auto found = event.find(key);
  if (found == event.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& entry : value) text += (text.empty() ? "" : ", ") + value_text(entry);
  return text;
}

std::string with_spaces(std::string_view key) {
  std::string text(key);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

class StoryReader {
 public:
  TrainingStory read(const std::vector<Json>& events) {
    for (const Json& event : events) add(event);
    close_stage(last_time_);
    if (sessions_ > 1) {
      story_.outcome += fmt::format(" It was interrupted and resumed {}.",
                                    sessions_ == 2 ? "once" : fmt::format("{} times", sessions_ - 1));
    }
    return std::move(story_);
  }

 private:
  void add(const Json& event) {
    const std::string name = event["event"];
    const double time = event["time"];
    if (name == "start") return start(event);
    if (name == "stage") {
      open_stage(event.value("what", Json("?")).get<std::string>(), time);
    } else if (name == "resumed") {
      forget_iterations_after(static_cast<int>(number(event, "iterations").value_or(0.0)));
    } else if (name == "iteration" || name == "part_iteration") {
      add_iteration(event);
    } else if (name == "end") {
      end(event);
    } else if (name == "stopped") {
      story_.outcome = "The run was stopped; `--resume` goes on with it.";
    } else if (name == "error") {
      story_.outcome = "The run ended with an error: " + value_text(event.value("message", Json("?"))) + ".";
    } else {
      add_data(name, event);
    }
    last_time_ = time;
  }

  // Every program that works on a run begins so.
  void start(const Json& event) {
    close_stage(last_time_);
    ++sessions_;
    last_time_ = event["time"];
    stage_start_ = 0.0;
    stage_ = kNone;
    story_.outcome = "The run has not come to its end.";
    story_.settings.clear();
    story_.results.clear();
    for (const auto& [key, value] : event.items()) {
      const bool is_setting = key != "event" && key != "time" && key != "resume";
      const bool has_value = !value.is_null() && !(value.is_array() && value.empty());
      if (is_setting && has_value) story_.settings.emplace_back(with_spaces(key), value_text(value));
    }
    open_stage("reading the files", 0.0);
  }

  void open_stage(const std::string& name, double time) {
    close_stage(time);
    const auto found = std::find_if(story_.stages.begin(), story_.stages.end(),
                                    [&name](const TrainingStage& stage) { return stage.name == name; });
    stage_ = static_cast<std::size_t>(found - story_.stages.begin());
    if (found == story_.stages.end()) story_.stages.emplace_back().name = name;
    stage_start_ = time;
  }

  void close_stage(double time) {
    if (stage_ == kNone) return;
    story_.stages[stage_].seconds += std::max(0.0, time - stage_start_);
    stage_start_ = time;
  }

  void forget_iterations_after(int iteration) {
    if (stage_ == kNone) return;
    std::erase_if(story_.stages[stage_].iterations,
                  [iteration](const TrainingIteration& one) { return one.iteration > iteration; });
  }

  void add_iteration(const Json& event) {
    if (stage_ == kNone) return;
    TrainingStage& stage = story_.stages[stage_];
    stage.is_of_parser = event["event"] == "iteration";
    TrainingIteration one;
    one.iteration = static_cast<int>(number(event, "iteration").value_or(0.0));
    one.objective = number(event, "objective");
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kScores = {
        {{"dev_las", "LAS"}, {"dev_uas", "UAS"}, {"dev_accuracy", "Accuracy"}}};
    for (const auto& [key, score] : kScores) {
      if (!event.contains(key)) continue;
      stage.score_name = score;
      one.score = number(event, key);
    }
    // A stage that begins anew, with no checkpoint to go on from.
    forget_iterations_after(one.iteration - 1);
    stage.iterations.push_back(one);
  }

  void add_data(const std::string& name, const Json& event) {
    for (const auto& [key, value] : event.items()) {
      if (key == "event" || key == "time") continue;
      if (value.is_number() && value == 0) continue;
      if (value.is_number_integer()) {
        set_data(fmt::format("{}: {}", with_spaces(name), with_spaces(key)),
                 grouped(value.get<std::int64_t>()));
      } else if (value.is_number()) {
        set_data(fmt::format("{}: {}", with_spaces(name), with_spaces(key)),
                 fmt::format("{:.4g}", value.get<double>()));
      } else if (key == "accuracies") {
        for (const auto& [attribute, shares] : value.items()) {
          for (const auto& [data, share] : shares.items()) {
            if (share.is_number()) {
              set_data(fmt::format("tags predicted: {}, {} data", attribute, data),
                       percent_text(share.get<double>()));
            }
          }
        }
      }
    }
  }

  // A resumed run says the same again.
  void set_data(const std::string& key, const std::string& value) {
    for (auto& [known, text] : story_.data) {
      if (known != key) continue;
      text = value;
      return;
    }
    story_.data.emplace_back(key, value);
  }

  void end(const Json& event) {
    story_.outcome = "The run came to its end.";
    const auto add_share = [&](std::string_view key, std::string_view what) {
      if (const auto share = number(event, key)) story_.results.emplace_back(what, percent_text(*share));
    };
    add_share("dev_uas", "UAS on development data");
    add_share("dev_las", "LAS on development data");
    add_share("dev_cm", "complete trees of development data");
    if (const auto bytes = number(event, "model_bytes")) {
      story_.results.emplace_back("size of the model", counted(static_cast<std::int64_t>(*bytes), "byte"));
    }
    if (const auto bytes = number(event, "peak_memory_bytes")) {
      story_.results.emplace_back("most memory", fmt::format("{:.0f} MB", *bytes / 1e6));
    }
    close_stage(event["time"]);
    double seconds = 0.0;
    for (const TrainingStage& stage : story_.stages) seconds += stage.seconds;
    story_.results.emplace_back("time", duration(seconds));
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  TrainingStory story_;
  std::size_t stage_ = kNone;
  double stage_start_ = 0.0;
  double last_time_ = 0.0;
  int sessions_ = 0;
};

}  // namespace

TrainingStory read_training_log(const std::string& path) { return StoryReader().read(read_events(path)); }

void add_calibration(const Evaluator& evaluator, TrainingStory& story) {
  constexpr int kBins = 10;
  constexpr int kCurvePoints = 100;
  if (evaluator.confidences().empty()) return;
  const std::int64_t words = evaluator.scores().total.scored_words;
  story.calibration = calibration(evaluator.confidences(), kBins);
  story.precision_curve = precision_curve(evaluator.confidences(), words);
  story.coverage_curve =
      precision_curve(evaluator.confidences(), words, even_thresholds(evaluator.confidences(), kCurvePoints));
}

}  // namespace copse
