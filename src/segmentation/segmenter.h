#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "copse/text_options.h"
#include "copse/treebank/sentence.h"
#include "segmentation/segmenter_model.h"

namespace copse {

// Finds the sentences of a text that comes in pieces of any size. Memory is bounded, whatever comes. A
// workspace for one thread; the segmenter is shared.
//
// Empty lines (and those of spaces alone) end paragraphs, and so sentences; a paragraph is answered as soon
// as it has ended. Other line breaks are space like any other, or end headings or sentences, as the options
// say. The sentences have `# newpar`, `# text`, SpaceAfter=No where tokens are not separated, and SpacesAfter
// where they are by anything else than one space: TextWriter gives the text back, up to space at its end.
class Segmenter {
 public:
  using OnSentence = std::function<void(Sentence&&)>;

  // `name` stands for the text in messages.
  Segmenter(const SegmenterModel& segmenter, OnSentence on_sentence, const TextOptions& options = {},
            std::string name = "<text>");
  ~Segmenter();
  Segmenter(Segmenter&&) noexcept;
  Segmenter& operator=(Segmenter&&) noexcept;

  // The next bytes. Throws DataError "name:line: ..." for what is not UTF-8; the object is of no use then.
  void add(std::string_view bytes);
  // After the last byte. What is added later is another text.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The sentences of a text.
std::vector<Sentence> segment_text(const SegmenterModel& segmenter, std::string_view text,
                                   const TextOptions& options = {}, const std::string& name = "<text>");

}  // namespace copse
