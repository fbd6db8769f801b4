#include "pipeline/stream_parser.h"

#include <utility>

namespace copse {
namespace {

// So many that a thread that is done early does not wait long for the others, and so few that the memory of a
// batch does not matter.
constexpr int kSentencesPerThread = 128;
constexpr int kWordsPerThread = 8192;

}  // namespace

StreamParser::StreamParser(const Model& model, const ParseOptions& options, TaskPool& pool,
                           SentenceWriter& writer, ParsingObserver& observer)
    : pipeline_(model, options, pool),
      writer_(&writer),
      observer_(&observer),
      max_sentences_(static_cast<std::size_t>(pool.threads()) * kSentencesPerThread),
      max_words_(std::int64_t{pool.threads()} * kWordsPerThread) {}

void StreamParser::add(Sentence&& sentence, std::size_t line) {
  if (size_ == batch_.size()) batch_.emplace_back();
  PipelineItem& item = batch_[size_++];
  std::swap(item.sentence, sentence);  // whose memory is used again, too
  item.line = line;
  item.conflict.clear();
  item.error = nullptr;
  batch_words_ += item.sentence.size();
  if (size_ >= max_sentences_ || batch_words_ >= max_words_) flush();
}

void StreamParser::flush() {
  if (size_ == 0) return;
  const std::span<PipelineItem> items = std::span(batch_).first(std::exchange(size_, 0));
  batch_words_ = 0;
  pipeline_.parse_and_write_columns(items);
  for (PipelineItem& item : items) {
    if (item.error) {
      writer_->flush();
      std::rethrow_exception(item.error);
    }
    write(item);
  }
  writer_->flush();
  observer_->on_progress(sentences_, words_);
}

void StreamParser::write(PipelineItem& item) {
  writer_->write(item.sentence);
  ++sentences_;
  words_ += item.sentence.size();
  if (item.conflict.empty()) {
    for (std::size_t rank = 1; rank < item.parse.trees.size(); ++rank) {
      write_columns(item.parse, rank, item.sentence);
      writer_->write(item.sentence);
    }
  }
  observer_->on_sentence(sentences_, item);
}

}  // namespace copse
