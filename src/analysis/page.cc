#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "analysis/analysis_report.h"
#include "analysis/page_assets.h"
#include "analysis/page_frame.h"
#include "analysis/page_sections.h"
#include "render/markup.h"
#include "render/number_text.h"

namespace copse {
namespace {

std::string title_of(const Analysis& analysis) {
  const std::string name = std::filesystem::path(analysis.gold_file).filename().string();
  return "Error analysis: " + xml_escaped(name.empty() ? analysis.gold_file : name);
}

std::string settings_text(const Analysis& analysis) {
  const Counts& counts = analysis.systems.front().scores.total;
  const EvaluationOptions& options = analysis.options.evaluation;
  std::string text = fmt::format(
      "Gold trees: {}. {} of {} in {} are scored (punctuation: {}; label subtypes: {}).",
      xml_escaped(analysis.gold_file), grouped(counts.scored_words), counted(counts.words, "word"),
      counted(counts.sentences, "sentence"), kPunctuationNames[static_cast<size_t>(options.punctuation)],
      options.keep_subtypes ? "keep" : "ignore");
  if (counts.words_without_gold_head > 0) {
    text += fmt::format(" {} no gold head.", counts.words_without_gold_head == 1
                                                 ? std::string("1 word has")
                                                 : grouped(counts.words_without_gold_head) + " words have");
  }
  return text;
}

}  // namespace

std::string analysis_page(const Analysis& analysis) {
  const std::array sections = {
      PageSection{"scores", "Scores", scores_section(analysis)},
      PageSection{"structure", "Structure", structure_section(analysis)},
      PageSection{"tags", "Tags", tags_section(analysis)},
      PageSection{"labels", "Labels", labels_section(analysis)},
      PageSection{"probabilities", "Probabilities", probabilities_section(analysis)},
      PageSection{"sentences", "Sentences", sentences_section(analysis)},
  };
  return framed_page({title_of(analysis),
                      fmt::format("<p class=\"muted\">{}</p>\n{}", settings_text(analysis), legend(analysis)),
                      comparison_style(), page_script(), "Made by copse analyze."},
                     sections);
}

}  // namespace copse
