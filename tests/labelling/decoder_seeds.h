// Small whole values for each decoder of decoder_property.h, for what damages them and for what begins with
// them.
#pragma once

#include <string>
#include <vector>

#include "labelling/decoder_property.h"
#include "model/extractor_settings.h"

namespace copse::testing {

inline LabelRows seed_rows(int labels) {
  std::vector<LabelRows::Entry> entries;
  for (std::uint64_t feature = 0; feature < 8; ++feature) {
    for (int label = 0; label < labels; ++label) {
      entries.push_back(
          {feature << 61 | feature, static_cast<Label>(label), static_cast<float>(label) - 1.5F});
    }
  }
  return LabelRows(std::move(entries), 0.25);
}

inline CandidateLabels seed_candidates() {
  CandidateLabels candidates;
  candidates.lists = LabelRows::of_labels(
      {{std::uint64_t{1} << 62, 0, 0.0F}, {std::uint64_t{1} << 62, 2, 0.0F}, {1, 1, 0.0F}});
  candidates.others = {0, 1, 2};
  return candidates;
}

inline TransitionWeights seed_transitions() {
  const std::vector<TransitionWeights::Entry> entries = {
      {TransitionWeights::kNoLabel, 0, 1, 0.5F},
      {TransitionWeights::kNoLabel, kBoundaryLabel, 2, -1.0F},
      {kBoundaryLabel, 0, 2, 1.0F},
      {0, 1, 2, 0.25F}};
  return TransitionWeights(entries, 0.25);
}

inline SequenceModel seed_sequence_model() {
  SequenceModel model;
  model.order = 2;
  model.labels = 3;
  model.candidates = seed_candidates();
  model.coarse_threshold = 0.01;
  model.most_candidates = 3;
  model.coarse = seed_rows(2);
  model.weights = seed_rows(3);
  model.transitions = seed_transitions();
  return model;
}

inline SlotRules seed_slot_rules() {
  SlotRules rules;
  rules.words.add(std::uint64_t{7} << 32, 1);
  rules.words.add(std::uint64_t{9} << 32, 5);
  return rules;
}

inline WordSplitter seed_splitter() {
  WordSplitterTrainer trainer;
  for (int k = 0; k < 4; ++k) {
    trainer.add_word("dog");
    trainer.add_split("don't", std::vector<std::string_view>{"do", "n't"});
    trainer.add_split("didn't", std::vector<std::string_view>{"did", "n't"});
    trainer.add_split("zum", std::vector<std::string_view>{"zu", "dem"});
  }
  return trainer.train();
}

inline std::vector<std::byte> decoder_seed(std::size_t decoder) {
  ByteWriter writer;
  switch (decoder) {
    case 0:
      seed_rows(3).save(writer);
      break;
    case 1:
      seed_candidates().save(writer);
      break;
    case 2:
      seed_transitions().save(writer);
      break;
    case 3:
      seed_sequence_model().save(writer);
      break;
    case 4:
      seed_slot_rules().save(writer);
      break;
    case 5:
      seed_splitter().save(writer);
      break;
    default: {
      const std::vector<std::uint64_t> hashes = {1ULL << 40, 5ULL << 50, 1ULL << 63};
      const std::vector<float> weights = {0.5F, -1.25F, 3.0F};
      encode_weights(round_weights(hashes, weights, {}), writer);
    }
  }
  return writer.take();
}

inline std::vector<std::byte> component_seed(std::size_t component) {
  ByteWriter writer;
  switch (component) {
    case 0:
      writer.text("upos");
      writer.u32(3);
      for (const char* tag : {"NOUN", "VERB", "X"}) writer.text(tag);
      seed_sequence_model().save(writer);
      break;
    case 1:
      seed_slot_rules().save(writer);
      seed_sequence_model().save(writer);
      seed_splitter().save(writer);
      break;
    case 2:
      writer.u32(1);
      writer.u32(3);
      for (const std::string& label : kSeedLabels) writer.text(label);
      seed_sequence_model().save(writer);
      break;
    case 3:
      writer.u32(2);
      write_extractor(FeatureExtractor(FeatureOptions(), Factorization::sibling), writer);
      writer.u32(3);
      for (const std::string& label : kSeedLabels) writer.text(label);
      seed_candidates().save(writer);
      seed_rows(3).save(writer);
      break;
    default:
      writer.numbers(std::span<const std::uint8_t>(std::vector<std::uint8_t>{1, 2, 3}));
  }
  return writer.take();
}

}  // namespace copse::testing
