#include "training/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

#include "copse/error.h"
#include "copse/parse_options.h"
#include "copse/setting_error.h"
#include "io/output_file.h"
#include "labelling/labeller_trainer.h"
#include "parser_training/network_trainer.h"
#include "parser_training/processor_steps.h"
#include "pipeline/model_components.h"
#include "pipeline/predicted_tags.h"
#include "tagging/treebank_tagger.h"
#include "training/check_request.h"
#include "training/crossing_arcs_trial.h"
#include "training/effective_request.h"
#include "training/model_facts.h"
#include "training/parse_scores.h"
#include "training/part_observers.h"
#include "training/run_folder.h"
#include "training/team_data.h"
#include "treebank/dealt_sentences.h"
#include "treebank/pseudo_projective.h"

namespace copse {
namespace {

// Of a process of a team: its own share.
struct TrainingData {
  std::vector<Sentence> sentences;
  std::vector<Sentence> dev;
};

template <class Has>
bool any_word(const std::vector<Sentence>& sentences, Team& team, const Has& has) {
  return team.any(std::any_of(sentences.begin(), sentences.end(), [&](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(), has);
  }));
}

// Development data that nothing can be chosen by.
void expect_heads(const std::vector<Sentence>& dev, const std::string& path, Team& team) {
  if (any_word(dev, team, [](const Token& word) { return word.head() != kNoHead; })) return;
  throw SettingError(path + ": no word has a head; give development data with trees, or none", "dev");
}

TrainingData read_data(const TrainRequest& request, Team& team) {
  TeamData files(team);
  TrainingData data{files.read_treebanks(request.train, request.max_words),
                    files.read_development(request.dev, request.max_words)};
  for (const std::string& path : {request.network.vectors, request.network.encoder}) {
    if (!path.empty()) files.add_file(path);
  }
  files.compare();
  if (!request.dev.empty()) expect_heads(data.dev, request.dev.front(), team);
  return data;
}

double tagging_accuracy(const std::vector<Sentence>& gold, const std::vector<Sentence>& tagged,
                        TagAttribute attribute, Team& team) {
  TaggingEvaluator evaluator({});
  for (std::size_t k = 0; k < gold.size(); ++k) evaluator.add(gold[k], tagged[k]);
  evaluator.add_up(team);
  return evaluator.score(attribute).accuracy();
}

RunFolder folder_of(const TrainRequest& request) { return {request.model, "model", request.resume}; }

// The components of a model, one after the other; each sees tags and trees as those before have left them.
class ComponentTraining {
 public:
  // The request is an effective one.
  ComponentTraining(TrainRequest& request, bool is_factorization_given, TrainingData& data, TaskPool& pool,
                    TrainObserver& observer)
      : request_(request),
        is_factorization_given_(is_factorization_given),
        data_(data),
        pool_(pool),
        team_(pool.team()),
        observer_(observer) {}

  ModelComponents run(NetworkOptions& network) {
    std::optional<SegmenterModel> segmenter;
    std::optional<LanguageProfile> language;
    if (request_.pipeline) {
      segmenter = learn_segments();
      language = with_all_sentences(team_, data_.sentences, &LanguageProfile::of);
    }
    // Of words without tags, parsers will not miss any.
    const bool has_tags = any_word(
        data_.sentences, team_, [](const Token& word) { return word.upos() != "_" || word.xpos() != "_"; });
    std::optional<TaggerModel> tagger;
    if (request_.predicts_tags()) tagger = learn_tags();
    choose_crossing_arcs();
    const bool is_pseudo = request_.crossing_arcs == CrossingArcs::pseudo;
    if (is_pseudo) lift_crossing_arcs();
    ModelComponents model{learn_parser(network)};
    model.segmenter = std::move(segmenter);
    model.language = std::move(language);
    model.tagger = std::move(tagger);
    model.is_pseudo_projective = is_pseudo;
    model.has_seen_tags = request_.predicts_tags() || (request_.reads_tags() && has_tags);
    if (!request_.network.is_used && request_.labels == Labelling::two_stage) {
      model.labeller = learn_labels();
    }
    return model;
  }

