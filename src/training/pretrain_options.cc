#include "training/pretrain_options.h"

#include "training/option_settings.h"
#include "training/shared_options.h"

namespace copse {
namespace {

using PretrainTable = OptionTable<PretrainRequest>;
using Shared = SharedOptions<PretrainRequest>;

void add_text(PretrainTable& table) {
  PretrainOption& text =
      table.files("text", at(&PretrainRequest::text), "Text to learn from; - is the standard input");
  text.is_required = true;
  text.needs_no_name = true;
  text.effect = OptionEffect::content;
  PretrainOption& output =
      table.file("output", at(&PretrainRequest::output), "The encoder; the file appears when it is complete");
  output.is_required = true;
  output.effect = OptionEffect::none;
  PretrainOption& model =
      table.file("model", at(&PretrainRequest::model), "The model whose segmenter cuts the text into words");
  model.otherwise = "the English model";
  model.effect = OptionEffect::content;
  table
      .name<bool>("tokens", at(&PretrainRequest::cuts_at_spaces), {{"segmenter", false}, {"spaces", true}},
                  "How the text is cut into words: by the segmenter of --model; or at spaces, with one "
                  "sentence in a line")
      .placeholder = "segmenter|spaces";
  table
      .files("treebank", at(&PretrainRequest::treebank),
             "Trees that a parser will learn from: their words count five times each when the words are "
             "chosen")
      .effect = OptionEffect::content;
  constexpr auto learning = &PretrainRequest::learning;
  table.integer("max_words", at(learning, &PretrainingOptions::max_words), {1, 10'000'000},
                "Words that are known, at most");
  table.integer("min_count", at(learning, &PretrainingOptions::min_count), {1, kMostOptionSize},
                "Words that come less often are unknown");
  table
      .text("licence", at(&PretrainRequest::licence),
            "Of the text: goes into the encoder, and into every model that is made with it")
      .effect = OptionEffect::none;
}

void add_sizes(Shared& shared) {
  shared.size(at(&PretrainRequest::size));
  shared.layers(at(&PretrainRequest::layers));
  shared.hidden(at(&PretrainRequest::hidden));
  shared.word_size(at(&PretrainRequest::word_size));
  shared.spelling_size(at(&PretrainRequest::spelling_size));
  shared
      .part_size("affix_rows", at(&PretrainRequest::affix_rows),
                 "Different prefixes, suffixes and shapes, for each kind of them", 16, 1 << 20)
      .otherwise = fmt::format("{}", NetworkShape().affix_rows);
}

void add_learning(PretrainTable& table, Shared& shared) {
  table.name<Spelling>(
      "spelling", at(&PretrainRequest::spelling), {{"affixes", Spelling::affixes}, {"both", Spelling::both}},
      "How words are read beside their form: by prefixes, suffixes and shape, or by characters, too");
  constexpr auto learning = &PretrainRequest::learning;
  const auto batches = [](auto member) { return at(learning, &PretrainingOptions::batches, member); };
  const auto learner = [](auto member) { return at(learning, &PretrainingOptions::learning, member); };
  table.integer("passes", batches(&MaskedBatchOptions::passes), {1, 1000},
                "How often to go through the text");
  shared.rate(learner(&MaskedLearningOptions::rate),
              "; it rises in the first 300 steps, and falls to a twentieth");
  shared.batch(batches(&MaskedBatchOptions::batch_words));
  shared.batch_parts(batches(&MaskedBatchOptions::parts));
  table.number("hidden_share", batches(&MaskedBatchOptions::hidden_share), {0.01, 0.9}, "P",
               "Of the words: so many are to be guessed");
  shared.dropout(at(learning, &PretrainingOptions::dropout));
  table.number("weight_decay", learner(&MaskedLearningOptions::weight_decay), {0.0, 1.0}, "W",
               "Weights shrink by this, times the rate, in each step");
  shared.seed(batches(&MaskedBatchOptions::seed));
  shared.precision(at(learning, &PretrainingOptions::precision));
  shared.device(at(learning, &PretrainingOptions::device));
  shared.threads(at(&PretrainRequest::threads));
  shared.resume(at(&PretrainRequest::resume));
}

std::vector<PretrainOption> all_pretrain_options() {
  PretrainTable table;
  Shared shared(table);
  add_text(table);
  add_sizes(shared);
  add_learning(table, shared);
  return table.take();
}

}  // namespace

std::span<const PretrainOption> pretrain_options() {
  static const std::vector<PretrainOption> options = all_pretrain_options();
  return options;
}

const PretrainOption* find_pretrain_option(std::string_view name) {
  return find_option(pretrain_options(), name);
}

ModelSettings encoder_settings(const PretrainRequest& request) {
  return settings_of(pretrain_options(), request);
}

std::uint64_t fingerprint(const PretrainRequest& request) {
  return fingerprint_of(pretrain_options(), request);
}

}  // namespace copse
