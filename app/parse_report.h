#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/language_guesser.h"
#include "pipeline/model_components.h"
#include "pipeline/stream_parser.h"
#include "status_line.h"

namespace copse {

// Counts that can be added up over several processes.
struct ParseTotals {
  std::int64_t sentences = 0;
  std::int64_t words = 0;
  std::int64_t conflicts = 0;  // sentences that no tree goes with the known heads of
  std::int64_t untagged_words = 0;
  std::int64_t untagged_sentences = 0;
  std::int64_t passages = 0;  // of about 20 words, if their language is watched
  std::int64_t strange_passages = 0;
};

// Tells the user how far the work is and what is not as it should be.
class ParseReport : public ParsingObserver {
 public:
  // Where the sentence stands that was added as number so-and-so, such as "FILE:LINE: sentence N".
  using Place = std::function<std::string(std::int64_t number, const PipelineItem& item)>;
  // After every batch.
  using Progress = std::function<void(const ParseTotals& totals)>;

  // Borrows the line.
  ParseReport(StatusLine& line, Place place, Progress progress);

  void on_sentence(std::int64_t number, const PipelineItem& item) override;
  void on_progress(std::int64_t sentences, std::int64_t words) override;

  // From now on, text that is not in the language of the model is reported, if the model knows it. Borrows
  // the model.
  void watch_language(const ModelComponents& model);
  // The sentences that come next are those of another text.
  void begin_text() {
    if (watch_) watch_->end_text();
  }

  const ParseTotals& totals() const { return totals_; }

 private:
  void report_untagged(std::int64_t number, const PipelineItem& item);
  void report_language(std::int64_t number, const PipelineItem& item, const KnownLanguage* language);
  void say(std::int64_t number, const PipelineItem& item, std::string_view what);

  StatusLine& line_;
  Place place_;
  Progress progress_;
  ParseTotals totals_;
  std::string language_;  // of the model
  std::optional<LanguageWatch> watch_;
};

// What there is to say about everything at the end.
void report_untagged(const ParseTotals& totals, StatusLine& line);
void report_strange(const ParseTotals& totals, StatusLine& line);
// DataError if there are any and `conflict`, the value of the option, says that they are errors.
void expect_no_conflicts(const ParseTotals& totals, std::string_view conflict);

}  // namespace copse
