#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "copse/treebank/sentence_reader.h"
#include "open_sentences.h"
#include "pipeline/component.h"
#include "segmentation/segmenter_model.h"
#include "watched_input.h"

namespace copse {

// FILES (or --input), --input-format, --no-headings, --ranges, --sent-ids and --max-words.
void add_sentence_input(CLI::App& command, SentenceInputOptions& options);
// The same for commands that read text alone: formats are text and lines.
void add_text_input(CLI::App& command, SentenceInputOptions& options);

// The format to write where nobody asks for one: empty, which keeps that of each sentence, or CoNLL-U for
// several files of different formats.
std::string usual_output_format(const SentenceInputOptions& options);

// The sentences of files one after the other, whatever formats they have.
class SentenceInput : public SentenceReader {
 public:
  // Text needs a segmenter, which is borrowed, and so are the options. Heads need not be trees. `position`
  // and `before_waiting` are those of WatchedInput. Throws DataError if a file does not exist.
  SentenceInput(const SentenceInputOptions& options, const Component<SegmenterModel>& segmenter,
                InputPosition& position, std::function<void()> before_waiting);
  // Throws DataError for files that are no text.
  static SentenceInput of_text(const SentenceInputOptions& options, const SegmenterModel& segmenter,
                               InputPosition& position, std::function<void()> before_waiting);

  bool next(Sentence& sentence) override;
  std::size_t first_line() const override { return reader_ ? reader_->first_line() : 0; }

  // Where the sentence came from that was read as number so-and-so, from 1 on over all files.
  struct Place {
    std::string file;
    std::int64_t number;  // in the file
  };
  Place place(std::int64_t number) const;

 private:
  void open_next();
  std::unique_ptr<SentenceReader> open(const std::string& path);

  const SentenceInputOptions* options_;
  Component<SegmenterModel> segmenter_;
  bool is_text_only_ = false;
  InputPosition* position_;
  std::function<void()> before_waiting_;
  std::unique_ptr<SentenceReader> reader_;
  std::size_t next_file_ = 0;
  std::int64_t sentences_ = 0;
  std::vector<std::int64_t> sentences_before_;  // each file
};

}  // namespace copse
