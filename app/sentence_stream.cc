#include "sentence_stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include "number_text.h"

namespace copse {

StreamProgress::StreamProgress(SentenceOutput& output, const std::string& output_path,
                               const InputPosition& position)
    : output_(output), position_(position), is_shown_(output_path != "-" || ::isatty(STDOUT_FILENO) == 0) {}

void StreamProgress::advance(std::int64_t sentences, std::int64_t words) {
  sentences_ = sentences;
  words_ = words;
  output_.emit();
  if (!is_shown_) return;
  std::string text = fmt::format("{}, {} per second", counted(sentences, "sentence"), rate(per_second()));
  if (position_.size > 0 && position_.bytes_read > 0) {
    const double done = static_cast<double>(position_.bytes_read) / static_cast<double>(position_.size);
    text += fmt::format(", {} left", duration(seconds() * (1.0 - done) / done));
  }
  line_.show(text);
}

void StreamProgress::finish() {
  if (!is_shown_ || !line_.is_live()) return;
  const std::string speed =
      sentences_ == 0 ? "" : fmt::format(", {} sentences per second", rate(per_second()));
  line_.print(fmt::format("{}, {} in {}{}", counted(sentences_, "sentence"), counted(words_, "word"),
                          duration(seconds()), speed));
}

}  // namespace copse
