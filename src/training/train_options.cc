#include "training/train_options.h"

#include "training/network_train_options.h"
#include "training/shared_options.h"

namespace copse {
namespace {

constexpr double kMostCount = 1'000'000;
using TrainTable = OptionTable<TrainRequest>;

void add_files(TrainTable& table) {
  TrainOption& train =
      table.files("train", at(&TrainRequest::train), "Trees to learn from; - is the standard input");
  train.is_required = true;
  train.needs_no_name = true;
  train.effect = OptionEffect::content;
  table.files("dev", at(&TrainRequest::dev), "Trees to choose the best iteration by").effect =
      OptionEffect::content;
  TrainOption& model = table.file("model", at(&TrainRequest::model), "The file to write");
  model.is_required = true;
  model.effect = OptionEffect::none;
}

void add_learner(TrainTable& table) {
  constexpr auto training = &TrainRequest::training;
  table
      .name<Factorization>(
          "factorization", at(&TrainRequest::factorization),
          names_of<Factorization>(parse_factorization, {"first", "sibling", "grandchild", "grandsibling",
                                                        "outermost", "trisibling", "grandtrisibling"}),
          "The parts that trees are scored by: first, sibling, grandchild, grandsibling; siblings with "
          "outermost grandchildren; or grand-siblings with trisibling and with grandtrisibling parts")
      .otherwise = name(TrainingOptions().factorization);
  table
      .name<LearnerKind>("learner", at(training, &TrainingOptions::learner),
                         names_of<LearnerKind>(parse_learner, {"lbfgs", "perceptron", "mira", "adagrad"}),
                         "Maximum likelihood by lbfgs or adagrad, or perceptron, or mira")
      .scope = OptionScope::hashed;
  TrainOption& l2 =
      table.number("l2", at(&TrainRequest::l2), {0.0, kMostCount}, "C|auto",
                   "Penalty of large weights, C/2 |w|^2; auto: the best of 0.5, 1.5, 4 and 12 on --dev");
  TrainTable::add_word(l2, "auto", at(&TrainRequest::l2), TrainRequest::kChooseL2);
  l2.otherwise = fmt::format("{}", TrainingOptions().l2);
  l2.scope = OptionScope::hashed;
  table
      .number("l1", at(training, &TrainingOptions::l1), {0.0, kMostCount}, "C",
              "Penalty of non-zero weights, C |w|, for sparse models")
      .scope = OptionScope::hashed;
  table.number(
      "margin", at(training, &TrainingOptions::margin), {0.0, 1000.0}, "M",
      "Score that wrong arcs get for free while learning: above 0, gold trees must win by a distance");
  TrainOption& iterations =
      table.integer("iterations", at(&TrainRequest::iterations), {1, kMostCount}, "At most so many");
  iterations.otherwise = "200 for lbfgs, else 10; networks: by words";
  iterations.effect = OptionEffect::resumable;
  TrainOption& patience =
      table.integer("patience", at(training, &TrainingOptions::patience_iterations), {1, kMostCount},
                    "Stop when N iterations have raised UAS on --dev by less than 0.05 points; off: go on");
  TrainTable::add_word(patience, "off", at(training, &TrainingOptions::patience_iterations), 0);
  patience.placeholder = "N|off";
  patience.otherwise = "20 for lbfgs, else off";
  patience.number_named = "a number of iterations";
  SharedOptions<TrainRequest>(table).threads(at(&TrainRequest::threads));
}

void add_features(TrainTable& table) {
  constexpr auto training = &TrainRequest::training;
  table
      .name<RootMode>("root", at(&TrainRequest::root),
                      names_of<RootMode>(parse_root_mode, {"multi", "single"}),
                      "Whether several words may depend on the root, or exactly one")
      .otherwise = "single, if the trees are so";
  table.name<TreeKind>(
      "trees", at(training, &TrainingOptions::trees),
      names_of<TreeKind>(parse_tree_kind, {"projective", "nonprojective"}),
      "Trees to consider: nonprojective ones, whose arcs may cross, need --factorization first");
  table
      .name<FeatureSet>("features", at(training, &TrainingOptions::features),
                        names_of<FeatureSet>(parse_feature_set, {"paper", "rich"}),
                        "paper: forms and tags; rich: lemmas, morphology and affixes, too")
      .scope = OptionScope::hashed;
  TrainOption& coarse = table.name<CoarseRule>(
      "coarse", at(training, &TrainingOptions::coarse),
      names_of<CoarseRule>(parse_coarse_rule, {"treebank", "english", "czech", "chinese", "none"}),
      "Where coarse tags come from: a column (treebank), or the fine tags of a language");
  coarse.otherwise = "by the tags";
  coarse.scope = OptionScope::hashed;
  table
      .name<bool>("support", at(training, &TrainingOptions::candidate_features),
                  {{"gold", false}, {"candidates", true}},
                  "Features that get a weight: those of gold trees, or of all candidate parts")
      .scope = OptionScope::hashed;
  table
      .integer("cutoff", at(training, &TrainingOptions::cutoff), {1, kMostCount},
               "Features must occur so often in gold trees")
      .scope = OptionScope::hashed;
  table.integer("max_length", at(training, &TrainingOptions::max_length), {1, kMostCount},
                "Leave out longer sentences");
  table
      .integer("max_words", at(&TrainRequest::max_words), {1, 10'000'000}, "Refuse sentences with more words")
      .effect = OptionEffect::none;
  TrainOption& most =
      table.integer("max_features", at(training, &TrainingOptions::max_features), {0, kMostOptionSize},
                    "Weights that the model may have, those that matter most; 0: one for every feature");
  most.otherwise = "3000000; first: 1000000";
  most.scope = OptionScope::hashed;
  TrainOption& memory = table.integer(
      "memory", at(&TrainRequest::memory), {0, kMostOptionSize},
      "What training may take, such as 8G: features that do not fit in are found anew in every pass",
      OptionKind::size);
  memory.otherwise = "3G, or an eighth of the machine's";
  memory.scope = OptionScope::hashed;
  memory.effect = OptionEffect::none;
  TrainOption& prune =
      table.number("prune", at(&TrainRequest::prune), {0.0, 1.0}, "EPS|off",
                   "Leave out arcs that are EPS times less probable than the best head; off: none");
  TrainTable::add_word(prune, "off", at(&TrainRequest::prune), 0.0);
  prune.otherwise = "0.0004; networks: 0.0001";
  table
      .integer("prune_folds", at(training, &TrainingOptions::prune_folds), {2, 100},
               "Models that prune each other's training data")
      .scope = OptionScope::hashed;
}

void add_run(TrainTable& table) {
  SharedOptions<TrainRequest> shared(table);
  shared.seed(at(&TrainRequest::training, &TrainingOptions::seed));
  shared.resume(at(&TrainRequest::resume));
  TrainOption& report =
      table.file("report", at(&TrainRequest::report),
                 "Write a page about the run: objective, scores, calibration, time by stage");
  report.placeholder = "FILE.html";
  report.effect = OptionEffect::none;
  // Facts of the model, which other commands set, too.
  constexpr auto card = &TrainRequest::card;
  table
      .text("language", at(card, &ModelCard::language),
            "Of the model, such as Portuguese: `copse models` and warnings about text in others name it")
      .effect = OptionEffect::none;
  table
      .text("licence", at(card, &ModelCard::licence),
            "Of the model, which is that of its treebank as a rule: `copse info` and servers tell it")
      .effect = OptionEffect::none;
  table
      .text("attribution", at(card, &ModelCard::attribution), "Who is to be named wherever the model is used")
      .effect = OptionEffect::none;
  table.text("description", at(card, &ModelCard::description), "What the model is for, in a line").effect =
      OptionEffect::none;
}

void add_components(TrainTable& table) {
  table.flag("pipeline", at(&TrainRequest::pipeline),
             "Learn everything that leads from text to labelled trees; means --tags predicted");
  TrainOption& labels = table.name<Labelling>(
      "labels", at(&TrainRequest::labels),
      {{"none", Labelling::none}, {"two-stage", Labelling::two_stage}, {"joint", Labelling::joint}},
      "two-stage: a second model labels the arcs of finished trees; joint: one model scores trees with "
      "their labels; none: DEPREL stays _");
  labels.placeholder = "HOW";
  labels.otherwise = "two-stage, if the trees have labels";
  TrainOption& tags = table.name<TagSource>(
      "tags", at(&TrainRequest::tags),
      {{"none", TagSource::none}, {"gold", TagSource::gold}, {"predicted", TagSource::predicted}},
      "gold: as in the files; predicted: by a tagger that is learnt, too, and that knows "
      "only the other folds of the training data; none: a network that reads words alone, and "
      "predicts tags");
  tags.placeholder = "WHICH";
  tags.otherwise = "gold; predicted with --pipeline; none for networks";
  table
      .name<std::optional<CrossingArcs>>(
          "nonprojective", at(&TrainRequest::crossing_arcs),
          {{"best-match", CrossingArcs::best_match},
           {"pseudo", CrossingArcs::pseudo},
           {"auto", std::nullopt}},
          "What to do with arcs that cross: best-match replaces them; pseudo lifts them and lets labels "
          "remember, so that parsing restores them; auto tries both, and a first-order parser of all trees "
          "unless --factorization is given, and takes what does best on --dev or a tenth of --train")
      .placeholder = "HOW";
  table.integer("folds", at(&TrainRequest::folds), {2, 100},
                "For --tags predicted: parts that the training data is dealt into");
}

std::vector<TrainOption> all_options() {
  TrainTable table;
  add_files(table);
  add_learner(table);
  add_features(table);
  add_run(table);
  add_components(table);
  add_network_options(table);
  return table.take();
}

}  // namespace

std::span<const TrainOption> train_options() {
  static const std::vector<TrainOption> options = all_options();
  return options;
}

const TrainOption* find_train_option(std::string_view name) { return find_option(train_options(), name); }

}  // namespace copse
