#include "render/comparison_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "render/arc_layout.h"
#include "render/arc_path.h"
#include "render/markup.h"
#include "render/shown_text.h"
#include "treebank/head_probability.h"

namespace copse {
namespace {

class ComparisonPainter {
  static constexpr double kMargin = 12.0;
  static constexpr double kFormSize = 15.0;
  static constexpr double kSmallSize = 11.0;
  static constexpr double kLevelHeight = 19.0;
  static constexpr double kFirstLevel = 14.0;
  static constexpr double kFormLine = 17.0;  // below the words' upper edge
  static constexpr double kTagLine = 31.0;
  static constexpr double kWordsHeight = 38.0;

 public:
  ComparisonPainter(const Sentence& gold, const Sentence& system, std::span<const ComparedWord> words)
      : gold_(gold), system_(system), words_(words), gold_side_(gold.heads()), extra_side_(gold.heads()) {
    check_sizes();
    std::vector<double> word_widths(words.size(), 0.0);
    for (int word = 1; word <= gold.size(); ++word) {
      prepare(word);
      word_widths[word] = std::max(text_width(shown(gold[word].form()), kFormSize),
                                   text_width(shown_tag(gold[word]), kSmallSize));
    }
    layout_ = lay_out_two_sides(word_widths, gold_side_.view(), extra_side_.view());
  }

  ArcDiagram paint() && {
    top_ = kMargin + height_of(layout_.above);
    bottom_ = top_ + kWordsHeight;
    for (int word = 1; word <= gold_.size(); ++word) write_gold_arc(word);
    for (int word = 1; word <= gold_.size(); ++word) write_extra_arc(word);
    for (int word = 1; word <= gold_.size(); ++word) write_word(word);
    return {std::move(out_), 2 * kMargin + layout_.above.width,
            bottom_ + height_of(layout_.below) + (layout_.below.levels > 0 ? kMargin : 0.0)};
  }

 private:
  // The arcs on one side of the words.
  struct Side {
    explicit Side(std::vector<int> all_heads)
        : heads(std::move(all_heads)), labels(heads.size()), label_widths(heads.size(), 0.0) {}
    ArcSide view() const { return {heads, label_widths}; }
    void set_label(int word, std::string text) {
      label_widths[word] = text_width(text, kSmallSize);
      labels[word] = std::move(text);
    }
    std::vector<int> heads;
    std::vector<std::string> labels;  // as shown; empty for none
    std::vector<double> label_widths;
  };

  static double height_of(const ArcLayout& layout) {
    return layout.levels == 0 ? 0.0 : kSmallSize + kFirstLevel + kLevelHeight * (layout.levels - 1);
  }

  void check_sizes() const {
    if (gold_.size() != system_.size() || words_.size() != gold_side_.heads.size()) {
      throw std::invalid_argument(fmt::format("{} gold words, {} of the system, {} verdicts", gold_.size(),
                                              system_.size(), words_.size()));
    }
  }

  void prepare(int word) {
    const int gold_head = gold_[word].head();
    if (gold_head > gold_.size() || gold_head == word || system_[word].head() > system_.size()) {
      throw std::invalid_argument(
          fmt::format("the heads of word {} are {} and {}", word, gold_head, system_[word].head()));
    }
    const Verdict verdict = words_[word].verdict;
    std::string label = label_of(gold_[word]);
    if (verdict == Verdict::wrong_label) label += " ≠ " + label_of(system_[word]);
    if (gold_head != kNoHead) gold_side_.set_label(word, std::move(label));
    const bool is_drawable = system_[word].head() != word && gold_head != kNoHead;
    extra_side_.heads[word] = verdict == Verdict::wrong_head && is_drawable ? system_[word].head() : kNoHead;
    if (extra_side_.heads[word] != kNoHead) extra_side_.set_label(word, label_of(system_[word]));
  }

  static std::string label_of(const Token& word) {
    return word.deprel() == "_" ? std::string() : shown(word.deprel());
  }

