#include <fmt/format.h>

#include <algorithm>

#include "analysis/chart.h"
#include "analysis/chart_parts.h"
#include "analysis/page_sections.h"
#include "analysis/page_table.h"
#include "render/markup.h"
#include "render/number_text.h"
#include "render/shown_text.h"

namespace copse {
namespace {

constexpr int kMostDrawnWords = 250;  // longer sentences would be drawings that nobody can read
constexpr size_t kMostListedErrors = 200;
constexpr int kMostShownColumns = 2000;  // of a sentence's text
constexpr size_t kOpenSentences = 2;     // the others are folded

std::string text_of(const Sentence& sentence) {
  if (sentence.text()) return shown(*sentence.text(), kMostShownColumns);
  std::string text;
  for (const Token& word : sentence.words()) {
    text += (text.empty() ? "" : " ") + std::string(word.form());
  }
  return shown(text, kMostShownColumns);
}

std::string error_text(const ComparedSentence::System& system) {
  std::string text = counted(system.wrong_heads, "wrong head");
  if (system.wrong_labels > 0) text += ", " + counted(system.wrong_labels, "wrong label");
  return text;
}

std::string word_text(const Sentence& sentence, int head) {
  if (head == kNoHead) return "no head";
  return head == 0 ? "root" : fmt::format("{} {}", head, shown(sentence[head].form()));
}

// Instead of a drawing.
std::string error_list(const ComparedSentence& sentence, const ComparedSentence::System& system) {
  PageTable table;
  table.columns = {"word", "gold head", "system's head"};
  for (int word = 1; word <= sentence.gold.size() && table.rows.size() < kMostListedErrors; ++word) {
    const ComparedWord& compared = system.words[static_cast<size_t>(word)];
    if (!compared.is_scored || compared.verdict != Verdict::wrong_head) continue;
    table.rows.push_back({xml_escaped(word_text(sentence.gold, word)),
                          xml_escaped(word_text(sentence.gold, sentence.gold[word].head())),
                          xml_escaped(word_text(sentence.gold, system.sentence[word].head()))});
  }
  return fmt::format("<p class=\"muted\">Too long to draw. {}</p>\n",
                     table.rows.size() == kMostListedErrors ? "The first wrong heads:" : "The wrong heads:") +
         page_table(table, "Wrong heads");
}

std::string drawing(const ComparedSentence& sentence, const ComparedSentence::System& system,
                    const std::string& description) {
  const ArcDiagram diagram = draw_comparison(sentence.gold, system.sentence, system.words);
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\"><svg class=\"comparison\" "
      "width=\"{1:.0f}\" height=\"{2:.0f}\" viewBox=\"0 0 {1:.0f} {2:.0f}\" role=\"img\" "
      "aria-label=\"{0}\">\n{3}"
      "</svg></div>\n",
      xml_escaped(description), diagram.width, diagram.height, diagram.markup);
}

std::string tree_figure(const Analysis& analysis, const ComparedSentence& sentence, size_t k) {
  const ComparedSentence::System& system = sentence.systems[k];
  const std::string& name = analysis.systems[k].name;
  const std::string description = fmt::format("{}: {}", name, error_text(system));
  std::string out = fmt::format("<figure class=\"tree\" data-system=\"{}\"><figcaption>{} {}</figcaption>\n",
                                k, legend_marker(k), xml_escaped(description));
  out += sentence.gold.size() > kMostDrawnWords ? error_list(sentence, system)
                                                : drawing(sentence, system, description);
  return out + "</figure>\n";
}

std::string sentence_card(const Analysis& analysis, const ComparedSentence& sentence, bool is_open) {
  std::string errors;  // for the script
  std::string badges;
  for (size_t k = 0; k < sentence.systems.size(); ++k) {
    const ComparedSentence::System& system = sentence.systems[k];
    errors += fmt::format("{}{}", errors.empty() ? "" : " ", system.wrong_heads + system.wrong_labels);
    badges += fmt::format("<span title=\"{}\">{} {}</span>",
                          xml_escaped(fmt::format("{}: {}", analysis.systems[k].name, error_text(system))),
                          legend_marker(k), system.wrong_heads + system.wrong_labels);
  }
  std::string id =
      fmt::format("sentence {}, {}", grouped(sentence.number), counted(sentence.gold.size(), "word"));
  if (sentence.gold.sent_id()) id = fmt::format("{} · {}", shown(*sentence.gold.sent_id(), 80), id);
  std::string out = fmt::format(
      "<details class=\"sentence\" data-number=\"{}\" data-words=\"{}\" data-errors=\"{}\"{}>\n"
      "<summary><span class=\"text\">{}</span><span class=\"id\">{}</span><span "
      "class=\"errors\">{}</span></summary>\n",
      sentence.number, std::max<int64_t>(sentence.scored_words, 1), errors, is_open ? " open=\"\"" : "",
      xml_escaped(text_of(sentence.gold)), xml_escaped(id), badges);
  for (size_t k = 0; k < sentence.systems.size(); ++k) out += tree_figure(analysis, sentence, k);
  return out + "</details>\n";
}

std::string controls(const Analysis& analysis) {
  std::string systems = "<option value=\"all\">all</option>";
  for (size_t k = 0; k < analysis.systems.size(); ++k) {
    systems += fmt::format("<option value=\"{}\">{}</option>", k, xml_escaped(analysis.systems[k].name));
  }
  const std::string_view difference =
      analysis.systems.size() > 1 ? "<option value=\"difference\">difference between systems</option>" : "";
  return fmt::format(
      "<div class=\"controls\" id=\"sentence-controls\" hidden=\"\">\n"
      "<label>System<select id=\"choose-system\">{}</select></label>\n"
      "<label>Order<select id=\"choose-order\"><option value=\"errors\">most errors</option>"
      "<option value=\"rate\">highest share of errors</option>{}"
      "<option value=\"file\">as in the file</option></select></label>\n"
      "<label>Search<input id=\"search\" type=\"search\" placeholder=\"words or sent_id\"/></label>\n"
      "<button id=\"open-all\" type=\"button\">Open all</button>\n"
      "<button id=\"close-all\" type=\"button\">Close all</button>\n"
      "<span id=\"shown\" class=\"muted\" role=\"status\"></span>\n</div>\n",
      systems, difference);
}

// What the lines of the drawings mean.
std::string line_legend(bool has_labels) {
  const auto entry = [](std::string_view kind, std::string_view text) {
    return fmt::format(
        "<li><svg class=\"key comparison\" viewBox=\"0 0 34 12\" width=\"34\" height=\"12\" "
        "aria-hidden=\"true\"><g "
        "class=\"{}\"><path d=\"M0 6H27\"/><path class=\"tip\" d=\"M34 6l-7 -3.5v7z\"/></g></svg> {}</li>\n",
        kind, text);
  };
  return "<ul class=\"legend\" aria-label=\"Lines\">\n" + entry("both", "gold and system") +
         entry("missed", "only gold (missed), above the words") +
         entry("extra", "only system (wrong), below the words") +
         (has_labels ? entry("both relabelled", "right head, other label: gold ≠ system") : "") + "</ul>\n";
}

bool has_labelled_system(const Analysis& analysis) {
  return std::any_of(analysis.systems.begin(), analysis.systems.end(),
                     [](const SystemAnalysis& system) { return system.scores.labelled; });
}

}  // namespace

std::string sentences_section(const Analysis& analysis) {
  if (analysis.sentences.empty()) return "";
  std::string out = fmt::format(
      "<p>The {} with the most errors of all systems together. Words that are not scored are paler. Open one "
      "to see its trees.</p>\n{}{}<div id=\"sentence-list\">\n",
      analysis.sentences.size() == 1
          ? "sentence"
          : grouped(static_cast<int64_t>(analysis.sentences.size())) + " sentences",
      line_legend(has_labelled_system(analysis)), controls(analysis));
  for (size_t k = 0; k < analysis.sentences.size(); ++k) {
    out += sentence_card(analysis, analysis.sentences[k], k < kOpenSentences);
  }
  return out + "</div>\n";
}

}  // namespace copse
