#include "parser_training/network_trainer.h"

#include <fmt/format.h>

#include <algorithm>

#include "copse/error.h"
#include "features/hashing.h"
#include "model/network_labels.h"
#include "optimisers/checkpoint.h"
#include "optimisers/training_loop.h"
#include "parser_training/describe_network.h"
#include "parser_training/fingerprint.h"
#include "parser_training/network_development.h"
#include "parser_training/network_learner.h"
#include "parser_training/preparation.h"
#include "parser_training/tree_steps.h"
#include "parser_training/treebank_schedule.h"
#include "parsing/calibration.h"
#include "treebank/dealt_sentences.h"

namespace copse {
namespace {

// Of whatever changes the course of a run: beside the options, what files and machine make of them.
std::uint64_t fingerprint_of(std::uint64_t options, const NetworkOptions& network, Precision precision,
                             const TreebankScheduleOptions& batches) {
  std::uint64_t hash =
      mix(options + hash_text(fmt::format("4 {} {} {} {}", name(precision), batches.passes,
                                          batches.batch_words, network.vectors.has_value())));
  if (network.vectors) {
    hash = mix(hash + network.vectors->size() * 4096 + network.vectors->dimension());
    for (std::size_t k = 0; k < network.vectors->size(); ++k) {
      const std::span<const std::int8_t> row = network.vectors->row(k);
      hash = mix(hash + hash_text({reinterpret_cast<const char*>(row.data()), row.size()}));
    }
  }
  if (network.encoder) hash = mix(hash + network.encoder->fingerprint());
  return hash;
}

// Those that the network begins with, and how quickly they learn.
std::vector<float> first_weights(const NetworkShape& shape, const NetworkOptions& network, std::uint64_t seed,
                                 std::vector<RateRange>& rates) {
  std::vector<float> weights = initial_weights(shape, seed);
  if (!network.encoder) return weights;
  network.encoder->set_weights(shape, weights);
  const NetworkBlocks blocks(shape);
  for (const Block* block : PretrainedEncoder::blocks_of(blocks)) {
    rates.push_back({block->offset, block->offset + block->size(), network.encoder_rate});
  }
  return weights;
}

ParserModel::Facts facts_of(const NetworkOptions& network, const NetworkDescription& description,
                            Precision precision, const PreparationReport& data, int passes,
                            const BestWeights& best) {
  const NetworkShape& shape = description.shape;
  ParserModel::Facts facts;
  const auto add = [&facts](std::string key, std::string value) {
    facts.emplace_back(std::move(key), std::move(value));
  };
  add("potentials", "network");
  add("encoder", fmt::format("{} layers of {} units in each direction", shape.layers, shape.hidden));
  add("words at the input",
      fmt::format("{} known ones, {}{}{}", description.inputs.words.size() - 1, name(shape.spelling),
                  network.vectors ? fmt::format(", vectors of {} words", network.vectors->size()) : "",
                  network.reads_tags ? ", tags" : ""));
  add("precision", std::string(name(precision)));
  add("passes", fmt::format("{}, of which the {}. is taken", passes, best.iteration));
  add("training sentences", fmt::format("{}", data.sentences));
  add("training words", fmt::format("{}", data.words));
  return facts;
}

std::vector<const Sentence*> pointers_to(std::span<const TrainingSentence> sentences) {
  std::vector<const Sentence*> pointers;
  pointers.reserve(sentences.size());
  for (const TrainingSentence& example : sentences) pointers.push_back(&example.sentence);
  return pointers;
}

}  // namespace

ParserModel train_network(std::span<const Sentence> sentences, std::span<const Sentence> development,
                          const TrainingOptions& options, const NetworkOptions& network,
                          const CheckpointOptions& checkpoints, TaskPool& pool, TrainingObserver& observer) {
  if (options.trees == TreeKind::nonprojective && options.factorization != Factorization::first) {
    throw DataError("nonprojective trees need the first-order factorization");
  }
  Team& team = pool.team();
  expect_device(network.device, team);
  observer.on_stage("preparing");
  PreparationReport preparation;
  // Which sentences a part of a batch consists of is chance: so every process must have all of them.
  const std::vector<TrainingSentence> training = with_all_sentences(
      team, sentences,
      [&](std::span<const Sentence> all) { return prepare_training_set(all, options, preparation); });
  observer.on_prepared(preparation);
  if (training.empty()) throw DataError("there is no sentence to learn from: give sentences with heads");
  DevelopmentReport development_report;
  const std::vector<TrainingSentence> dev =
      with_all_sentences(team, development, [&](std::span<const Sentence> all) {
        return prepare_development_set(all, options, development_report);
      });
  development_report.sentences = static_cast<std::int64_t>(dev.size());
  if (team.any(!development.empty())) observer.on_development(development_report);

  NetworkShape shape = network.shape;
  shape.factorization = options.factorization;
  NetworkContent content{network.reads_tags, network.predicts_tags, network.has_labels, network.vectors,
                         !network.encoder};
  if (network.encoder && shape.reads_characters()) content.characters = &network.encoder->characters();
  const auto description =
      std::make_shared<const NetworkDescription>(describe_network(training, shape, content));
  std::vector<NetworkExample> examples;
  examples.reserve(training.size());
  for (const TrainingSentence& sentence : training)
    examples.push_back(make_network_example(sentence, *description));

  NetworkLossOptions loss;
  loss.trees = options.tree_space();
  loss.is_local = network.is_local;
  loss.margin = options.margin;
  loss.prune_threshold = options.prune_threshold;
  loss.first_order_weight = network.first_order_weight;
  loss.tag_weight = network.tag_weight;
  loss.dropout = network.dropout;
  const int passes = options.iterations > 0 ? options.iterations : default_passes(preparation.words);
  TreebankScheduleOptions batches;
  batches.passes = passes;
  batches.rate = network.rate;
  batches.batch_words = network.batch_words.value_or(default_batch(preparation.words));
  batches.parts = network.parts;
  batches.seed = options.seed;
  NetworkLearnerOptions learning;
  learning.seed = options.seed;
  NetworkStepsOptions steps;
  steps.parts = network.parts;
  steps.precision = common_precision(team, network.precision, network.device);
  std::vector<std::size_t> words;
  words.reserve(training.size());
  for (const TrainingSentence& example : training) {
    words.push_back(static_cast<std::size_t>(example.sentence.size()));
  }
  std::vector<float> first = first_weights(description->shape, network, options.seed, steps.rates);
  TreebankSchedule schedule(std::move(words), batches);
  NetworkLearner learner(
      schedule, learning,
      make_tree_steps(network.device, *description, examples, loss, std::move(first), steps, pool));

  NetworkDevelopment measure(description, dev, options, pool);
  TrainingLoop::Score score;
  if (!dev.empty()) score = [&measure](std::span<const float> weights) { return measure.score(weights); };
  const std::string& path = checkpoints.folder;
  const CheckpointFolder folder(
      path.empty() ? path : fmt::format("{}/{}", path, kNetworkRun),
      fingerprint(
          dev, fingerprint(training, fingerprint_of(checkpoints.options, network, steps.precision, batches))),
      team);
  if (!checkpoints.resume) folder.clear();
  observer.on_stage(fmt::format("training, with products in {}", name(steps.precision)));
  TrainingLoopOptions loop{passes, 1, {options.patience_iterations.value_or(0)}, measure.score_name()};
  const BestWeights best =
      TrainingLoop(learner, training.size(), loop, observer, score).run(folder, checkpoints.resume);

  ParserModel model(options.tree_space(), Network(description, best.weights), options.prune_threshold,
                    count_root_labels(description->labels, pointers_to(training)),
                    facts_of(network, *description, steps.precision, preparation, passes, best));
  if (!dev.empty()) {
    observer.on_stage("calibrating probabilities");
    model.set_temperature(fit_temperature(model, development, pool));
    model.add_fact("temperature", fmt::format("{:.3f}", model.temperature()));
  }
  return model;
}

}  // namespace copse
