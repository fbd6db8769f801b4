#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "copse/evaluation/evaluator.h"
#include "copse/io/output_file.h"
#include "copse/learning/trainer.h"
#include "copse/parsing/treebank_parser.h"
#include "copse/render/text_width.h"
#include "copse/treebank/conll.h"
#include "interrupted.h"
#include "number_text.h"
#include "option_values.h"
#include "parse_scores.h"
#include "stop_signals.h"
#include "training_report.h"
#include "treebank_input.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

constexpr double kChooseL2 = -1.0;
constexpr double kL2Choices[] = {0.5, 1.5, 4.0, 12.0};

struct TrainOptions {
  std::vector<std::string> train;
  std::vector<std::string> dev;
  std::string model;
  TrainingOptions training;
  std::optional<double> l2;
  std::optional<double> prune;
  int threads = 1;
  bool resume = false;

  std::string log_path() const { return model + ".log.jsonl"; }
  std::string checkpoint_path() const { return model + ".checkpoint"; }
};

void check_usage(const TrainOptions& options) {
  std::vector<std::string> files = options.train;
  files.insert(files.end(), options.dev.begin(), options.dev.end());
  expect_one_standard_input("--train", files);
  if (options.model == "-") throw CLI::ValidationError("--model", "name a file: others go beside it");
  if (options.l2 == kChooseL2 && options.dev.empty()) {
    throw CLI::ValidationError("--l2", "auto needs development data (--dev) to choose by");
  }
  if (options.training.trees == TreeKind::nonprojective &&
      options.training.factorization != Factorization::first) {
    throw CLI::ValidationError("--trees", "nonprojective needs --factorization first");
  }
  const LearnerKind learner = options.training.learner;
  const bool has_penalty = learner == LearnerKind::lbfgs || learner == LearnerKind::adagrad;
  if (options.l2 && !has_penalty) {
    throw CLI::ValidationError("--l2", fmt::format("the learner {} has no such penalty", name(learner)));
  }
  if (options.training.l1 > 0.0 && learner != LearnerKind::lbfgs) {
    throw CLI::ValidationError("--l1", fmt::format("the learner {} has no such penalty", name(learner)));
  }
}

TrainingOptions training_options(const TrainOptions& options) {
  TrainingOptions training = options.training;
  if (options.l2 == kChooseL2) {
    training.l2_choices.assign(std::begin(kL2Choices), std::end(kL2Choices));
  } else {
    training.l2 = options.l2.value_or(training.l2);
  }
  training.prune_threshold = options.prune.value_or(training.prune_threshold);
  return training;
}

// Hours of work must not end in a message that the model cannot be written.
void expect_writable(const TrainOptions& options) {
  const OutputFile model(options.model);  // goes away again
  std::error_code error;
  const bool is_new = fs::create_directory(options.checkpoint_path(), error);
  if (error) {
    throw DataError(fmt::format("{}: cannot make this folder: {}; choose another --model",
                                options.checkpoint_path(), error.message()));
  }
  if (is_new) fs::remove(options.checkpoint_path(), error);
}

// Where the files lie is nobody's business but the user's, and it would make equal models differ.
std::string file_names(const std::vector<std::string>& paths) {
  std::string names;
  for (const std::string& path : paths) {
    if (!names.empty()) names += ' ';
    names += path == "-" ? path : fs::path(path).filename().string();
  }
  return names;
}

std::string support_name(const TrainingOptions& training) {
  return training.candidate_features ? "candidates" : "gold";
}

void add_facts(const TrainOptions& options, const TrainingOptions& training, Model& model) {
  model.add_fact("training files", file_names(options.train));
  if (!options.dev.empty()) model.add_fact("development files", file_names(options.dev));
  model.add_fact("longest sentence", std::to_string(training.max_length));
  model.add_fact("cut-off", std::to_string(training.cutoff));
  model.add_fact("support", support_name(training));
  if (model.pruner() != nullptr) model.add_fact("pruning folds", std::to_string(training.prune_folds));
  model.add_fact("program", "copse " COPSE_VERSION);
}

nlohmann::ordered_json settings_json(const TrainOptions& options, const TrainingOptions& training) {
  return {
      {"program", "copse " COPSE_VERSION},
      {"train", options.train},
      {"dev", options.dev},
      {"factorization", name(training.factorization)},
      {"learner", name(training.learner)},
      {"root", name(training.root)},
      {"trees", name(training.trees)},
      {"features", name(training.features)},
      {"coarse", training.coarse ? nlohmann::ordered_json(name(*training.coarse)) : nullptr},
      {"l2", training.l2_choices.empty() ? std::vector<double>{training.l2} : training.l2_choices},
      {"l1", training.l1},
      {"margin", training.margin},
      {"max_length", training.max_length},
      {"cutoff", training.cutoff},
      {"support", support_name(training)},
      {"max_features", training.max_features ? nlohmann::ordered_json(*training.max_features) : nullptr},
      {"memory", training.memory},
      {"prune", training.prune_threshold},
      {"prune_folds", training.prune_folds},
      {"seed", training.seed},
      {"threads", options.threads},
      {"resume", options.resume},
  };
}

