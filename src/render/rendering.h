#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "copse/treebank/sentence_writer.h"
#include "render/tree_drawing.h"

namespace copse {

// docs/output.md describes them.
enum class RenderFormat : uint8_t {
  tree,  // drawn with characters
  svg,   // arc diagrams, one below the other
  dot,   // for Graphviz, a graph per sentence
  json,  // a line per sentence
  html,  // a page of arc diagrams
};

// In the order of RenderFormat.
inline constexpr std::array<std::string_view, 5> kRenderFormatNames = {"tree", "svg", "dot", "json", "html"};

std::optional<RenderFormat> parse_render_format(std::string_view name);

// Turns sentences into a text in some format, part by part.
class Rendering {
 public:
  virtual ~Rendering() = default;
  // Appends to `out` what can be said already. Sentences must be trees or parts of trees, else
  // std::invalid_argument; DataError for a P= in MISC that is no probability.
  virtual void add(const Sentence& sentence, std::string& out) = 0;
  // Appends what is left to say after the last sentence.
  virtual void finish(std::string& out) = 0;
};

// `options` are for `tree`; doubt_below is for all that marks doubtful arcs.
std::unique_ptr<Rendering> make_rendering(RenderFormat format, const DrawOptions& options = {});

// Writes sentences in such a format.
class RenderedWriter : public SentenceWriter {
 public:
  // A file appears at `path` when close() is called, and not before; "-" is the standard output.
  RenderedWriter(const std::string& path, std::unique_ptr<Rendering> rendering);

  // Appends to `text`, which must outlive the writer.
  static RenderedWriter to_text(std::string& text, std::unique_ptr<Rendering> rendering);

  RenderedWriter(RenderedWriter&&) noexcept;
  RenderedWriter& operator=(RenderedWriter&&) noexcept;
  ~RenderedWriter() override;

  void write(const Sentence& sentence) override;
  void flush() override;
  void close() override;

 private:
  class Impl;
  explicit RenderedWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
