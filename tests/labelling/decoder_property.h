// What model files hold inside their compressed sections, decoded from arbitrary bytes: no checksum and no
// compression stands between them and the decoders.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/error.h"
#include "io/compress_helpers.h"
#include "labelling/labeller.h"
#include "model/candidate_labels.h"
#include "model/label_model.h"
#include "model/model_property.h"
#include "model/root_labels.h"
#include "model/rounded_weights.h"
#include "segmentation/segmenter.h"
#include "segmentation/segmenter_content.h"
#include "segmentation/word_splitter.h"
#include "sequence/sequence_labeller.h"
#include "tagging/tagger.h"
#include "tagging/tagger_layer.h"
#include "treebank/field_text.h"

namespace copse::testing {

inline constexpr std::array<std::string_view, 7> kDecoders = {
    "label rows", "candidates", "transitions", "sequence model", "slot rules", "word splitter", "weights"};

// A refusal has one line, says where, and what to do.
inline std::optional<std::string> refusal_violation(const DataError& error, std::string_view start) {
  const std::string_view message = error.what();
  if (!message.starts_with(start)) return "a message without the name: " + std::string(message);
  if (message.find('\n') != std::string_view::npos) return "a message of several lines";
  if (message.find("; ") == std::string_view::npos) return "no advice: " + std::string(message);
  return std::nullopt;
}

// More candidates are no mistake, but take more time and memory than a fuzzer has.
inline bool has_few_candidates(const CandidateLabels& candidates) {
  return candidates.others.size() <= 8 && candidates.lists.entries() <= 64;
}

inline std::optional<std::string> use_sequence_model(const SequenceModel& model) {
  if (!has_few_candidates(model.candidates)) return std::nullopt;
  SequenceObservations observations;
  for (std::uint64_t position = 0; position < 4; ++position) {
    for (std::uint64_t feature = 0; feature < 8; ++feature) observations.add(feature << 61 | position);
    observations.end_coarse();
    observations.end_position({position << 62, 1});
  }
  SequenceLabeller labeller(model);
  labeller.assign(observations);
  for (const Label label : labeller.best()) {
    if (label >= model.labels) return "a label that does not exist";
  }
  for (int position = 0; position < labeller.size(); ++position) {
    double sum = 0.0;
    for (const double probability : labeller.probabilities(position)) sum += probability;
    if (!(std::abs(sum - 1.0) < 1e-6)) return "probabilities that sum to " + std::to_string(sum);
  }
  return std::nullopt;
}

// What was decoded must be usable, and the same when encoded and decoded again.
template <class Load, class Save, class Use>
std::optional<std::string> decoding_violation(std::span<const std::byte> bytes, Load load, Save save,
                                              Use use) {
  std::vector<std::byte> saved;
  try {
    ByteReader reader(bytes, "bytes");
    const auto value = load(reader);
    if (const std::optional<std::string> violation = use(value)) return violation;
    ByteWriter writer;
    save(value, writer);
    saved = writer.take();
  } catch (const DataError& error) {
    return refusal_violation(error, "bytes: ");
  }
  try {
    ByteReader reader(saved, "bytes");
    const auto value = load(reader);
    reader.expect_end();
    ByteWriter writer;
    save(value, writer);
    if (writer.bytes() != saved) return "other bytes when encoded again";
  } catch (const DataError& error) {
    return std::string("what was decoded is refused when encoded and decoded again: ") + error.what();
  }
  return std::nullopt;
}

inline std::optional<std::string> decoder_violation(std::size_t decoder, std::span<const std::byte> bytes) {
  constexpr int kLabels = 300;
  const auto save = [](const auto& value, ByteWriter& writer) { value.save(writer); };
  const auto no_use = [](const auto&) { return std::optional<std::string>(); };
  switch (decoder) {
    case 0:
      return decoding_violation(
          bytes, [](ByteReader& reader) { return LabelRows::load(reader, kLabels); }, save,
          [](const LabelRows& rows) -> std::optional<std::string> {
            std::vector<std::uint32_t> sums(kLabels);
            for (std::uint64_t feature = 0; feature < 64; ++feature) {
              const std::uint64_t hash = feature << 58 | feature;
              rows.prefetch_bucket(hash);
              rows.prefetch_tags(hash);
              const std::uint32_t row = rows.find(hash);
              if (row != LabelRows::kAbsent) rows.add_to(row, sums.data());
            }
            return std::nullopt;
          });
    case 1:
      return decoding_violation(
          bytes, [](ByteReader& reader) { return CandidateLabels::load(reader, kLabels); }, save,
          [](const CandidateLabels& candidates) -> std::optional<std::string> {
            for (std::uint64_t key = 0; key < 64; ++key) {
              const std::span<const Label> list = candidates.find(std::array{key << 58, key << 58 | key});
              if (list.empty()) return "an empty list of candidates";
              const bool is_rising =
                  std::adjacent_find(list.begin(), list.end(), std::greater_equal<Label>()) == list.end();
              if (!is_rising || list.back() >= kLabels) return "candidates that cannot be";
            }
            return std::nullopt;
          });
    case 2:
      return decoding_violation(
          bytes, [](ByteReader& reader) { return TransitionWeights::load(reader, kLabels); }, save,
          [](const TransitionWeights& transitions) -> std::optional<std::string> {
            for (Label label = 0; label < 8; ++label) {
              const double sum =
                  transitions.pair(1, label) + transitions.triple(kBoundaryLabel, label, label);
              if (!std::isfinite(sum)) return "weights that are no numbers";
            }
            return std::nullopt;
          });
    case 3:
      return decoding_violation(
          bytes, [](ByteReader& reader) { return SequenceModel::load(reader); }, save, use_sequence_model);
    case 4:
      return decoding_violation(
          bytes, [](ByteReader& reader) { return SlotRules::load(reader); }, save, no_use);
    case 5:
      return decoding_violation(
          bytes, [](ByteReader& reader) { return WordSplitter::load(reader); }, save,
          [](const WordSplitter& splitter) -> std::optional<std::string> {
            std::vector<std::string> words;
            for (const std::string_view form : {"a", "don't", "DON'T", "Zum", "aß", "木木木", "x\u0301"}) {
              if (!splitter.split(form, words)) continue;
              if (words.size() < 2) return "a token that is split into one word";
              for (const std::string& word : words) {
                if (!is_field_text(word) || word.empty()) return "a word that cannot be a form";
              }
            }
            return std::nullopt;
          });
    default:
      return decoding_violation(bytes, decode_weights, encode_weights,
                                [](const RoundedWeights& list) -> std::optional<std::string> {
                                  for (std::size_t k = 0; k < list.size(); ++k) {
                                    if (!std::isfinite(list.weight(k)) || list.weight(k) == 0.0)
                                      return "a weight that cannot be";
                                  }
                                  return std::nullopt;
                                });
  }
}

inline constexpr std::array<std::string_view, 5> kComponents = {"tagger", "segmenter", "labeller",
                                                                "label model", "root labels"};
// Of the root labels.
inline const std::vector<std::string> kSeedLabels = {"root", "nsubj", "obj"};

// A model file with one component, whose section holds `content` when decompressed, if it is compressed at
// all.
inline std::vector<std::byte> component_file(std::size_t component, std::span<const std::byte> content) {
  const std::string compressed = zstd_bytes(std::string(as_text(content)));
  const auto compressed_bytes = std::as_bytes(std::span(compressed));
  const std::vector<std::byte> section(compressed_bytes.begin(), compressed_bytes.end());
  ByteWriter settings;
  settings.u32(1);                      // version
  if (component == 0) settings.u32(1);  // layer
  settings.u32(0);                      // facts
  switch (component) {
    case 0:
      return forged_file({{"tagger/settings", settings.take()}, {"tagger/layer0", section}});
    case 1:
      return forged_file({{"segmenter/settings", settings.take()}, {"segmenter/model", section}});
    case 2:
      return forged_file({{"labeller", section}});
    case 3:
      return forged_file({{"labels", section}});
    default:
      return forged_file({{"root", {content.begin(), content.end()}}});
  }
}

// The component is refused with a DataError, or works.
inline std::optional<std::string> component_violation(std::size_t component,
                                                      std::span<const std::byte> content) {
  Sentence sentence;
  for (const std::string_view form : {"The", "dogs", "don't", "木"})
    sentence.add_word(form).set_head(sentence.size() - 1);
  try {
    const SectionFile file = SectionFile::from_bytes(component_file(component, content), "file");
    if (component == 0) {
      const TaggerModel model = TaggerModel::from_file(file);
      if (has_few_candidates(model.layers()[0].model.candidates)) Tagger(model).tag(sentence);
    } else if (component == 1) {
      const SegmenterModel model = SegmenterModel::from_file(file);
      for (const Sentence& found : segment_text(model, "Dr. No didn't see it. 木木木 Yes!\n\nNew (one)")) {
        if (found.empty()) return "an empty sentence";
      }
    } else if (component == 2) {
      const LabellerModel model = LabellerModel::from_file(file);
      if (!has_few_candidates(model.model().candidates)) return std::nullopt;
      std::vector<std::string> labels;
      std::vector<double> probabilities;
      Labeller(model).label(sentence, sentence.heads(), labels, &probabilities);
      if (labels.size() != sentence.heads().size()) return "a word without a label";
    } else if (component == 3) {
      const LabelModel model = LabelModel::load(file, "labels");
      if (model.labels().empty()) return "a model without labels";
    } else {
      RootLabels::from_file(file, "root", kSeedLabels);
    }
  } catch (const DataError& error) {
    return refusal_violation(error, "file");
  }
  return std::nullopt;
}

}  // namespace copse::testing
