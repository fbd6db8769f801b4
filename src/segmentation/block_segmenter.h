#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "segmentation/segmenter.h"
#include "segmentation/segmenter_content.h"
#include "segmentation/text_row.h"
#include "sequence/sequence_labeller.h"

namespace copse {

// The longest text that is looked at at once. No token has more bytes, and no sentence more words: what is
// written can be read again.
inline constexpr std::size_t kMostBlockBytes = 8192;

// What comes after a block.
enum class BlockEnd : std::uint8_t { nothing, line, paragraph, text };

// Finds the sentences of blocks of text, one after the other. A workspace for one thread.
class BlockSegmenter {
 public:
  BlockSegmenter(const SegmenterModel& segmenter, Segmenter::OnSentence on_sentence,
                 const TextOptions& options);

  // Emits the sentences of a block. If the paragraph goes on, the last one may go on, too: it is left for the
  // next block. Returns the number of bytes that are dealt with, never 0 for a block that is not empty.
  std::size_t segment(std::string_view text, BlockEnd end);
  // Says that the text has one more character here, which is not part of any block.
  void skip_character() { ++position_; }

 private:
  struct Start {
    int character;
    bool is_sentence;
  };
  struct FoundToken {
    std::string_view form;
    std::string_view space;  // after it
    std::int64_t begin;      // in characters of the whole text; only if somebody wants to know
  };

  void find_starts();
  std::size_t last_sentence(BlockEnd end) const;
  void emit_sentence(std::string_view text, std::size_t first, std::size_t last, BlockEnd end);
  std::size_t emit_sentences(std::string_view text, BlockEnd end);
  std::string misc(const FoundToken& token, std::string_view usual);
  bool split(std::size_t token);
  void add_token(std::size_t token, std::string_view misc, Sentence& sentence);

  SegmenterModel segmenter_;
  Segmenter::OnSentence on_sentence_;
  TextOptions options_;
  TextRow row_;
  SlotReader reader_;
  SequenceObservations observations_;
  SequenceLabeller labeller_;
  std::vector<Start> starts_;       // of tokens
  std::vector<FoundToken> tokens_;  // of a sentence
  std::optional<CharacterSplitterPass> characters_;
  std::optional<ContextSplitterPass> context_;
  std::vector<std::string_view> forms_;
  std::vector<std::string> words_;
  std::string columns_;
  std::string surface_;
  std::string space_before_;  // the next sentence
  bool begins_paragraph_;
  std::int64_t position_ = 0;  // of the block in the text, in characters; only if somebody wants to know
};

}  // namespace copse
