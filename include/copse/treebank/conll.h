#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "copse/treebank/layout.h"
#include "copse/treebank/sentence.h"
#include "copse/treebank/sentence_reader.h"
#include "copse/treebank/sentence_writer.h"

namespace copse {

struct ConllReadOptions {
  ConllFormat format = ConllFormat::detect;
  bool validate_trees = true;  // refuse cycles; heads outside the sentence are always refused
  int max_words = 10'000;      // in a sentence
  size_t max_field_bytes = size_t{64} << 10;
  size_t max_line_bytes = size_t{1} << 20;
  size_t max_sentence_bytes = size_t{64} << 20;
};

// Reads the sentences of a file one after the other, holding one at a time. gzip and zstd data is recognised
// by its first bytes. docs/treebank.md has the rule that tells the formats apart, and what is accepted.
//
// What cannot be read is a DataError "FILE:LINE: reason; what to do"; after an error the reader is at its
// end.
class ConllReader : public SentenceReader {
 public:
  // "-" is the standard input.
  explicit ConllReader(const std::string& path, const ConllReadOptions& options = {});

  // `name` stands for the file in messages.
  static ConllReader from_text(std::string text, const ConllReadOptions& options = {},
                               const std::string& name = "<text>");

  ConllReader(ConllReader&&) noexcept;
  ConllReader& operator=(ConllReader&&) noexcept;
  ~ConllReader() override;

  bool next(Sentence& sentence) override;

  size_t first_line() const override;

  // What the input turned out to be; `detect` before the first sentence.
  ConllFormat format() const;

 private:
  friend struct ConllSource;
  class Impl;
  explicit ConllReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

std::vector<Sentence> read_conll(const std::string& path, const ConllReadOptions& options = {});

// Writes sentences. A sentence written in the format it was read in keeps every byte; in another format it is
// converted (docs/treebank.md says how).
class ConllWriter : public SentenceWriter {
 public:
  // A file appears at `path` when close() is called, and not before; "-" is the standard output. The
  // destructor closes, too, unless an exception is on its way: then the file stays as it was. Call close() to
  // hear of a disk that is full.
  explicit ConllWriter(const std::string& path, ConllFormat format = ConllFormat::detect);

  // Appends to `text`, which must outlive the writer.
  static ConllWriter to_text(std::string& text, ConllFormat format = ConllFormat::detect);

  ConllWriter(ConllWriter&&) noexcept;
  ConllWriter& operator=(ConllWriter&&) noexcept;
  ~ConllWriter() override;

  // Throws DataError for a sentence that no reader would accept (no words, a head or a range beyond the last
  // word), and when the output cannot be written.
  void write(const Sentence& sentence) override;
  void flush() override;
  void close() override;

 private:
  class Impl;
  explicit ConllWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
