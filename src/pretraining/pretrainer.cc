#include "pretraining/pretrainer.h"

#include <fmt/format.h>

#include "features/hashing.h"
#include "io/bytes.h"
#include "optimisers/checkpoint.h"
#include "optimisers/training_loop.h"
#include "parser_training/network_learner.h"
#include "pretraining/dealt_batches.h"
#include "pretraining/masked_schedule.h"
#include "pretraining/masked_steps.h"

namespace copse {
namespace {

// What every process must know of the text.
struct TextFacts {
  std::uint64_t words = 0;
  std::uint64_t windows = 0;
  std::uint64_t fingerprint = 0;
  TextVocabulary vocabulary;
  std::vector<std::string> characters;
};

// Those that rank 0 has.
void share(Team& team, TextFacts& facts) {
  ByteWriter own;
  own.u64(facts.words);
  own.u64(facts.windows);
  own.u64(facts.fingerprint);
  own.u64(facts.vocabulary.total);
  own.numbers(std::span<const std::uint64_t>(facts.vocabulary.counts));
  own.u64(facts.vocabulary.words.size());
  for (const std::string& word : facts.vocabulary.words) own.text(word);
  for (const std::string& character : facts.characters) own.text(character);
  std::vector<std::byte> bytes = own.take();
  team.share(bytes);
  ByteReader shared(bytes, "the vocabulary of rank 0");
  facts.words = shared.u64();
  facts.windows = shared.u64();
  facts.fingerprint = shared.u64();
  facts.vocabulary.total = shared.u64();
  facts.vocabulary.counts = shared.numbers<std::uint64_t>();
  facts.vocabulary.words.clear();
  facts.characters.clear();
  for (std::uint64_t left = shared.u64(); left > 0; --left) {
    facts.vocabulary.words.emplace_back(shared.text());
  }
  while (shared.remaining() > 0) facts.characters.emplace_back(shared.text());
}

TextFacts choose(Team& team, EncoderText* text, const PretrainingOptions& options) {
  TextFacts facts;
  if (text != nullptr) {
    facts.vocabulary = text->choose(options.min_count, options.max_words, options.window_words);
    facts.words = text->words();
    facts.windows = text->windows();
    facts.fingerprint = text->fingerprint();
    for (std::uint32_t number = 1; number < text->characters().size(); ++number) {
      facts.characters.push_back(text->characters()[number]);
    }
  }
  if (!team.is_alone()) share(team, facts);
  return facts;
}

// Of the text, the options, and what no option decides.
std::uint64_t fingerprint_of(const TextFacts& text, const PretrainingOptions& options,
                             const CheckpointOptions& checkpoints) {
  const std::string fixed = fmt::format("3 {} {} {} {}", options.window_words, options.shape.affix_size,
                                        static_cast<int>(options.shape.spelling), options.learning.norm);
  return mix(mix(text.fingerprint + checkpoints.options) + hash_text(fixed));
}

NetworkLearnerOptions learner_options(const MaskedLearningOptions& options) {
  NetworkLearnerOptions learner;
  learner.adam.beta2 = 0.999F;
  learner.adam.epsilon = 1e-8F;
  learner.adam.weight_decay = options.weight_decay;
  learner.norm = options.norm;
  learner.average_decay = options.average_decay;
  learner.seed = options.seed;
  return learner;
}

}  // namespace

PretrainedEncoder pretrain(EncoderText* text, const PretrainingOptions& options,
                           const CheckpointOptions& checkpoints, TaskPool& pool,
                           PretrainingObserver& observer) {
  Team& team = pool.team();
  const TextFacts facts = choose(team, text, options);
  const TextVocabulary& vocabulary = facts.vocabulary;
  observer.on_vocabulary(vocabulary);
  NetworkShape shape = options.shape;
  shape.guesses_words = true;
  shape.words = vocabulary.words.size() + 2;  // the unknown one and the root
  const Vocabulary characters(facts.characters);
  shape.characters = shape.reads_characters() ? characters.size() : 0;
  NetworkStepsOptions step_options;
  step_options.parts = options.batches.parts;
  step_options.precision = common_precision(team, options.precision, options.device);
  std::optional<MaskedBatches> source;
  if (text != nullptr) source.emplace(*text, options.batches);
  DealtBatches batches(team, source ? &*source : nullptr, options.batches.parts);
  MaskedSchedule schedule(batches, facts.words, options.batches, options.learning.rate);
  NetworkLearner learner(schedule, learner_options(options.learning),
                         make_masked_steps(options.device, shape, batches.slots(), options.dropout,
                                           initial_weights(shape, options.batches.seed), step_options, pool),
                         [&](double loss) {
                           observer.on_step({schedule.words_done(), schedule.total_words(), loss});
                         });
  const CheckpointFolder folder(checkpoints.folder, fingerprint_of(facts, options, checkpoints), team);
  if (!checkpoints.resume) folder.clear();
  TrainingLoopOptions loop;
  loop.iterations = static_cast<int>(batches.windows());
  loop.checkpoint_seconds = options.checkpoint_seconds;
  const std::uint64_t words = facts.words / facts.windows;
  const BestWeights last = TrainingLoop(learner, words, loop, observer).run(folder, checkpoints.resume);
  return PretrainedEncoder::from_network(shape, vocabulary.words, vocabulary.counts, characters,
                                         last.weights);
}

}  // namespace copse
