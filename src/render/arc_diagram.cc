#include "render/arc_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "render/arc_layout.h"
#include "render/arc_path.h"
#include "render/markup.h"
#include "render/probability.h"
#include "render/shown_text.h"
#include "render/text_width.h"
#include "treebank/head_probability.h"

namespace copse {
namespace {

constexpr double kMargin = 16.0;
constexpr double kFormSize = 16.0;
constexpr double kSmallSize = 11.0;
constexpr double kHeadingHeight = 20.0;
constexpr double kLevelHeight = 20.0;
constexpr double kFirstLevel = 12.0;  // above the words
constexpr double kFormLine = 19.0;    // below the words' upper edge
constexpr double kTagLine = 35.0;
constexpr double kRangeLine = 44.0;
constexpr double kRangeText = 58.0;
constexpr double kUsualWeight = 1.0;  // of an arc whose probability nobody knows

class DiagramPainter {
 public:
  DiagramPainter(const Sentence& sentence, double doubt_below)
      : sentence_(sentence), doubt_below_(doubt_below), heads_(sentence.heads()) {
    check_heads();
    const auto entries = heads_.size();
    forms_.resize(entries);
    labels_.resize(entries);
    probabilities_.resize(entries, std::numeric_limits<double>::quiet_NaN());
    std::vector<double> word_widths(entries, 0.0);
    std::vector<double> label_widths(entries, 0.0);
    for (int word = 1; word <= sentence.size(); ++word) {
      prepare(word);
      word_widths[word] =
          std::max(text_width(forms_[word], kFormSize), text_width(shown_tag(sentence[word]), kSmallSize));
      label_widths[word] = text_width(labels_[word], kSmallSize);
    }
    make_room_for_ranges(word_widths);
    layout_ = lay_out_arcs(heads_, word_widths, label_widths);
  }

  ArcDiagram paint() && {
    const double heading = sentence_.sent_id() ? kHeadingHeight : 0.0;
    words_top_ =
        kMargin + heading + kSmallSize + kFirstLevel + kLevelHeight * std::max(layout_.levels - 1, 0);
    if (sentence_.text()) out_ += fmt::format("<title>{}</title>\n", xml_escaped(*sentence_.text()));
    double width = 2 * kMargin + layout_.width;
    if (sentence_.sent_id()) {
      const std::string id = shown(*sentence_.sent_id(), 2 * kShownColumns);
      write_text("id", kMargin, kMargin + kSmallSize, id);
      width = std::max(width, 2 * kMargin + text_width(id, kSmallSize));
    }
    for (int word = 1; word <= sentence_.size(); ++word) write_arc(word);
    for (int word = 1; word <= sentence_.size(); ++word) write_word(word);
    for (const MultiwordToken& range : sentence_.multiwords()) write_range(range);
    const double below = sentence_.multiwords().empty() ? kTagLine : kRangeText;
    return {std::move(out_), width, words_top_ + below + kMargin};
  }

 private:
  void check_heads() const {
    for (int word = 1; word <= sentence_.size(); ++word) {
      if (heads_[word] > sentence_.size() || heads_[word] == word) {
        throw std::invalid_argument(fmt::format("the head of word {} is {}", word, heads_[word]));
      }
    }
  }

  bool is_doubtful(int word) const { return probabilities_[word] < doubt_below_; }

  void prepare(int word) {
    const Token& token = sentence_[word];
    forms_[word] = shown(token.form());
    if (heads_[word] == kNoHead) return;
    probabilities_[word] = head_probability(token).value_or(std::numeric_limits<double>::quiet_NaN());
    if (token.deprel() != "_") labels_[word] = shown(token.deprel());
    if (!is_doubtful(word)) return;
    labels_[word] += (labels_[word].empty() ? "" : " ") + percent(probabilities_[word]);
  }

  void make_room_for_ranges(std::vector<double>& word_widths) const {
    for (const MultiwordToken& range : sentence_.multiwords()) {
      const int last = std::min(range.last(), sentence_.size());
      double width = 0.0;
      for (int word = range.first(); word <= last; ++word) width += word_widths[word];
      const double missing = text_width(shown(range.form()), kSmallSize) - width;
      if (missing <= 0.0) continue;
      for (int word = range.first(); word <= last; ++word) {
        word_widths[word] += missing / (last - range.first() + 1);
      }
    }
  }

  void write_text(std::string_view style, double x, double y, std::string_view text) {
    out_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", style, x, y,
                        xml_escaped(text));
  }

