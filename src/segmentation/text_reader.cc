#include "segmentation/text_reader.h"

namespace copse {

TextReader::TextReader(std::unique_ptr<ByteSource> source, const SegmenterModel& segmenter,
                       const std::string& name, const TextOptions& options)
    : source_(decompress(std::move(source), name)),
      segmenter_(
          segmenter, [this](Sentence&& sentence) { sentences_.push_back(std::move(sentence)); }, options,
          name),
      buffer_(std::size_t{64} << 10) {}

bool TextReader::next(Sentence& sentence) {
  while (sentences_.empty() && !is_at_end_) {
    if (const std::size_t count = source_->read(buffer_)) {
      segmenter_.add({buffer_.data(), count});
    } else {
      is_at_end_ = true;
      segmenter_.finish();
    }
  }
  if (sentences_.empty()) return false;
  sentence = std::move(sentences_.front());
  sentences_.pop_front();
  return true;
}

}  // namespace copse