std::size_t share_of_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return TrainingOptions().memory;
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) / 2;
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

bool has_checkpoints(const std::string& folder) {
  std::error_code ignored;
  const fs::recursive_directory_iterator entries(folder, ignored);
  return std::any_of(begin(entries), end(entries),
                     [](const fs::directory_entry& entry) { return entry.is_regular_file(); });
}

[[noreturn]] void report_stop(const TrainOptions& options, TrainingLog& log, int last_iteration) {
  const int signal = StopSignals::received();
  log.write("stopped", {{"iteration", last_iteration}, {"signal", signal}});
  constexpr int kStatusOfSignals = 128;  // as shells have it
  if (has_checkpoints(options.checkpoint_path())) {
    throw Interrupted(kStatusOfSignals + signal, "stopped; the same command with --resume goes on from here");
  }
  remove_checkpoints(options.checkpoint_path());
  throw Interrupted(kStatusOfSignals + signal,
                    "stopped before the first iteration was done; nothing is saved");
}

Model train_with_report(const TrainOptions& options, const TrainingOptions& training,
                        const std::vector<Sentence>& sentences, const std::vector<Sentence>& dev,
                        TaskPool& pool, TrainingLog& log) {
  const StopSignals signals;
  TrainingReport report(log, options.resume);
  try {
    return copse::train(sentences, dev, training, {options.checkpoint_path(), options.resume}, pool, report);
  } catch (const TrainingStopped&) {
    report_stop(options, log, report.last_iteration());
  } catch (const DataError& error) {
    log.write("error", {{"message", error.what()}});
    throw;
  }
}

// What has come out, for people and for the log.
void report_end(const TrainOptions& options, const Model& model, const std::vector<Sentence>& dev,
                TaskPool& pool, TrainingLog& log) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(options.model, error);
  const std::int64_t bytes = error ? 0 : static_cast<std::int64_t>(size);  // devices have none
  nlohmann::ordered_json end = {{"model_bytes", bytes}};
  std::string summary =
      fmt::format("{}: {}, {}\n", printable(options.model), counted(bytes, "byte"),
                  counted(static_cast<std::int64_t>(model.parser().weights().size()), "weight"));
  if (!dev.empty()) {
    const Scores scores = parse_scores(model, dev, pool);
    const double uas = scores[Measure::uas].value();
    const double cm = scores[Measure::cm].value();
    summary += fmt::format("development data: UAS {:.2f}%, complete {:.2f}%, punctuation counted\n",
                           100.0 * uas, 100.0 * cm);
    end["dev_uas"] = uas;
    end["dev_cm"] = cm;
  }
  end["seconds"] = log.seconds();
  end["peak_memory_bytes"] = peak_memory_bytes();
  log.write("end", end);
  write_output(summary);
}

void train(const TrainOptions& options) {
  const auto start = TrainingLog::Clock::now();
  check_usage(options);
  expect_writable(options);
  const TrainingOptions training = training_options(options);
  const std::vector<Sentence> sentences = read_treebanks(options.train);
  const std::vector<Sentence> dev = read_treebanks(options.dev);
  TrainingLog log(options.log_path(), options.resume, start);
  log.write("start", settings_json(options, training));
  TaskPool pool(options.threads);
  Model model = train_with_report(options, training, sentences, dev, pool, log);
  add_facts(options, training, model);
  model.save(options.model);
  remove_checkpoints(options.checkpoint_path());
  report_end(options, model, dev, pool, log);
}

}  // namespace

