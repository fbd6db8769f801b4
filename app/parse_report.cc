#include "parse_report.h"

#include <fmt/format.h>

#include <utility>

#include "copse/error.h"
#include "default_model.h"
#include "number_text.h"
#include "render/text_width.h"

namespace copse {
namespace {

std::string description_of_long(const PipelineItem& item) {
  std::string what = fmt::format("has {}; ", counted(item.sentence.size(), "word"));
  if (item.parse.pieces > 1) what += fmt::format("parsed in {} pieces", item.parse.pieces);
  if (item.parse.pieces > 1 && item.parse.had_to_prune) what += " and ";
  if (item.parse.had_to_prune) what += "pruned more than asked for, to save memory";
  return what;
}

}  // namespace

ParseReport::ParseReport(StatusLine& line, Place place, Progress progress)
    : line_(line), place_(std::move(place)), progress_(std::move(progress)) {}

void ParseReport::on_sentence(std::int64_t number, const PipelineItem& item) {
  const Parse& parse = item.parse;
  if (watch_) {
    const std::optional<LanguageWatch::Passage> passage = watch_->add(item.sentence);
    if (passage && watch_->strange() == 1) report_language(number, item, passage->language);
    totals_.passages = watch_->passages();
    totals_.strange_passages = watch_->strange();
  }
  if (!item.conflict.empty()) {
    ++totals_.conflicts;
    say(number, item, item.conflict + "; the sentence is left as it was: mend it, or say --conflict drop");
    return;
  }
  if (!parse.dropped_heads.empty()) {
    say(number, item,
        fmt::format("{} did not go with the others and {} dropped",
                    counted(static_cast<std::int64_t>(parse.dropped_heads.size()), "known head"),
                    parse.dropped_heads.size() == 1 ? "was" : "were"));
  }
  if (!parse.ignored_labels.empty()) {
    const bool is_one = parse.ignored_labels.size() == 1;
    say(number, item,
        fmt::format("{} {}, and {} nothing about the rest: the model has no tree with {}",
                    counted(static_cast<std::int64_t>(parse.ignored_labels.size()), "known label"),
                    is_one ? "stays" : "stay", is_one ? "says" : "say", is_one ? "it" : "them"));
  }
  if (parse.pieces > 1 || parse.had_to_prune) say(number, item, description_of_long(item));
  if (parse.untagged_words > 0) report_untagged(number, item);
}

void ParseReport::on_progress(std::int64_t sentences, std::int64_t words) {
  totals_.sentences = sentences;
  totals_.words = words;
  progress_(totals_);
}

void ParseReport::watch_language(const ModelComponents& model) {
  if (!model.language) return;
  language_ = fact_of(model.parser.facts(), "language");
  watch_.emplace(*model.language, language_, known_languages);
}

void ParseReport::report_language(std::int64_t number, const PipelineItem& item,
                                  const KnownLanguage* language) {
  const std::string own = printable(language_.empty() ? "what the model has learned from" : language_);
  if (language == nullptr) {
    say(number, item,
        fmt::format("the text up to here does not look like {}; the results may be nonsense (`copse models` "
                    "lists other models)",
                    own));
    return;
  }
  say(number, item,
      fmt::format("the text up to here looks like {}, not like {}; try --model {}, or --model auto, which "
                  "chooses a model for each paragraph",
                  printable(language->name()), own, printable(language->model)));
}

void ParseReport::report_untagged(std::int64_t number, const PipelineItem& item) {
  totals_.untagged_words += item.parse.untagged_words;
  if (++totals_.untagged_sentences > 1) return;
  say(number, item,
      fmt::format(
          "{} no tag, and the model has learnt from words with tags; tag them (`copse tag`), or use a "
          "model with a tagger (`copse train --pipeline`)",
          item.parse.untagged_words == 1 ? "a word has"
                                         : counted(item.parse.untagged_words, "word") + " have"));
}

void ParseReport::say(std::int64_t number, const PipelineItem& item, std::string_view what) {
  const bool is_clause = what.starts_with("has ");
  line_.print(fmt::format("copse: {}{} {}", place_(number, item), is_clause ? "" : ":", what));
}

void report_untagged(const ParseTotals& totals, StatusLine& line) {
  if (totals.untagged_sentences < 2) return;
  line.print(fmt::format("copse: {} in {} had no tags; their trees are hardly better than guessed",
                         counted(totals.untagged_words, "word"),
                         counted(totals.untagged_sentences, "sentence")));
}

void report_strange(const ParseTotals& totals, StatusLine& line) {
  if (totals.strange_passages < 2) return;
  line.print(fmt::format("copse: {} of {} of about 20 words are not in the language of the model",
                         grouped(totals.strange_passages), counted(totals.passages, "passage")));
}

void expect_no_conflicts(const ParseTotals& totals, std::string_view conflict) {
  if (totals.conflicts == 0 || conflict != "error") return;
  throw DataError(fmt::format("{} with known heads that no tree has; --conflict skip makes this no error",
                              counted(totals.conflicts, "sentence")));
}

}  // namespace copse
