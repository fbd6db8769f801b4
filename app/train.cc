#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "copse/parse_options.h"
#include "crossing_arcs.h"
#include "crossing_arcs_trial.h"
#include "current_team.h"
#include "evaluation/evaluator.h"
#include "io/output_file.h"
#include "labelling/labeller_trainer.h"
#include "number_text.h"
#include "parse_scores.h"
#include "parser_training/network_trainer.h"
#include "parser_training/trainer.h"
#include "pipeline/model_components.h"
#include "pipeline/predicted_tags.h"
#include "render/text_width.h"
#include "run_files.h"
#include "segmentation/segmenter_trainer.h"
#include "sequence_report.h"
#include "stop_signals.h"
#include "tagging/treebank_tagger.h"
#include "team_data.h"
#include "team_report.h"
#include "train.h"
#include "train_options.h"
#include "train_settings.h"
#include "training_report.h"
#include "training_story.h"
#include "treebank/pseudo_projective.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

// Development data that nothing can be chosen by.
void expect_heads(const std::vector<Sentence>& dev, const std::string& path, Team& team) {
  const bool has_heads = std::any_of(dev.begin(), dev.end(), [](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(),
                       [](const Token& word) { return word.head() != kNoHead; });
  });
  if (team.any(has_heads)) return;
  throw DataError(
      fmt::format("{}: no word has a head; give development data with trees, or leave out --dev", path));
}

// Where the tags come from that the model has learnt from; "none" if words have no tags, which the parser
// will not miss then.
std::string tag_source(const TrainOptions& options, const std::vector<Sentence>& sentences, Team& team) {
  if (options.predicts_tags()) return fmt::format("predicted, {} folds", options.folds);
  if (!options.reads_tags()) return "none";
  const bool has_tags = std::any_of(sentences.begin(), sentences.end(), [](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(),
                       [](const Token& word) { return word.upos() != "_" || word.xpos() != "_"; });
  });
  return team.any(has_tags) ? "gold" : "none";
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

// Of a process of a team: its own share.
struct TrainingData {
  std::vector<Sentence> sentences;
  std::vector<Sentence> dev;
};

double tagging_accuracy(const std::vector<Sentence>& gold, const std::vector<Sentence>& tagged,
                        TagAttribute attribute, Team& team) {
  TaggingEvaluator evaluator({});
  for (std::size_t k = 0; k < gold.size(); ++k) evaluator.add(gold[k], tagged[k]);
  evaluator.add_up(team);
  return evaluator.score(attribute).accuracy();
}

SegmenterModel learn_segments(const TrainingData& data, TaskPool& pool, TrainingLog& log) {
  SegmenterReport report(&log);
  report.on_stage("learning to find sentences and words in text");
  return train_segmenter(data.sentences, data.dev, {}, pool, report);
}

// Learns a tagger, and replaces the tags of the data by those that it, or its like, would give.
TaggerModel learn_tags(const TrainOptions& options, TrainingData& data, TaskPool& pool, TrainingLog& log) {
  SequenceReport report(&log);
  const TaggerTrainingOptions tagging;
  std::vector<Sentence> tagged = jackknife_tags(data.sentences, options.folds, tagging, pool, report);
  TaggerModel tagger = train_tagger(data.sentences, data.dev, tagging, pool, report);
  std::vector<Sentence> tagged_dev = data.dev;
  BatchTagger(tagger, {}, pool).tag(tagged_dev);
  nlohmann::ordered_json accuracies;
  for (const TagAttribute attribute : tagger.attributes()) {
    nlohmann::ordered_json& entry = accuracies[std::string(name(attribute))];
    entry["train"] = tagging_accuracy(data.sentences, tagged, attribute, pool.team());
    if (!options.dev.empty()) {
      entry["dev"] = tagging_accuracy(data.dev, tagged_dev, attribute, pool.team());
    }
  }
  log.write("tagged", {{"folds", options.folds}, {"accuracies", accuracies}});
  data = {std::move(tagged), std::move(tagged_dev)};
  return tagger;
}

