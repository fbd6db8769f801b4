#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "copse/treebank/sentence_reader.h"
#include "io/byte_source.h"
#include "segmentation/segmenter.h"

namespace copse {

// The sentences of a text. gzip and zstd data is recognised by its first bytes.
class TextReader : public SentenceReader {
 public:
  // `name` stands for the file in messages.
  TextReader(std::unique_ptr<ByteSource> source, const SegmenterModel& segmenter, const std::string& name,
             const TextOptions& options = {});
  TextReader(const TextReader&) = delete;
  TextReader& operator=(const TextReader&) = delete;

  bool next(Sentence& sentence) override;

 private:
  std::unique_ptr<ByteSource> source_;
  std::deque<Sentence> sentences_;  // found, and not yet returned by next()
  Segmenter segmenter_;
  std::vector<char> buffer_;
  bool is_at_end_ = false;
};

}  // namespace copse