  void write_word(int word) {
    const double x = kMargin + layout_.centres[word];
    const Token& token = sentence_[word];
    if (token.form() != forms_[word]) {
      out_ += fmt::format("<g><title>{}</title>\n", xml_escaped(token.form()));
    }
    write_text("form", x, words_top_ + kFormLine, forms_[word]);
    if (token.form() != forms_[word]) out_ += "</g>\n";
    const std::string tag = shown_tag(token);
    if (!tag.empty()) write_text("tag", x, words_top_ + kTagLine, tag);
  }

  void write_range(const MultiwordToken& range) {
    const double first = kMargin + layout_.centres[range.first()];
    const double last = kMargin + layout_.centres[std::min(range.last(), sentence_.size())];
    const double y = words_top_ + kRangeLine;
    out_ += fmt::format("<path class=\"bracket\" d=\"M{0:.1f} {2:.1f}v-4M{0:.1f} {2:.1f}H{1:.1f}v-4\"/>\n",
                        first, last, y);
    write_text("multiword", (first + last) / 2, words_top_ + kRangeText, shown(range.form()));
  }

  std::string_view arc_class(int word) const {
    if (std::isnan(probabilities_[word])) return "arc";
    switch (confidence_style(probabilities_[word], doubt_below_)) {
      case Style::yellow:
        return "arc doubtful";
      case Style::red:
        return "arc unlikely";
      default:
        return "arc";
    }
  }

  std::string tooltip(int word) const {
    const int head = heads_[word];
    std::string text = head == 0 ? "root" : forms_[head];
    text += " → " + forms_[word];
    if (sentence_[word].deprel() != "_") text += fmt::format(" ({})", sentence_[word].deprel());
    if (!std::isnan(probabilities_[word])) text += fmt::format(": P = {:.4f}", probabilities_[word]);
    return text;
  }

  void write_arc(int word) {
    if (heads_[word] == kNoHead) return;
    const ArcLayout::Arc& arc = layout_.arcs[word];
    const double from = kMargin + arc.from;
    const double to = kMargin + arc.to;
    const double top = words_top_ - kFirstLevel - kLevelHeight * (arc.level - 1);
    const double weight = std::isnan(probabilities_[word]) ? kUsualWeight : probabilities_[word];
    out_ += fmt::format("<g class=\"{}\" stroke-width=\"{:.2f}\" opacity=\"{:.2f}\">", arc_class(word),
                        0.5 + weight, 0.5 + 0.5 * weight);
    out_ += fmt::format("<title>{}</title>\n", xml_escaped(tooltip(word)));
    const ArcShape shape{from, to, words_top_, top};
    out_ +=
        fmt::format("<path d=\"{}\"/>\n<path class=\"tip\" d=\"{}\"/>\n", arc_line(shape), arc_tip(shape));
    if (!labels_[word].empty()) write_text("label", (from + to) / 2, top - 4, labels_[word]);
    out_ += "</g>\n";
  }

  const Sentence& sentence_;
  double doubt_below_;
  std::vector<int> heads_;
  std::vector<std::string> forms_;     // as shown
  std::vector<std::string> labels_;    // as shown; empty for none
  std::vector<double> probabilities_;  // NaN for none
  ArcLayout layout_;
  double words_top_ = 0.0;
  std::string out_;
};

}  // namespace

ArcDiagram draw_arc_diagram(const Sentence& sentence, double doubt_below) {
  return DiagramPainter(sentence, doubt_below).paint();
}

std::string_view arc_diagram_style() {
  return R"(.copse{color-scheme:light dark}
.copse text{font-family:"Helvetica Neue",Arial,"Noto Sans","DejaVu Sans",sans-serif;font-size:11px;text-anchor:middle;stroke:none;fill:#57606a}
.copse text.form,.copse text.multiword{fill:#1f2328}
.copse text.form{font-size:16px}
.copse text.id{text-anchor:start}
.copse .paper{fill:#fff}
.copse path{fill:none}
.copse .arc{stroke:#57606a}
.copse .bracket{stroke:#afb8c1}
.copse .tip{fill:#57606a;stroke:none}
.copse .doubtful{stroke:#9a6700}
.copse .doubtful text,.copse .doubtful .tip{fill:#9a6700}
.copse .unlikely{stroke:#cf222e}
.copse .unlikely text,.copse .unlikely .tip{fill:#cf222e}
@media (prefers-color-scheme:dark){
.copse text{fill:#9198a1}
.copse text.form,.copse text.multiword{fill:#f0f6fc}
.copse .paper{fill:#0d1117}
.copse .arc{stroke:#9198a1}
.copse .bracket{stroke:#3d444d}
.copse .tip{fill:#9198a1}
.copse .doubtful{stroke:#d29922}
.copse .doubtful text,.copse .doubtful .tip{fill:#d29922}
.copse .unlikely{stroke:#ff7b72}
.copse .unlikely text,.copse .unlikely .tip{fill:#ff7b72}
}
)";
}

}  // namespace copse