 private:
  SegmenterModel learn_segments() {
    start_stage("learning to find sentences and words in text", team_, observer_);
    SegmenterPartObserver observer(team_, observer_);
    return train_segmenter(data_.sentences, data_.dev, {}, pool_, observer);
  }

  // Learns a tagger, and replaces the tags of the data by those that it, or its like, would give.
  TaggerModel learn_tags() {
    TaggerPartObserver observer(team_, observer_);
    const TaggerTrainingOptions tagging;
    std::vector<Sentence> tagged = jackknife_tags(data_.sentences, request_.folds, tagging, pool_, observer);
    TaggerModel tagger = train_tagger(data_.sentences, data_.dev, tagging, pool_, observer);
    std::vector<Sentence> tagged_dev = data_.dev;
    BatchTagger(tagger, {}, pool_).tag(tagged_dev);
    TaggedReport report{request_.folds, {}};
    for (const TagAttribute attribute : tagger.attributes()) {
      const double train = tagging_accuracy(data_.sentences, tagged, attribute, team_);
      const double dev = request_.dev.empty() ? std::numeric_limits<double>::quiet_NaN()
                                              : tagging_accuracy(data_.dev, tagged_dev, attribute, team_);
      report.accuracies.push_back({attribute, train, dev});
    }
    observer_.on_tagged(report);
    data_ = {std::move(tagged), std::move(tagged_dev)};
    return tagger;
  }

  // Where it was left open, the way that does best in short trials.
  void choose_crossing_arcs() {
    TrainingOptions& training = request_.training;
    if (!request_.crossing_arcs) {
      const bool has_labels = request_.labels != Labelling::none && has_label(data_.sentences, team_);
      std::vector<CrossingArcs> ways = {CrossingArcs::best_match};
      if (has_labels) ways.push_back(CrossingArcs::pseudo);
      if (!is_factorization_given_ || training.factorization == Factorization::first) {
        ways.push_back(CrossingArcs::nonprojective);
      }
      const CrossingArcsChoice choice = copse::choose_crossing_arcs(
          data_.sentences, data_.dev, ways,
          short_trials(training_options(request_), has_labels, pool_, observer_), team_);
      observer_.on_crossing_arcs(choice);
      training = with_crossing_arcs(training, choice.way);
      request_.factorization = training.factorization;
      // All trees stand in the place of the nearest projective ones.
      request_.crossing_arcs =
          choice.way == CrossingArcs::pseudo ? CrossingArcs::pseudo : CrossingArcs::best_match;
    }
    if (!request_.network.is_used) training.max_features = training.most_features();
  }

  void lift_crossing_arcs() {
    std::int64_t trees = 0;
    std::int64_t arcs = 0;
    for (Sentence& sentence : data_.sentences) {
      const int lifted = pseudo_projective_encode(sentence, LiftScheme::head_and_path);
      trees += lifted > 0 ? 1 : 0;
      arcs += lifted;
    }
    for (Sentence& sentence : data_.dev) pseudo_projective_encode(sentence, LiftScheme::head_and_path);
    trees = team_.sum(trees);
    arcs = team_.sum(arcs);
    observer_.on_lifted(trees, arcs);
  }

  ParserModel learn_parser(NetworkOptions& network) {
    const TrainingOptions training = training_options(request_);
    ParserObserver observer(team_, observer_);
    const auto checkpoints = [this] {
      return CheckpointOptions{request_.checkpoints(), request_.resume, fingerprint(request_)};
    };
    if (!request_.network.is_used) {
      ParserModel parser = copse::train(data_.sentences, data_.dev, training, checkpoints(), pool_, observer);
      request_.training.coarse = parser.parser().extractor().options().coarse;
      return parser;
    }
    expect_device(network.device, team_);
    network.precision = common_precision(team_, network.precision, network.device);
    request_.network.learning.precision = network.precision;
    ParserModel parser =
        train_network(data_.sentences, data_.dev, training, network, checkpoints(), pool_, observer);
    if (!request_.iterations) request_.iterations = default_passes(observer.words());
    auto& batch_words = request_.network.learning.batch_words;
    if (!batch_words) batch_words = default_batch(observer.words());
    return parser;
  }

