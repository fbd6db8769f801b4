#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"
#include "model/label_rows.h"
#include "segmentation/character_splitter.h"
#include "segmentation/slots.h"
#include "segmentation/word_splitter.h"

namespace copse {

// Running text with its gold tokens and sentences: a paragraph, or as much of it as is learnt from at once.
struct TrainingPiece {
  struct Start {
    std::uint32_t offset;  // in the text
    std::uint32_t end;     // of the token
    SlotLabel label;       // kToken or kSentence
  };
  std::string text;
  std::vector<Start> tokens;
};

std::vector<TrainingPiece> training_pieces(std::span<const Sentence> sentences);

// The gold label of each slot of a piece; the number of tokens that begin where there is no slot is added to
// `lost`.
std::vector<Label> slot_labels(const TrainingPiece& piece, const TextRow& row, std::span<const int> slots,
                               std::int64_t& lost);

// What the pieces say about slots. Pieces k with is_left_out[k] are held out.
SlotRules learn_rules(std::span<const TrainingPiece> pieces, const std::vector<bool>& is_left_out);

WordSplitter learn_splits(std::span<const Sentence> sentences);
// All different tokens, with what becomes of them in most cases.
std::vector<SplitExample> split_examples(std::span<const Sentence> sentences);

}  // namespace copse
