#include "render/rendering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/arc_diagram.h"
#include "render/markup.h"
#include "render/sentence_text.h"
#include "render/text_width.h"

namespace copse {
namespace {

// Numbers sentences, of which each may come as several trees (kbest_rank), the best one first.
class SentenceCount {
 public:
  void add(const Sentence& sentence) {
    rank_ = number_in_comment(sentence, "kbest_rank");
    if (number_ == 0 || !rank_ || *rank_ <= 1.0) ++number_;
  }
  std::int64_t number() const { return number_; }
  const std::optional<double>& rank() const { return rank_; }  // of the tree, if that is said

 private:
  std::int64_t number_ = 0;
  std::optional<double> rank_;
};

class TreeRendering : public Rendering {
 public:
  explicit TreeRendering(const DrawOptions& options) : options_(options) {}

  void add(const Sentence& sentence, std::string& out) override {
    if (count_.number() > 0) out += '\n';
    count_.add(sentence);
    // Not cut to the width of the drawing, which has no place for what a title says.
    std::string title =
        sentence.sent_id() ? printable(*sentence.sent_id()) : fmt::format("sentence {}", count_.number());
    if (count_.rank()) title += fmt::format(", tree {}", *count_.rank());
    if (const auto value = number_in_comment(sentence, "tree_log_probability")) {
      title += fmt::format(", log-probability {}", *value);
    } else if (const auto probability = number_in_comment(sentence, "tree_probability")) {
      title += fmt::format(", probability {}", *probability);
    }
    if (const auto value = number_in_comment(sentence, "tree_entropy")) {
      title += fmt::format(", entropy {}", *value);
    }
    out += (options_.canvas.colour ? styled(title, Style::bold) : title) + "\n";
    out += draw_tree(drawable(sentence), options_);
  }
  void finish(std::string& /*out*/) override {}

 private:
  DrawOptions options_;
  SentenceCount count_;
};

std::string svg_start(double width, double height, std::string_view attributes) {
  return fmt::format(
      "<svg{} class=\"copse\" width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"0 0 {:.0f} {:.0f}\">\n",
      attributes, std::ceil(width), std::ceil(height), std::ceil(width), std::ceil(height));
}

// The size of the drawing comes first in the file, so that nothing can be written before the end.
class SvgRendering : public Rendering {
 public:
  explicit SvgRendering(double doubt_below) : doubt_below_(doubt_below) {}

  void add(const Sentence& sentence, std::string& /*out*/) override {
    const ArcDiagram diagram = draw_arc_diagram(sentence, doubt_below_);
    diagrams_ += fmt::format("<g transform=\"translate(0 {:.1f})\">\n{}</g>\n", height_, diagram.markup);
    width_ = std::max(width_, diagram.width);
    height_ += diagram.height;
  }
  void finish(std::string& out) override {
    out += svg_start(width_, height_, " xmlns=\"http://www.w3.org/2000/svg\"");
    out += fmt::format("<style>\n{}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
                       arc_diagram_style());
    out += diagrams_ + "</svg>\n";
  }

 private:
  double doubt_below_;
  double width_ = 0.0;
  double height_ = 0.0;
  std::string diagrams_;
};

class DotRendering : public Rendering {
 public:
  void add(const Sentence& sentence, std::string& out) override {
    count_.add(sentence);
    const bool is_further_tree = count_.rank() && *count_.rank() > 1.0;
    out += sentence_dot(sentence, is_further_tree ? fmt::format("{}-k{}", count_.number(), *count_.rank())
                                                  : std::to_string(count_.number()));
  }
  void finish(std::string& /*out*/) override {}

 private:
  SentenceCount count_;
};

class JsonRendering : public Rendering {
 public:
  void add(const Sentence& sentence, std::string& out) override { out += sentence_json(sentence) + "\n"; }
  void finish(std::string& /*out*/) override {}
};

class HtmlRendering : public Rendering {
 public:
  explicit HtmlRendering(double doubt_below) : doubt_below_(doubt_below) {}

  void add(const Sentence& sentence, std::string& out) override {
    start(out);
    const ArcDiagram diagram = draw_arc_diagram(sentence, doubt_below_);
    out += "<section>\n";
    if (sentence.text()) out += fmt::format("<p>{}</p>\n", xml_escaped(*sentence.text()));
    out += svg_start(diagram.width, diagram.height, "") + diagram.markup + "</svg>\n</section>\n";
  }
  void finish(std::string& out) override {
    start(out);
    out += "</body>\n</html>\n";
  }

 private:
  void start(std::string& out) {
    if (std::exchange(has_started_, true)) return;
    out += fmt::format(
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>Dependency "
        "trees</title>\n<style>\n"
        ":root{{color-scheme:light dark}}\nbody{{font-family:sans-serif;margin:2em}}\n"
        "section{{overflow-x:auto;margin-bottom:2em}}\n{}</style>\n</head>\n<body>\n",
        arc_diagram_style());
  }

  double doubt_below_;
  bool has_started_ = false;
};

}  // namespace

std::optional<RenderFormat> parse_render_format(std::string_view name) {
  const auto* found = std::find(kRenderFormatNames.begin(), kRenderFormatNames.end(), name);
  if (found == kRenderFormatNames.end()) return std::nullopt;
  return static_cast<RenderFormat>(found - kRenderFormatNames.begin());
}

std::unique_ptr<Rendering> make_rendering(RenderFormat format, const DrawOptions& options) {
  switch (format) {
    case RenderFormat::svg:
      return std::make_unique<SvgRendering>(options.doubt_below);
    case RenderFormat::dot:
      return std::make_unique<DotRendering>();
    case RenderFormat::json:
      return std::make_unique<JsonRendering>();
    case RenderFormat::html:
      return std::make_unique<HtmlRendering>(options.doubt_below);
    case RenderFormat::tree:
      break;
  }
  return std::make_unique<TreeRendering>(options);
}

}  // namespace copse
