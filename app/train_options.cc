#include "train_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "current_team.h"
#include "option_values.h"
#include "parser_training/training_options.h"
#include "text/utf8.h"
#include "treebank_input.h"

namespace copse {
namespace {

constexpr double kChooseL2 = -1.0;
constexpr double kL2Choices[] = {0.5, 1.5, 4.0, 12.0};

// Enough for a treebank of 200,000 words. More makes larger ones quicker, but a program should leave room for
// others unless it is told otherwise.
std::size_t share_of_memory() {
  constexpr std::size_t kEnough = std::size_t{3} << 30;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return kEnough;
  const std::size_t all = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page);
  return std::min(std::max(kEnough, all / 8), all / 2);
}

}  // namespace

bool has_label(std::span<const Sentence> sentences, Team& team) {
  return team.any(std::any_of(sentences.begin(), sentences.end(), [](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(),
                       [](const Token& word) { return word.deprel() != "_"; });
  }));
}

bool TrainOptions::learns_labeller(std::span<const Sentence> sentences, Team& team) const {
  return labels ? *labels == "two-stage" : has_label(sentences, team);
}

RootMode TrainOptions::root_of(std::span<const Sentence> sentences, Team& team) const {
  if (root) return *root;
  const bool has_several = std::any_of(sentences.begin(), sentences.end(), [](const Sentence& sentence) {
    return std::count_if(sentence.words().begin(), sentence.words().end(),
                         [](const Token& word) { return word.head() == 0; }) > 1;
  });
  return team.any(has_several) ? RootMode::multi : RootMode::single;
}

