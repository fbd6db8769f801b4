#pragma once

#include <cstddef>
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
enum class BlockEnd : std::uint8_t { nothing, paragraph, text };

// Finds the sentences of blocks of text, one after the other. A workspace for one thread.
class BlockSegmenter {
 public:
  BlockSegmenter(const SegmenterModel& segmenter, Segmenter::OnSentence on_sentence);

  // Emits the sentences of a block. If the paragraph goes on, the last one may go on, too: it is left for the
  // next block. Returns the number of bytes that are dealt with, never 0 for a block that is not empty.
  std::size_t segment(std::string_view text, BlockEnd end);

 private:
  struct Start {
    int character;
    bool is_sentence;
  };

  void find_starts();
  std::size_t last_sentence(BlockEnd end) const;
  void emit_sentence(std::string_view text, std::size_t first, std::size_t last, BlockEnd end);
  std::string misc(std::string_view space, std::string_view usual);
  void add_token(std::string_view form, std::string_view misc, Sentence& sentence);

  SegmenterModel segmenter_;
  Segmenter::OnSentence on_sentence_;
  TextRow row_;
  SlotReader reader_;
  SequenceObservations observations_;
  SequenceLabeller labeller_;
  std::vector<Start> starts_;  // of tokens
  std::vector<std::pair<std::string_view, std::string_view>>
      tokens_;  // of a sentence, each with the space after it
  std::vector<std::string> words_;
  std::string columns_;
  std::string surface_;
  std::string space_before_;  // the next sentence
  bool begins_paragraph_ = true;
};

}  // namespace copse
