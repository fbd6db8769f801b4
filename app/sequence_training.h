#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "console.h"
#include "current_team.h"
#include "interrupted.h"
#include "io/output_file.h"
#include "number_text.h"
#include "optimisers/training_stopped.h"
#include "option_values.h"
#include "parallel/task_pool.h"
#include "render/text_width.h"
#include "run_report/team_report.h"
#include "stop_signals.h"
#include "training/model_facts.h"
#include "training/team_data.h"

namespace copse {

// What the commands that learn to label sequences are given to do so.
struct SequenceTrainingFiles {
  std::string model;
  std::vector<std::string> train;
  std::vector<std::string> dev;
  int threads = 1;
  int max_words = ConllReadOptions().max_words;
};

// `training` is of TaggerTrainingOptions or SegmenterTrainingOptions; `unit` is what a decision is about,
// `order` what is in order.
template <class Options>
void add_sequence_training_options(CLI::App& command, SequenceTrainingFiles& files, Options& training,
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

// Learns by train(sentences, dev, pool), saves the model, and prints score_table(model, sentences, dev, pool)
// if there is development data. In a team, all processes do so together, each with its own share of the
// sentences, and the first one saves and prints.
template <class Train, class ScoreTable>
void train_on_files(const SequenceTrainingFiles& files, Train train, ScoreTable score_table) {
  const auto start = std::chrono::steady_clock::now();
  Team& team = current_team();
  if (team.leads()) {
    const OutputFile model(files.model);  // goes away again: better now than after the work
  }
  TeamData data(team);
  const std::vector<Sentence> sentences = data.read_treebanks(files.train, files.max_words);
  const std::vector<Sentence> dev = data.read_development(files.dev, files.max_words);
  data.compare();
  TaskPool pool(files.threads, team);
  auto model = [&] {
    const StopSignals signals;
    try {
      return train(sentences, dev, pool);
    } catch (const TrainingStopped&) {
      throw Interrupted(status_of_stop(StopSignals::received_by_any()), "stopped; nothing is saved");
    }
  }();
  model.add_fact("training files", file_names(files.train));
  if (!files.dev.empty()) model.add_fact("development files", file_names(files.dev));
  model.add_fact("program", "copse " COPSE_VERSION);
  if (team.leads()) model.save(files.model);
  const std::string scores = files.dev.empty() ? "" : score_table(model, sentences, dev, pool);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(files.model, error);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  write_output(fmt::format("{}: {}\n{}{}", printable(files.model),
                           counted(error ? 0 : static_cast<std::int64_t>(size), "byte"), scores,
                           team_text(team_report(team, seconds.count()))));
}

}  // namespace copse