void check_usage(const CLI::App& command, const TrainOptions& options) {
  check_network_usage(command, options.network);
  if (options.network.is_used && options.labels == "joint") {
    throw CLI::ValidationError("--labels", "joint is for hashed features: a network labels its own trees");
  }
  if (options.network.is_used && options.network.learning.is_local &&
      options.training.factorization != Factorization::first) {
    throw CLI::ValidationError("--loss", "local needs --factorization first");
  }
  if (!options.network.is_used && options.tags == "none") {
    throw CLI::ValidationError("--tags", "none is for networks; hashed features read what the files have");
  }
  if (!options.network.encoder.empty() && options.reads_tags()) {
    throw CLI::ValidationError("--tags", "an encoder reads words alone: leave this or --encoder out");
  }
  std::vector<std::string> files = options.train;
  files.insert(files.end(), options.dev.begin(), options.dev.end());
  expect_one_standard_input("--train", files);
  if (options.model == "-") throw CLI::ValidationError("--model", "name a file: others go beside it");
  expect_no_input("--model", options.model, files);
  expect_no_input("--model", options.files().log(), files);
  std::vector<std::string> kept = files;
  kept.insert(kept.end(),
              {options.model, options.files().log(), options.network.vectors, options.network.encoder});
  if (!options.report.empty()) {
    if (options.report == "-" || options.report == options.model || options.report == options.files().log()) {
      throw CLI::ValidationError("--report", "name a file of its own");
    }
    expect_no_input("--report", options.report, kept);
  }
  expect_no_input("--model", options.model, {options.network.vectors, options.network.encoder});
  if (options.l2 == kChooseL2 && options.dev.empty()) {
    throw CLI::ValidationError("--l2", "auto needs development data (--dev) to choose by");
  }
  if (options.training.trees == TreeKind::nonprojective &&
      options.training.factorization != Factorization::first) {
    throw CLI::ValidationError("--trees", "nonprojective needs --factorization first");
  }
  if (options.nonprojective == "auto" && options.training.trees == TreeKind::nonprojective) {
    throw CLI::ValidationError("--nonprojective", "auto chooses the trees itself: leave out --trees");
  }
  if (options.nonprojective == "pseudo") {
    if (options.labels == "none") throw CLI::ValidationError("--nonprojective", "pseudo needs labels");
    if (options.training.trees == TreeKind::nonprojective) {
      throw CLI::ValidationError("--nonprojective", "pseudo is of no use where arcs may cross (--trees)");
    }
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
  // Marginals of networks are sharper, and candidates cost them less.
  constexpr double kNetworkThreshold = 1e-4;
  training.prune_threshold =
      options.prune.value_or(options.network.is_used ? kNetworkThreshold : training.prune_threshold);
  training.joint_labels = options.labels == "joint";
  if (!options.is_memory_given) {
    training.memory /= static_cast<std::size_t>(current_team().processes_here());
  }
  return training;
}

void add_train_options(CLI::App& command, TrainOptions& options) {
  TrainingOptions& training = options.training;
  command.add_option("FILES,--train", options.train, "Trees to learn from; - is the standard input")
      ->required()
      ->option_text("FILE ...");
  command.add_option("--dev", options.dev, "Trees to choose the best iteration by")->option_text("FILE ...");
  command.add_option("--model", options.model, "The file to write")->required()->option_text("FILE");
  add_choice(command, "--factorization", training.factorization, parse_factorization,
             {"first", "sibling", "grandchild", "grandsibling", "outermost", "trisibling", "grandtrisibling"},
             "The parts that trees are scored by: first, sibling, grandchild, grandsibling; siblings with "
             "outermost grandchildren; or grand-siblings with trisibling and with grandtrisibling parts")
      ->each([&options](const std::string&) { options.is_factorization_given = true; })
      ->option_text("NAME [grandsibling]");
  add_choice(command, "--learner", training.learner, parse_learner,
             {"lbfgs", "perceptron", "mira", "adagrad"},
             "Maximum likelihood by lbfgs or adagrad, or perceptron, or mira")
      ->option_text("NAME [lbfgs]");
  add_number_or_word(command, "--l2", options.l2, {0.0, 1e6, "auto", kChooseL2},
                     "Penalty of large weights, C/2 |w|^2; auto: the best of 0.5, 1.5, 4 and 12 on --dev")
      ->option_text("C|auto [3]");
  command.add_option("--l1", training.l1, "Penalty of non-zero weights, C |w|, for sparse models")
      ->check(CLI::Range(0.0, 1e6))
      ->option_text("C [0]");
  command
      .add_option(
          "--margin", training.margin,
          "Score that wrong arcs get for free while learning: above 0, gold trees must win by a distance")
      ->check(CLI::Range(0.0, 1000.0))
      ->option_text("M [1]");
  command.add_option("--iterations", training.iterations, "At most so many")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [200 for lbfgs, else 10; networks: by words]");
  const auto parse_patience = [&training](const std::string& text) {
    constexpr int kMost = 1'000'000;
    int iterations = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), iterations);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    if (text != "off" && !(is_number && iterations >= 1 && iterations <= kMost)) {
      throw CLI::ValidationError(
          "--patience", fmt::format("{} is neither a number of iterations nor off", copse::quoted(text)));
    }
    training.patience_iterations = iterations;
  };
  command
      .add_option_function<std::string>(
          "--patience", parse_patience,
          "Stop when N iterations have raised UAS on --dev by less than 0.05 points; off: go on")
      ->option_text("N|off [20 for lbfgs, else off]");
  add_threads_option(command, options.threads);
  add_choice(command, "--root", options.root, parse_root_mode, {"multi", "single"},
             "Whether several words may depend on the root, or exactly one")
      ->option_text("NAME [single, if the trees are so]");
  add_choice(command, "--trees", training.trees, parse_tree_kind, {"projective", "nonprojective"},
             "Trees to consider: nonprojective ones, whose arcs may cross, need --factorization first")
      ->option_text("NAME [projective]");
  add_choice(command, "--features", training.features, parse_feature_set, {"paper", "rich"},
             "paper: forms and tags; rich: lemmas, morphology and affixes, too")
      ->option_text("NAME [rich]");
  add_choice(command, "--coarse", training.coarse, parse_coarse_rule,
             {"treebank", "english", "czech", "chinese", "none"},
             "Where coarse tags come from: a column (treebank), or the fine tags of a language")
      ->option_text("NAME [by the tags]");
  add_choice(
      command, "--support", training.candidate_features,
      [](const std::string& text) { return std::optional<bool>(text == "candidates"); },
      {"gold", "candidates"}, "Features that get a weight: those of gold trees, or of all candidate parts")
      ->option_text("NAME [gold]");
  command.add_option("--cutoff", training.cutoff, "Features must occur so often in gold trees")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [1]");
  command.add_option("--max-length", training.max_length, "Leave out longer sentences")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N [100]");
  add_max_words_option(command, options.max_words);
  command
      .add_option("--max-features", training.max_features,
                  "Weights that the model may have, those that matter most; 0: one for every feature")
      ->option_text("N [3000000; first: 1000000]");
  training.memory = share_of_memory();
  command
      .add_option(
          "--memory", training.memory,
          "What training may take, such as 8G: features that do not fit in are found anew in every pass")
      ->transform(CLI::AsSizeValue(false))
      ->each([&options](const std::string&) { options.is_memory_given = true; })
      ->option_text("SIZE [3G, or an eighth of the machine's]");
  add_prune_option(command, options.prune,
                   "Leave out arcs that are EPS times less probable than the best head; off: none")
      ->option_text("EPS|off [0.0004; networks: 0.0001]");
  command.add_option("--prune-folds", training.prune_folds, "Models that prune each other's training data")
      ->check(CLI::Range(2, 100))
      ->option_text("N [2]");
  command.add_option("--seed", training.seed, "Of the order of sentences")->option_text("N [1]");
  command.add_flag("--resume", options.resume, "Go on where a run with the same options was stopped");
  command
      .add_option("--report", options.report,
                  "Write a page about the run: objective, scores, calibration, time by stage")
      ->option_text("FILE.html");
  add_card_options(command, options.card);
  command.add_flag("--pipeline", options.pipeline,
                   "Learn everything that leads from text to labelled trees; means --tags predicted");
  command
      .add_option(
          "--labels", options.labels,
          "two-stage: a second model labels the arcs of finished trees; joint: one model scores trees with "
          "their labels; none: DEPREL stays _")
      ->check(CLI::IsMember({"none", "two-stage", "joint"}))
      ->option_text("HOW [two-stage, if the trees have labels]");
  command
      .add_option("--tags", options.tags,
                  "gold: as in the files; predicted: by a tagger that is learnt, too, and that knows "
                  "only the other folds of the training data; none: a network that reads words alone, and "
                  "predicts tags")
      ->check(CLI::IsMember({"none", "gold", "predicted"}))
      ->option_text("WHICH [gold; predicted with --pipeline; none for networks]");
  command
      .add_option(
          "--nonprojective", options.nonprojective,
          "What to do with arcs that cross: best-match replaces them; pseudo lifts them and lets labels "
          "remember, so that parsing restores them; auto tries both, and a first-order parser of all trees "
          "unless --factorization is given, and takes what does best on --dev or a tenth of --train")
      ->check(CLI::IsMember({"best-match", "pseudo", "auto"}))
      ->option_text("HOW [best-match]");
  command
      .add_option("--folds", options.folds,
                  "For --tags predicted: parts that the training data is dealt into")
      ->check(CLI::Range(2, 100))
      ->option_text("N [10]");
  add_network_options(command, options.network);
}

}  // namespace copse