void lift_crossing_arcs(TrainingData& data, Team& team, TrainingLog& log) {
  std::int64_t trees = 0;
  std::int64_t arcs = 0;
  for (Sentence& sentence : data.sentences) {
    const int lifted = pseudo_projective_encode(sentence, LiftScheme::head_and_path);
    trees += lifted > 0 ? 1 : 0;
    arcs += lifted;
  }
  for (Sentence& sentence : data.dev) pseudo_projective_encode(sentence, LiftScheme::head_and_path);
  trees = team.sum(trees);
  arcs = team.sum(arcs);
  log.write("lifted", {{"trees", trees}, {"arcs", arcs}});
  StatusLine().print(fmt::format("{} lifted in {}", counted(arcs, "arc"), counted(trees, "tree")));
}

ParserModel learn_parser(const TrainOptions& options, const TrainingOptions& training,
                         const NetworkOptions& network, const TrainingData& data, TaskPool& pool,
                         TrainingReport& report) {
  const CheckpointOptions checkpoints{options.files().checkpoints(), options.resume};
  if (!options.network.is_used) {
    return copse::train(data.sentences, data.dev, training, checkpoints, pool, report);
  }
  return train_network(data.sentences, data.dev, training, network, checkpoints, pool, report);
}

// What was asked for, or what does best in short trials.
CrossingArcs crossing_arcs(const TrainOptions& options, const TrainingOptions& training,
                           const TrainingData& data, TaskPool& pool, TrainingLog& log) {
  if (options.nonprojective == "pseudo") return CrossingArcs::pseudo;
  if (options.nonprojective != "auto") return CrossingArcs::best_match;
  const bool has_labels = options.labels != "none" && has_label(data.sentences, pool.team());
  std::vector<CrossingArcs> ways = {CrossingArcs::best_match};
  if (has_labels) ways.push_back(CrossingArcs::pseudo);
  if (!options.is_factorization_given || training.factorization == Factorization::first) {
    ways.push_back(CrossingArcs::nonprojective);
  }
  const CrossingArcsChoice choice = choose_crossing_arcs(
      data.sentences, data.dev, ways, short_trials(training, has_labels, pool), pool.team());
  log.write("crossing_arcs", choice_json(choice));
  StatusLine().print(fmt::format("{} of {} not projective: --nonprojective auto takes {}",
                                 counted(choice.nonprojective_trees, "tree"), choice.trees,
                                 name(choice.way)));
  return choice.way;
}

// Changes tags and trees of the data as the parser is to see them.
ModelComponents learn(const TrainOptions& options, const TrainingOptions& training,
                      const NetworkOptions& network, TrainingData& data, TaskPool& pool, TrainingLog& log,
                      TrainingReport& report) {
  std::optional<SegmenterModel> segmenter;
  if (options.pipeline) segmenter = learn_segments(data, pool, log);
  std::optional<TaggerModel> tagger;
  if (options.predicts_tags()) tagger = learn_tags(options, data, pool, log);
  const CrossingArcs crossing = crossing_arcs(options, training, data, pool, log);
  const bool is_pseudo = crossing == CrossingArcs::pseudo;
  if (is_pseudo) lift_crossing_arcs(data, pool.team(), log);
  ModelComponents pipeline{
      learn_parser(options, with_crossing_arcs(training, crossing), network, data, pool, report)};
  pipeline.segmenter = std::move(segmenter);
  pipeline.tagger = std::move(tagger);
  pipeline.is_pseudo_projective = is_pseudo;
  if (!options.network.is_used && options.learns_labeller(data.sentences, pool.team())) {
    SequenceReport labels(&log);
    labels.on_stage("learning labels");
    LabellerTrainingOptions labelling;
    labelling.seed = training.seed;
    pipeline.labeller = train_labeller(data.sentences, data.dev, labelling, pool, labels);
    log.write("labels", {{"labels", pipeline.labeller->labels().size()}});
  }
  return pipeline;
}

