#include "sentence_output.h"

#include <fmt/format.h>

#include <optional>

#include "console.h"
#include "copse/treebank/conll.h"
#include "render/rendering.h"
#include "status_line.h"
#include "treebank_input.h"

namespace copse {
namespace {

// A file has no width, and colours only for who insists.
Canvas canvas_of(const std::string& path, const TerminalOptions& terminal) {
  Canvas canvas = canvas_for(terminal);
  if (path == "-") return canvas;
  canvas.columns = terminal.columns;
  canvas.colour = terminal.colour == "always";
  canvas.unicode = !terminal.ascii;
  return canvas;
}

}  // namespace

std::vector<std::string> sentence_format_names() {
  std::vector<std::string> names;
  for (const ConllFormat format : {ConllFormat::conllu, ConllFormat::conllx, ConllFormat::tab3}) {
    names.emplace_back(format_name(format));
  }
  names.insert(names.end(), kRenderFormatNames.begin(), kRenderFormatNames.end());
  return names;
}

void add_output_format(CLI::App& command, std::string& format) {
  command
      .add_option("--output-format", format,
                  "conllu, conllx, tab3, json, or a drawing: tree, svg, html, dot (docs/output.md)")
      ->check(CLI::IsMember(sentence_format_names()))
      ->option_text("NAME [as the input]");
}

void report_loss(std::string_view format, bool has_probabilities) {
  const bool has_place = format != "conllx" && format != "tab3";
  if (has_place || !has_probabilities) return;
  StatusLine().print(fmt::format(
      "copse: {} has no place for probabilities, which are left out; conllu and json have one", format));
}

SentenceOutput::SentenceOutput(const std::string& path, const std::string& format,
                               const TerminalOptions& terminal) {
  const bool is_standard_output = path == "-";
  if (const std::optional<RenderFormat> drawing = parse_render_format(format)) {
    DrawOptions options;
    options.canvas = canvas_of(path, terminal);
    std::unique_ptr<Rendering> rendering = make_rendering(*drawing, options);
    writer_ = std::make_unique<RenderedWriter>(is_standard_output
                                                   ? RenderedWriter::to_text(text_, std::move(rendering))
                                                   : RenderedWriter(path, std::move(rendering)));
    return;
  }
  const ConllFormat conll = conll_format(format);
  writer_ = std::make_unique<ConllWriter>(is_standard_output ? ConllWriter::to_text(text_, conll)
                                                             : ConllWriter(path, conll));
}

void SentenceOutput::emit() {
  if (text_.empty()) return;
  write_output(text_);
  text_.clear();
}

void SentenceOutput::close() {
  writer_->close();
  emit();
}

}  // namespace copse