  LabellerModel learn_labels() {
    start_stage("learning labels", team_, observer_);
    PartObserver<SequenceObserver> observer(team_, observer_);
    LabellerTrainingOptions labelling;
    labelling.seed = request_.training.seed;
    LabellerModel labeller = train_labeller(data_.sentences, data_.dev, labelling, pool_, observer);
    observer_.on_labeller(labeller.labels().size());
    return labeller;
  }

  TrainRequest& request_;
  bool is_factorization_given_;
  TrainingData& data_;
  TaskPool& pool_;
  Team& team_;
  TrainObserver& observer_;
};

std::optional<Evaluator> evaluate_development(const TrainRequest& request, const ModelComponents& model,
                                              const std::vector<Sentence>& dev, TaskPool& pool) {
  if (request.dev.empty()) return std::nullopt;
  ParseOptions settings;
  settings.probabilities = !request.report.empty();
  settings.tags = request.predicts_tags() || !request.reads_tags() ? TagUse::always : TagUse::never;
  return evaluate_parses(model, settings, dev, pool);
}

std::string tag_source(const TrainRequest& request, const ModelComponents& model) {
  if (request.predicts_tags()) return fmt::format("predicted, {} folds", request.folds);
  return request.reads_tags() && model.has_seen_tags ? "gold" : "none";
}

// Hours of work must not end in a message that nothing can be written.
void expect_place(const TrainRequest& request, const Team& team) {
  expect_place_for(folder_of(request), team);
  if (!request.report.empty() && team.leads()) {
    const OutputFile report(request.report);  // goes away again
  }
}

}  // namespace

void start_stage(std::string_view what, Team& team, TrainObserver& observer) {
  if (team.any(observer.should_stop())) throw TrainingStopped();
  observer.on_stage(what);
}

TrainResult train(const TrainRequest& request, Team& team, TrainObserver& observer) {
  check_request(request, team);
  expect_place(request, team);
  TrainRequest effective = request;
  NetworkOptions network = request.network.is_used ? network_options(effective) : NetworkOptions();
  TrainingData data = read_data(request, team);
  const std::vector<Sentence> dev = data.dev;  // as in the files
  effective = effective_request(effective, data.sentences, team);
  observer.on_start(effective);
  TaskPool pool(*effective.threads, team);
  ModelComponents model =
      ComponentTraining(effective, request.factorization.has_value(), data, pool, observer).run(network);
  data = {};
  observer.on_learnt();
  if (!request.dev.empty()) observer.on_parsing_development();
  TrainResult result;
  result.development = evaluate_development(request, model, dev, pool);
  if (result.development) {
    const double uas = result.development->scores()[Measure::uas].value();
    model.parser.set_fact("development UAS", fmt::format("{:.4f}", uas));
    if (model.labels() != nullptr) {
      const double las = result.development->scores()[Measure::las].value();
      model.parser.set_fact("development LAS", fmt::format("{:.4f}", las));
    }
  }
  add_facts(effective, tag_source(effective, model), model.parser);
  model.settings = model_settings(effective);
  if (team.leads()) {
    model.save(request.model);
    remove_checkpoints(request.checkpoints());
  }
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(request.model, error);
  result.bytes = error ? 0 : static_cast<std::int64_t>(size);
  result.weights = model.parser.weights();
  result.has_labels = model.labels() != nullptr;
  observer.on_end(result);
  return result;
}

bool can_resume(const TrainRequest& request) {
  if (folder_of(request).has_checkpoints()) return true;
  remove_checkpoints(request.checkpoints());
  return false;
}

}  // namespace copse