ModelComponents learn_with_report(const TrainOptions& options, const TrainingOptions& training,
                                  const NetworkOptions& network, TrainingData& data, TaskPool& pool,
                                  TrainingLog& log) {
  const StopSignals signals;
  TrainingReport report(log, options.resume);
  try {
    return learn(options, training, network, data, pool, log, report);
  } catch (const TrainingStopped&) {
    report_stop(options.files(), log, report.last_iteration());
  } catch (const DataError& error) {
    log.write("error", {{"message", error.what()}});
    throw;
  }
}

// As the model parses development data in use: with tags as it will get them, and weights as they are stored.
std::optional<Evaluator> evaluate_development(const TrainOptions& options, const ModelComponents& pipeline,
                                              const std::vector<Sentence>& dev, TaskPool& pool) {
  if (options.dev.empty()) return std::nullopt;
  ParseOptions settings;
  settings.probabilities = !options.report.empty();
  settings.tags = options.predicts_tags() || !options.reads_tags() ? TagUse::always : TagUse::never;
  return evaluate_parses(pipeline, settings, dev, pool);
}

void write_report(const TrainOptions& options, const std::optional<Evaluator>& development) {
  if (options.report.empty() || !current_team().leads()) return;
  TrainingStory story = read_training_log(options.files().log());
  story.model = options.model;
  if (development) add_calibration(*development, story);
  OutputFile file(options.report);
  file.write(training_page(story));
  file.close();
}

// Hours of work must not end in a message that nothing can be written.
void expect_place_for_files(const TrainOptions& options) {
  expect_place_for(options.files());
  if (!options.report.empty()) {
    const OutputFile report(options.report);  // goes away again
  }
}

TrainingData read_data(const TrainOptions& options, Team& team) {
  TeamData files(team);
  TrainingData data{files.read_treebanks(options.train, options.max_words),
                    files.read_development(options.dev, options.max_words)};
  for (const std::string& path : {options.network.vectors, options.network.encoder}) {
    if (!path.empty()) files.add_file(path);
  }
  files.compare();
  if (!options.dev.empty()) expect_heads(data.dev, options.dev.front(), team);
  return data;
}

// What has come out, for the log and, as is returned, for people.
std::string report_end(const TrainOptions& options, const ModelComponents& pipeline,
                       const std::optional<Scores>& scores, TrainingLog& log) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(options.model, error);
  const std::int64_t bytes = error ? 0 : static_cast<std::int64_t>(size);  // devices have none
  nlohmann::ordered_json end = {{"model_bytes", bytes}};
  std::string summary = fmt::format("{}: {}, {}\n", printable(options.model), counted(bytes, "byte"),
                                    counted(static_cast<std::int64_t>(pipeline.parser.weights()), "weight"));
  if (scores) {
    const auto value = [&scores](Measure measure) { return (*scores)[measure].value(); };
    end["dev_uas"] = value(Measure::uas);
    end["dev_cm"] = value(Measure::cm);
    summary += fmt::format("development data: UAS {}", percent_text(value(Measure::uas)));
    if (pipeline.labels() != nullptr) {
      end["dev_las"] = value(Measure::las);
      summary += fmt::format(", LAS {}", percent_text(value(Measure::las)));
    }
    summary += fmt::format(", complete {}, punctuation counted{}\n", percent_text(value(Measure::cm)),
                           options.predicts_tags() ? ", tags predicted" : "");
  }
  const TeamReport team = team_report(log.seconds());
  end.update(team_json(team));
  summary += team_text(team);
  end["seconds"] = log.seconds();
  end["peak_memory_bytes"] = peak_memory_bytes();
  log.write("end", end);
  return summary;
}

}  // namespace

