#include "pretraining/pretrainer.h"

#include <fmt/format.h>

#include "features/hashing.h"
#include "optimisation/checkpoint.h"
#include "optimisation/training_loop.h"
#include "pretraining/masked_steps.h"

namespace copse {
namespace {

// Device and precision are not part of it: a run may go on on another machine.
std::uint64_t fingerprint_of(const EncoderText& text, const PretrainingOptions& options) {
  const NetworkShape& shape = options.shape;
  return mix(
      text.fingerprint() +
      hash_text(fmt::format("1 {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", options.min_count,
                            options.max_words, options.window_words, shape.word_size, shape.affix_rows,
                            shape.affix_size, shape.spelling_size, shape.layers, shape.hidden,
                            options.batches.passes, options.batches.batch_words, options.batches.parts,
                            options.batches.hidden_share, options.batches.seed, options.learning.rate,
                            options.learning.weight_decay, options.learning.norm, options.dropout)));
}

}  // namespace

PretrainedEncoder pretrain(EncoderText& text, const PretrainingOptions& options,
                           const CheckpointOptions& checkpoints, TaskPool& pool,
                           PretrainingObserver& observer) {
  const TextVocabulary& vocabulary = text.choose(options.min_count, options.max_words, options.window_words);
  observer.on_vocabulary(vocabulary);
  NetworkShape shape = options.shape;
  shape.spelling = Spelling::affixes;
  shape.guesses_words = true;
  shape.words = vocabulary.words.size() + 2;  // the unknown one and the root
  NetworkStepsOptions step_options;
  step_options.parts = options.batches.parts;
  step_options.precision = options.precision.value_or(best_precision(options.device));
  MaskedBatches batches(text, options.batches);
  MaskedLearner learner(batches, text.words(), options.batches, options.learning,
                        make_masked_steps(options.device, shape, batches.slots(), options.dropout,
                                          initial_weights(shape, options.batches.seed), step_options, pool),
                        [&observer](const MaskedProgress& progress) { observer.on_step(progress); });
  const CheckpointFolder folder(checkpoints.folder, fingerprint_of(text, options));
  if (!checkpoints.resume) folder.clear();
  TrainingLoopOptions loop;
  loop.iterations = static_cast<int>(batches.windows());
  loop.checkpoint_seconds = options.checkpoint_seconds;
  const std::uint64_t words = text.words() / text.windows();
  const BestWeights last = TrainingLoop(learner, words, loop, observer).run(folder, checkpoints.resume);
  return PretrainedEncoder::from_network(shape, vocabulary.words, vocabulary.counts, last.weights);
}

}  // namespace copse
