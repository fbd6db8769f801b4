#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "console.h"
#include "current_team.h"
#include "interrupted.h"
#include "number_text.h"
#include "optimisers/training_stopped.h"
#include "option_values.h"
#include "render/text_width.h"
#include "run_report/team_report.h"
#include "stop_signals.h"
#include "training/train_part.h"

namespace copse {

// `training` is of TaggerTrainingOptions or SegmenterTrainingOptions; `unit` is what a decision is about,
// `order` what is in order.
template <class Options>
void add_sequence_training_options(CLI::App& command, PartRequest& files, Options& training,
                                   std::string_view unit, std::string_view order) {
  command.add_option("--train", files.train, "Learn from these files; - is the standard input")
      ->option_text("FILE ...");
  command.add_option("--dev", files.dev, "Sentences to choose the best iterations by, and to report on")
      ->option_text("FILE ...");
  command
      .add_option("--order", training.order,
                  fmt::format("How many {0}s before a {0} decide with it: 1 or 2", unit))
      ->check(CLI::Range(1, 2))
      ->option_text(fmt::format("1|2 [{}]", training.order));
  add_choice(command, "--learner", training.learner, parse_learner, {"lbfgs", "adagrad", "perceptron"},
             "Maximum likelihood by lbfgs or adagrad, or averaged perceptron")
      ->option_text("NAME [adagrad]");
  command.add_option("--l2", training.l2, "Penalty of large weights, C/2 |w|^2")
      ->check(CLI::Range(0.0, 1e6))
      ->option_text(fmt::format("C [{}]", training.l2));
  command.add_option("--iterations", training.iterations, "At most so many")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [by the learner]");
  command.add_option("--seed", training.seed, fmt::format("Of the order of {}", order))->option_text("N [1]");
  add_threads_option(command, files.threads);
}

// Trains, and prints what has come out, with `score_table` of the result.
template <class Options, class Observer, class ScoreTable>
void train_on_files(const PartRequest& request, const Options& training, Observer& observer,
                    const ScoreTable& score_table) {
  const auto start = std::chrono::steady_clock::now();
  Team& team = current_team();
  try {
    const auto result = train(request, training, team, observer);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    write_output(fmt::format("{}: {}\n{}{}", printable(request.model), counted(result.bytes, "byte"),
                             score_table(result), team_text(team_report(team, seconds.count()))));
  } catch (const TrainingStopped&) {
    throw Interrupted(status_of_stop(StopSignals::received_by_any()), "stopped; nothing is saved");
  }
}

}  // namespace copse