std::string train(const TrainOptions& options) {
  const auto start = TrainingLog::Clock::now();
  Team& team = current_team();
  if (team.leads()) expect_place_for_files(options);
  const NetworkOptions network =
      options.network.is_used
          ? network_options(options.network, options.reads_tags(), options.labels != "none")
          : NetworkOptions();
  TrainingData data = read_data(options, team);
  const std::vector<Sentence> dev = data.dev;  // as in the files
  TrainingOptions training = training_options(options);
  training.root = options.root_of(data.sentences, team);
  const std::string tags = tag_source(options, data.sentences, team);
  TrainingLog log(options.files().log(), options.resume, start);
  log.write("start", settings_json(options, training));
  TaskPool pool(options.threads, team);
  ModelComponents pipeline = [&] {
    try {
      return learn_with_report(options, training, network, data, pool, log);
    } catch (...) {
      write_report(options, std::nullopt);  // as far as it came
      throw;
    }
  }();
  data = {};
  if (!options.dev.empty()) log.write("stage", {{"what", "parsing the development data"}});
  const std::optional<Evaluator> development = evaluate_development(options, pipeline, dev, pool);
  std::optional<Scores> scores;
  if (development) {
    scores = development->scores();
    pipeline.parser.set_fact("development UAS", fmt::format("{:.4f}", (*scores)[Measure::uas].value()));
  }
  add_facts(options, training, tags, pipeline.parser);
  if (team.leads()) {
    pipeline.save(options.model);
    remove_checkpoints(options.files().checkpoints());
  }
  std::string summary = report_end(options, pipeline, scores, log);
  write_report(options, development);
  return summary;
}

void add_train(CLI::App& program) {
  CLI::App* command = program.add_subcommand("train", "Learn a model from a treebank");
  command->footer(
      "Reads CoNLL-U, CoNLL-X or FORM POS HEAD trees and writes one file, the model. Trees\n"
      "that are not projective are made so with the fewest changes, unless --trees\n"
      "nonprojective says that arcs may cross; --nonprojective has other ways, and auto tries them\n"
      "out. Words without a head (_) are learnt from, too.\n"
      "With --dev, the iteration that is best there is kept, and training stops when more of them\n"
      "bring next to nothing (--patience). Higher orders look only at arcs that a first-order\n"
      "model, trained on the way, finds likely. If the trees have labels, a second model learns\n"
      "to label the arcs of finished trees.\n\n"
      "--potentials network learns a network instead of weights of features: hours instead of\n"
      "minutes, and several points more accurate. It reads words alone, unless --tags says\n"
      "otherwise, and predicts tags, lemmas, heads and labels in one pass. It learns more from\n"
      "plain text: --encoder starts it with what `copse pretrain` has made of such text, --vectors\n"
      "gives it vectors of words.\n\n"
      "A parser that will work on tags of a tagger should learn from such tags: --tags predicted\n"
      "learns a tagger, too, and tags every part of the training data (--folds) by what the\n"
      "other parts teach. --pipeline makes a model that needs nothing but text.\n\n"
      "Beside the model, NAME.log.jsonl tells the story of the run, one JSON object per line,\n"
      "and the folder NAME.checkpoint holds what --resume needs until the end. Ctrl-C stops\n"
      "after the current iteration, a second one at once; either way --resume goes on, and\n"
      "gives the very model that an undisturbed run would have given. SIGTERM and SIGUSR1 do the\n"
      "same, with exit status 75. `mpirun -n N copse train ...` trains with N processes, on many\n"
      "machines, and gives the same model, if the program is built with MPI.\n\n"
      "Examples:\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse --resume\n"
      "  copse train --train a.conllu b.conllu --dev dev.conllu --model en.copse --l2 auto\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse --pipeline\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse --pipeline \\\n"
      "              --potentials network --encoder en.encoder\n"
      "  copse train --train cs.conllu --dev dev.conllu --model cs.copse --nonprojective auto\n"
      "  copse train --train train.dp --model fast.copse --factorization first --root single\n"
      "  copse train --train cs.conllu --model cs.copse --factorization first --trees nonprojective");
  auto options = std::make_shared<TrainOptions>();
  add_train_options(*command, *options);
  command->callback([command, options] {
    check_usage(*command, *options);
    write_output(train(*options));
  });
}

}  // namespace copse
