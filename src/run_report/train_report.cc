#include "run_report/train_report.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "copse/error.h"
#include "io/output_file.h"
#include "parallel/team_values.h"
#include "render/number_text.h"
#include "render/text_width.h"
#include "run_report/part_lines.h"
#include "run_report/setting_json.h"
#include "run_report/training_story.h"

namespace copse {
namespace {

std::int64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

void write_page(const TrainRequest& request, const std::optional<Evaluator>& development) {
  TrainingStory story = read_training_log(request.log());
  story.model = request.model;
  if (development) add_calibration(*development, story);
  OutputFile file(request.report);
  file.write(training_page(story));
  file.close();
}

}  // namespace

TrainReport::TrainReport(Team& team, MessageLines& lines)
    : team_(team), lines_(lines), log_(TrainingLog::Clock::now()), traffic_(team) {}

void TrainReport::log(std::string_view event, const nlohmann::ordered_json& details) {
  const nlohmann::ordered_json record = log_.write(event, details);
  if (!record.is_null()) on_event(record);
}

void TrainReport::on_start(const TrainRequest& request) {
  model_ = request.model;
  predicts_tags_ = request.predicts_tags();
  wants_to_resume_ = request.resume;
  if (team_.leads()) log_.open(request.log(), request.resume);
  nlohmann::ordered_json settings = {{"program", "copse " COPSE_VERSION}};
  settings.update(request_json(request));
  log("start", settings);
}

void TrainReport::on_stopped() {
  const int own = stop_signal();
  const std::vector<int> all = gather_values(team_, std::span(&own, 1));
  log("stopped", {{"iteration", last_iteration_}, {"signal", *std::max_element(all.begin(), all.end())}});
}

void TrainReport::on_error(std::string_view message) { log("error", {{"message", message}}); }

void TrainReport::on_stage(std::string_view what) {
  log("stage", {{"what", what}});
  lines_.print(what);
  traffic_ = TrafficMeter(team_);
  last_iteration_ = 0;
  first_iteration_ = 0;
}

void TrainReport::on_prepared(const PreparationReport& report) {
  log("prepared", {{"sentences", report.sentences},
                   {"words", report.words},
                   {"too_long", report.too_long},
                   {"without_heads", report.without_heads},
                   {"partial", report.partial},
                   {"projectivized", report.projectivized},
                   {"changed_heads", report.changed_heads}});
  lines_.print(fmt::format("  {}, {}", counted(report.sentences, "sentence"), counted(report.words, "word")));
  const auto remark = [this](std::int64_t sentences, const std::string& what) {
    if (sentences > 0) lines_.print(fmt::format("  {} {}", counted(sentences, "sentence"), what));
  };
  remark(report.too_long, "left out: too long");
  remark(report.without_heads, "left out: no heads");
  remark(report.partial, "with heads for some words only");
  remark(report.projectivized, fmt::format("made projective or single-rooted, which changed {}",
                                           counted(report.changed_heads, "head")));
}

void TrainReport::on_pruned(const PruningReport& report) {
  log("pruned", {{"arcs_per_word", report.arcs_per_word},
                 {"lost_gold_arcs", report.lost_gold_arcs},
                 {"dev_arcs_per_word", number_or_null(report.dev_arcs_per_word)},
                 {"dev_lost_gold_arcs", number_or_null(report.dev_lost_gold_arcs)}});
  const auto describe = [this](std::string_view data, double arcs, double lost) {
    lines_.print(fmt::format("  {}: {:.2f} candidate arcs per word, {} of the gold arcs are lost", data, arcs,
                             percent_text(lost)));
  };
  describe("training data", report.arcs_per_word, report.lost_gold_arcs);
  if (std::isfinite(report.dev_arcs_per_word)) {
    describe("development data", report.dev_arcs_per_word, report.dev_lost_gold_arcs);
  }
}

void TrainReport::on_development(const DevelopmentReport& report) {
  log("development", {{"sentences", report.sentences},
                      {"too_long", report.too_long},
                      {"too_large", report.too_large},
                      {"without_heads", report.without_heads}});
  const auto remark = [this](std::int64_t sentences, std::string_view what) {
    if (sentences == 0) return;
    lines_.print(fmt::format("  development data: {} left out while learning: {}",
                             counted(sentences, "sentence"), what));
  };
  remark(report.too_long, "too long");
  remark(report.too_large, "too many candidate parts");
  remark(report.without_heads, "no heads");
}

void TrainReport::on_features(const FeatureReport& report) {
  log("features", {{"features", report.features},
                   {"bytes_of_lists", report.bytes_of_lists},
                   {"sentences", report.sentences},
                   {"kept_lists", report.kept_lists}});
  lines_.print(fmt::format("  {}, {:.1f} MB to list them for every sentence",
                           counted(report.features, "feature"),
                           static_cast<double>(report.bytes_of_lists) / 1e6));
  if (report.kept_lists < report.sentences) {
    lines_.print(fmt::format("  only {} of {} lists fit into --memory; the others are made in every pass",
                             report.kept_lists, counted(report.sentences, "sentence")));
  }
}

void TrainReport::on_resumed(int iterations) {
  log("resumed", {{"iterations", iterations}});
  wants_to_resume_ = false;
  lines_.print(fmt::format("  going on after iteration {}", iterations));
  last_iteration_ = iterations;
}

std::string TrainReport::time_left(const IterationReport& report) const {
  const int done = report.iteration - first_iteration_ + 1;
  const double each = (log_.seconds() - iterations_start_) / done;
  const std::string left = duration(each * (report.likely_end - report.iteration));
  if (report.likely_end == report.iterations) return left + " left";
  return fmt::format("{} left unless {} rises", left, report.score_name);
}

void TrainReport::on_iteration(const IterationReport& report) {
  if (first_iteration_ == 0) {
    first_iteration_ = report.iteration;
    iterations_start_ = log_.seconds() - report.seconds;
    if (wants_to_resume_ && report.iteration == 1) lines_.print("  nothing to resume; from the beginning");
  }
  last_iteration_ = report.iteration;
  nlohmann::ordered_json record = {{"iteration", report.iteration},
                                   {"iterations", report.iterations},
                                   {"objective", number_or_null(report.objective)},
                                   {"gradient_norm", number_or_null(report.gradient_norm)},
                                   {report.score_name == "LAS" ? "dev_las" : "dev_uas",
                                    report.dev_score ? number_or_null(*report.dev_score) : nullptr},
                                   {"seconds", report.seconds},
                                   {"sentences_per_second", report.examples_per_second}};
  record.update(traffic_.read());
  log("iteration", record);
  std::string text =
      fmt::format("  {:>3}/{}  objective {:.6g}", report.iteration, report.iterations, report.objective);
  if (std::isfinite(report.gradient_norm)) text += fmt::format("  gradient {:.4g}", report.gradient_norm);
  if (report.dev_score) text += fmt::format("  {} {}", report.score_name, percent_text(*report.dev_score));
  text += fmt::format("  {} sentences/s", rate(report.examples_per_second));
  if (!report.is_last) text += "  " + time_left(report);
  // On a terminal, only lines with news on them stay.
  if (lines_.is_live() && !report.is_last && !report.dev_score) {
    lines_.show(text);
  } else {
    lines_.print(text);
  }
}

void TrainReport::on_text(const SegmenterObserver::Data& data) { print_text(lines_, data); }

void TrainReport::on_candidates(const CandidateReport& report) { print_candidates(lines_, report); }

void TrainReport::on_part_features(std::int64_t label_weights, std::int64_t transition_weights) {
  print_features(lines_, label_weights, transition_weights);
}

void TrainReport::on_part_iteration(const IterationReport& report) {
  // The run's own iterations are those of the parser.
  log("part_iteration",
      {{"iteration", report.iteration},
       {"objective", number_or_null(report.objective)},
       {"dev_accuracy", report.dev_score ? nlohmann::ordered_json(*report.dev_score) : nullptr},
       {"seconds", report.seconds}});
  print_iteration(lines_, report);
}

void TrainReport::on_tagged(const TaggedReport& report) {
  nlohmann::ordered_json accuracies;
  for (const auto& [attribute, train, dev] : report.accuracies) {
    nlohmann::ordered_json& entry = accuracies[std::string(name(attribute))];
    entry["train"] = train;
    if (!std::isnan(dev)) entry["dev"] = dev;
  }
  log("tagged", {{"folds", report.folds}, {"accuracies", accuracies}});
}

void TrainReport::on_labeller(std::size_t labels) { log("labels", {{"labels", labels}}); }

void TrainReport::on_trial(CrossingArcs way) {
  lines_.print(fmt::format("trying --nonprojective: {}", name(way)));
}

void TrainReport::on_trial_end(const CrossingArcsTrial& trial, bool has_labels) {
  lines_.print(has_labels ? fmt::format("  UAS {}, LAS {}", percent_text(trial.uas), percent_text(trial.las))
                          : fmt::format("  UAS {}", percent_text(trial.uas)));
}

void TrainReport::on_crossing_arcs(const CrossingArcsChoice& choice) {
  nlohmann::ordered_json trials = nlohmann::ordered_json::array();
  for (const CrossingArcsTrial& trial : choice.trials) {
    trials.push_back({{"way", name(trial.way)}, {"uas", trial.uas}, {"las", trial.las}});
  }
  log("crossing_arcs", {{"way", name(choice.way)},
                        {"trees", choice.trees},
                        {"nonprojective_trees", choice.nonprojective_trees},
                        {"trials", trials}});
  lines_.print(fmt::format("{} of {} not projective: --nonprojective auto takes {}",
                           counted(choice.nonprojective_trees, "tree"), choice.trees, name(choice.way)));
}

void TrainReport::on_lifted(std::int64_t trees, std::int64_t arcs) {
  log("lifted", {{"trees", trees}, {"arcs", arcs}});
  lines_.print(fmt::format("{} lifted in {}", counted(arcs, "arc"), counted(trees, "tree")));
}

void TrainReport::on_parsing_development() { log("stage", {{"what", "parsing the development data"}}); }

void TrainReport::on_end(const TrainResult& result) {
  nlohmann::ordered_json end = {{"model_bytes", result.bytes}};
  summary_ = fmt::format("{}: {}, {}\n", printable(model_), counted(result.bytes, "byte"),
                         counted(static_cast<std::int64_t>(result.weights), "weight"));
  if (result.development) {
    const Scores scores = result.development->scores();
    const auto value = [&scores](Measure measure) { return scores[measure].value(); };
    end["dev_uas"] = value(Measure::uas);
    end["dev_cm"] = value(Measure::cm);
    summary_ += fmt::format("development data: UAS {}", percent_text(value(Measure::uas)));
    if (result.has_labels) {
      end["dev_las"] = value(Measure::las);
      summary_ += fmt::format(", LAS {}", percent_text(value(Measure::las)));
    }
    summary_ += fmt::format(", complete {}, punctuation counted{}\n", percent_text(value(Measure::cm)),
                            predicts_tags_ ? ", tags predicted" : "");
  }
  const TeamReport team = team_report(team_, log_.seconds());
  end.update(team_json(team));
  summary_ += team_text(team);
  end["seconds"] = log_.seconds();
  end["peak_memory_bytes"] = peak_memory_bytes();
  log("end", end);
}

TrainResult train_with_report(const TrainRequest& request, Team& team, TrainReport& report) {
  const auto write_page = [&](const std::optional<Evaluator>& development) {
    if (!request.report.empty() && report.has_log()) copse::write_page(request, development);
  };
  try {
    try {
      TrainResult result = train(request, team, report);
      write_page(result.development);
      return result;
    } catch (const TrainingStopped&) {
      report.on_stopped();
      throw;
    } catch (const DataError& error) {
      report.on_error(error.what());
      throw;
    }
  } catch (...) {
    write_page(std::nullopt);  // as far as it came
    throw;
  }
}

}  // namespace copse