void add_train(CLI::App& program) {
  CLI::App* command = program.add_subcommand("train", "Learn a model from a treebank");
  command->footer(
      "Reads CoNLL-U, CoNLL-X or FORM POS HEAD trees and writes one file, the model. Trees\n"
      "that are not projective are made so with the fewest changes, unless --trees\n"
      "nonprojective says that arcs may cross; words without a head (_) are learnt from, too.\n"
      "With --dev, the iteration that is best there is kept. Higher orders look only at arcs\n"
      "that a first-order model, trained on the way, finds likely.\n\n"
      "Beside the model, NAME.log.jsonl tells the story of the run, one JSON object per line,\n"
      "and the folder NAME.checkpoint holds what --resume needs until the end. Ctrl-C stops\n"
      "after the current iteration, a second one at once; either way --resume goes on, and\n"
      "gives the very model that an undisturbed run would have given.\n\n"
      "Examples:\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse --resume\n"
      "  copse train --train a.conllu b.conllu --dev dev.conllu --model en.copse --l2 auto\n"
      "  copse train --train train.dp --model fast.copse --factorization first --root single\n"
      "  copse train --train cs.conllu --model cs.copse --factorization first --trees nonprojective");
  auto options = std::make_shared<TrainOptions>();
  TrainingOptions& training = options->training;
  command->add_option("--train", options->train, "Trees to learn from; - is the standard input")
      ->required()
      ->option_text("FILE ...");
  command->add_option("--dev", options->dev, "Trees to choose the best iteration by")
      ->option_text("FILE ...");
  command->add_option("--model", options->model, "The file to write")->required()->option_text("FILE");
  add_choice(*command, "--factorization", training.factorization, parse_factorization,
             {"first", "sibling", "grandchild", "grandsibling"},
             "The parts that trees are scored by: first, sibling, grandchild or grandsibling")
      ->option_text("NAME [grandsibling]");
  add_choice(*command, "--learner", training.learner, parse_learner,
             {"lbfgs", "perceptron", "mira", "adagrad"},
             "Maximum likelihood by lbfgs or adagrad, or perceptron, or mira")
      ->option_text("NAME [lbfgs]");
  add_number_or_word(*command, "--l2", options->l2, {0.0, 1e6, "auto", kChooseL2},
                     "Penalty of large weights, C/2 |w|^2; auto: the best of 0.5, 1.5, 4 and 12 on --dev")
      ->option_text("C|auto [3]");
  command->add_option("--l1", training.l1, "Penalty of non-zero weights, C |w|, for sparse models")
      ->check(CLI::Range(0.0, 1e6))
      ->option_text("C [0]");
  command
      ->add_option(
          "--margin", training.margin,
          "Score that wrong arcs get for free while learning: above 0, right trees must win by a distance")
      ->check(CLI::Range(0.0, 1000.0))
      ->option_text("M [1]");
  command->add_option("--iterations", training.iterations, "At most so many")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [200 for lbfgs, else 10]");
  add_threads_option(*command, options->threads);
  add_choice(*command, "--root", training.root, parse_root_mode, {"multi", "single"},
             "Whether several words may depend on the root, or exactly one")
      ->option_text("NAME [multi]");
  add_choice(*command, "--trees", training.trees, parse_tree_kind, {"projective", "nonprojective"},
             "Trees to consider: nonprojective ones, whose arcs may cross, need --factorization first")
      ->option_text("NAME [projective]");
  add_choice(*command, "--features", training.features, parse_feature_set, {"paper", "rich"},
             "paper: forms and tags; rich: lemmas, morphology and affixes, too")
      ->option_text("NAME [rich]");
  add_choice(*command, "--coarse", training.coarse, parse_coarse_rule,
             {"treebank", "english", "czech", "chinese", "none"},
             "Where coarse tags come from: a column (treebank), or the fine tags of a language")
      ->option_text("NAME [by the tags]");
  add_choice(
      *command, "--support", training.candidate_features,
      [](const std::string& text) { return std::optional<bool>(text == "candidates"); },
      {"gold", "candidates"}, "Features that get a weight: those of right trees, or of all candidate parts")
      ->option_text("NAME [gold]");
  command->add_option("--cutoff", training.cutoff, "Features must occur so often in right trees")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [1]");
  command->add_option("--max-length", training.max_length, "Leave out longer sentences")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [100]");
  command
      ->add_option("--max-features", training.max_features,
                   "Weights that the model may have, those that matter most; 0: one for every feature")
      ->option_text("N [3000000; first: 1000000]");
  training.memory = share_of_memory();
  command
      ->add_option("--memory", training.memory,
                   "What may be spent on keeping features from pass to pass, such as 8G; less is slower")
      ->transform(CLI::AsSizeValue(false))
      ->option_text("SIZE [half of the machine's]");
  add_prune_option(*command, options->prune,
                   "Leave out arcs that are EPS times less probable than the best head; off: none")
      ->option_text("EPS|off [0.0004]");
  command->add_option("--prune-folds", training.prune_folds, "Models that prune each other's training data")
      ->check(CLI::Range(2, 100))
      ->option_text("N [2]");
  command->add_option("--seed", training.seed, "Of the order of sentences")->option_text("N [1]");
  command->add_flag("--resume", options->resume, "Go on where a run with the same options was stopped");
  command->callback([options] { train(*options); });
}

}  // namespace copse