  std::string arc_text(int head, int word, std::string_view label) const {
    std::string text = head == 0 ? "root" : shown(gold_[head].form());
    text += " → " + shown(gold_[word].form());
    if (label != "_") text += fmt::format(" ({})", shown(label));
    return text;
  }

  std::string system_text(int word) const {
    const Token& token = system_[word];
    if (token.head() == kNoHead) return "no head";
    std::string text = arc_text(token.head(), word, token.deprel());
    if (const std::optional<double> probability = head_probability(token)) {
      text += fmt::format(", P = {:.4f}", *probability);
    }
    return text;
  }

  void write_arc(std::string_view kind, int word, const ArcLayout::Arc& arc, const ArcShape& shape,
                 const std::string& label, const std::string& tooltip) {
    out_ += fmt::format("<g class=\"{}{}\"><title>{}</title><path d=\"{}\"/><path class=\"tip\" d=\"{}\"/>",
                        kind, words_[word].is_scored ? "" : " pale", xml_escaped(tooltip), arc_line(shape),
                        arc_tip(shape));
    if (!label.empty()) {
      const double y = shape.turn < shape.edge ? shape.turn - 3 : shape.turn + kSmallSize;
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", kMargin + (arc.from + arc.to) / 2, y,
                          xml_escaped(label));
    }
    out_ += "</g>\n";
  }

  void write_gold_arc(int word) {
    if (gold_[word].head() == kNoHead) return;
    const ArcLayout::Arc& arc = layout_.above.arcs[word];
    const ArcShape shape{kMargin + arc.from, kMargin + arc.to, top_,
                         top_ - kFirstLevel - kLevelHeight * (arc.level - 1)};
    const std::string gold_text = arc_text(gold_[word].head(), word, gold_[word].deprel());
    switch (words_[word].verdict) {
      case Verdict::right:
        write_arc("both", word, arc, shape, gold_side_.labels[word], "gold and system: " + system_text(word));
        break;
      case Verdict::wrong_label:
        write_arc("both relabelled", word, arc, shape, gold_side_.labels[word],
                  fmt::format("gold: {}; system: {}", gold_text, system_text(word)));
        break;
      case Verdict::wrong_head:
        write_arc("missed", word, arc, shape, gold_side_.labels[word],
                  fmt::format("only gold: {}; system: {}", gold_text, system_text(word)));
        break;
    }
  }

  void write_extra_arc(int word) {
    if (extra_side_.heads[word] == kNoHead) return;
    const ArcLayout::Arc& arc = layout_.below.arcs[word];
    const ArcShape shape{kMargin + arc.from, kMargin + arc.to, bottom_,
                         bottom_ + kFirstLevel + kLevelHeight * (arc.level - 1)};
    write_arc("extra", word, arc, shape, extra_side_.labels[word], "only system: " + system_text(word));
  }

  void write_word(int word) {
    const double x = kMargin + layout_.above.centres[word];
    const std::string form = shown(gold_[word].form());
    const bool is_wrong = words_[word].is_scored && words_[word].verdict == Verdict::wrong_head;
    const std::string title =
        form == gold_[word].form() ? "" : fmt::format("<title>{}</title>", xml_escaped(gold_[word].form()));
    out_ += fmt::format("<text class=\"form{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text>",
                        is_wrong ? " wrong" : "", x, top_ + kFormLine, title, xml_escaped(form));
    const std::string tag = shown_tag(gold_[word]);
    if (!tag.empty()) {
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x, top_ + kTagLine, xml_escaped(tag));
    }
    out_ += "\n";
  }

  const Sentence& gold_;
  const Sentence& system_;
  std::span<const ComparedWord> words_;
  Side gold_side_;
  Side extra_side_;
  TwoSidedLayout layout_;
  double top_ = 0.0;     // of the words
  double bottom_ = 0.0;  // of the words
  std::string out_;
};

}  // namespace

ArcDiagram draw_comparison(const Sentence& gold, const Sentence& system,
                           std::span<const ComparedWord> words) {
  return ComparisonPainter(gold, system, words).paint();
}

}  // namespace copse
