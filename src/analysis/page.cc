#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "analysis/analysis_report.h"
#include "analysis/page_assets.h"
#include "analysis/page_sections.h"
#include "render/markup.h"
#include "render/number_text.h"

namespace copse {
namespace {

struct Section {
  std::string_view id;
  std::string_view title;
  std::string content;
};

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

std::string page_head(const Analysis& analysis) {
  // Nothing from elsewhere is ever loaded, even if a text should find a way to ask for it.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\"/>\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n",
      title_of(analysis), page_style(), comparison_style());
}

std::string navigation(const std::vector<Section>& sections) {
  std::string out = "<nav aria-label=\"Sections\"><ul>\n";
  for (const Section& section : sections) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
  }
  return out + "</ul></nav>\n";
}

}  // namespace

std::string analysis_page(const Analysis& analysis) {
  std::vector<Section> sections = {
      {"scores", "Scores", scores_section(analysis)},
      {"structure", "Structure", structure_section(analysis)},
      {"tags", "Tags", tags_section(analysis)},
      {"labels", "Labels", labels_section(analysis)},
      {"probabilities", "Probabilities", probabilities_section(analysis)},
      {"sentences", "Sentences", sentences_section(analysis)},
  };
  std::erase_if(sections, [](const Section& section) { return section.content.empty(); });
  std::string page = page_head(analysis);
  page += fmt::format("<body>\n<header>\n<h1>{}</h1>\n<p class=\"muted\">{}</p>\n{}</header>\n",
                      title_of(analysis), settings_text(analysis), legend(analysis));
  page += navigation(sections) + "<main>\n";
  for (const Section& section : sections) {
    page += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", section.id, section.title,
                        section.content);
  }
  page += fmt::format(
      "</main>\n<footer>Made by copse analyze.</footer>\n<script>\n{}</script>\n</body>\n</html>\n",
      page_script());
  return page;
}

}  // namespace copse
