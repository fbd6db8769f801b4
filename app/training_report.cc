#include "training_report.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <system_error>

#include "copse/error.h"
#include "current_team.h"
#include "number_text.h"
#include "run_listener.h"
#include "stop_signals.h"

namespace copse {
namespace {

// What cannot be a JSON number becomes null.
nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace

TrainingLog::TrainingLog(const std::string& path, bool goes_on, Clock::time_point start)
    : path_(path), start_(start) {
  if (!current_team().leads()) return;
  file_.open(path, std::ios::binary | (goes_on ? std::ios::app : std::ios::trunc));
  if (!file_) {
    throw DataError(fmt::format("{}: cannot write: {}; check the path and its permissions", path_,
                                std::generic_category().message(errno)));
  }
}

double TrainingLog::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void TrainingLog::write(std::string_view event, const nlohmann::ordered_json& details) {
  if (!file_.is_open()) return;
  nlohmann::ordered_json line = {{"event", event}, {"time", seconds()}};
  line.update(details);
  const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  file_ << text << std::endl;
  if (!file_) throw DataError(path_ + ": cannot write the log; check the free space");
  if (RunListener* listener = current_listener()) listener->on_event(text);
}

void TrainingReport::on_stage(std::string_view what) {
  // Nothing is lost at these places, and the next iteration can be far.
  if (StopSignals::received_by_any() != 0) throw TrainingStopped();
  log_.write("stage", {{"what", what}});
  line_.print(what);
  traffic_ = TrafficMeter();
  last_iteration_ = 0;
  first_iteration_ = 0;
}

void TrainingReport::on_prepared(const PreparationReport& report) {
  log_.write("prepared", {{"sentences", report.sentences},
                          {"words", report.words},
                          {"too_long", report.too_long},
                          {"without_heads", report.without_heads},
                          {"partial", report.partial},
                          {"projectivized", report.projectivized},
                          {"changed_heads", report.changed_heads}});
  line_.print(fmt::format("  {}, {}", counted(report.sentences, "sentence"), counted(report.words, "word")));
  const auto remark = [this](std::int64_t sentences, const std::string& what) {
    if (sentences > 0) line_.print(fmt::format("  {} {}", counted(sentences, "sentence"), what));
  };
  remark(report.too_long, "left out: too long");
  remark(report.without_heads, "left out: no heads");
  remark(report.partial, "with heads for some words only");
  remark(report.projectivized, fmt::format("made projective or single-rooted, which changed {}",
                                           counted(report.changed_heads, "head")));
}

void TrainingReport::on_pruned(const PruningReport& report) {
  log_.write("pruned", {{"arcs_per_word", report.arcs_per_word},
                        {"lost_gold_arcs", report.lost_gold_arcs},
                        {"dev_arcs_per_word", number_or_null(report.dev_arcs_per_word)},
                        {"dev_lost_gold_arcs", number_or_null(report.dev_lost_gold_arcs)}});
  const auto describe = [this](std::string_view data, double arcs, double lost) {
    line_.print(fmt::format("  {}: {:.2f} candidate arcs per word, {} of the gold arcs are lost", data, arcs,
                            percent_text(lost)));
  };
  describe("training data", report.arcs_per_word, report.lost_gold_arcs);
  if (std::isfinite(report.dev_arcs_per_word)) {
    describe("development data", report.dev_arcs_per_word, report.dev_lost_gold_arcs);
  }
}

void TrainingReport::on_development(const DevelopmentReport& report) {
  log_.write("development", {{"sentences", report.sentences},
                             {"too_long", report.too_long},
                             {"too_large", report.too_large},
                             {"without_heads", report.without_heads}});
  const auto remark = [this](std::int64_t sentences, std::string_view what) {
    if (sentences == 0) return;
    line_.print(fmt::format("  development data: {} left out while learning: {}",
                            counted(sentences, "sentence"), what));
  };
  remark(report.too_long, "too long");
  remark(report.too_large, "too many candidate parts");
  remark(report.without_heads, "no heads");
}

void TrainingReport::on_features(const FeatureReport& report) {
  log_.write("features", {{"features", report.features},
                          {"bytes_of_lists", report.bytes_of_lists},
                          {"sentences", report.sentences},
                          {"kept_lists", report.kept_lists}});
  line_.print(fmt::format("  {}, {:.1f} MB to list them for every sentence",
                          counted(report.features, "feature"),
                          static_cast<double>(report.bytes_of_lists) / 1e6));
  if (report.kept_lists < report.sentences) {
    line_.print(fmt::format("  only {} of {} lists fit into --memory; the others are made in every pass",
                            report.kept_lists, counted(report.sentences, "sentence")));
  }
}

void TrainingReport::on_resumed(int iterations) {
  log_.write("resumed", {{"iterations", iterations}});
  wants_to_resume_ = false;
  line_.print(fmt::format("  going on after iteration {}", iterations));
  last_iteration_ = iterations;
}

std::string TrainingReport::time_left(const IterationReport& report) const {
  const int done = report.iteration - first_iteration_ + 1;
  const double each = (log_.seconds() - iterations_start_) / done;
  const std::string left = duration(each * (report.likely_end - report.iteration));
  if (report.likely_end == report.iterations) return left + " left";
  return fmt::format("{} left unless {} rises", left, report.score_name);
}

void TrainingReport::on_iteration(const IterationReport& report) {
  if (first_iteration_ == 0) {
    first_iteration_ = report.iteration;
    iterations_start_ = log_.seconds() - report.seconds;
    if (wants_to_resume_ && report.iteration == 1) line_.print("  nothing to resume; from the beginning");
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
  log_.write("iteration", record);
  std::string text =
      fmt::format("  {:>3}/{}  objective {:.6g}", report.iteration, report.iterations, report.objective);
  if (std::isfinite(report.gradient_norm)) text += fmt::format("  gradient {:.4g}", report.gradient_norm);
  if (report.dev_score) text += fmt::format("  {} {}", report.score_name, percent_text(*report.dev_score));
  text += fmt::format("  {} sentences/s", rate(report.examples_per_second));
  if (!report.is_last) text += "  " + time_left(report);
  // On a terminal, only lines with news on them stay.
  if (line_.is_live() && !report.is_last && !report.dev_score) {
    line_.show(text);
  } else {
    line_.print(text);
  }
}

bool TrainingReport::should_stop() { return StopSignals::received() != 0; }

}  // namespace copse
