#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "copse/treebank/sentence_writer.h"
#include "io/output_file.h"

namespace copse {

// A token as it is written: a word, or several words that are one in the text.
struct SurfaceToken {
  int first;  // of its words
  int last;
  std::string_view form;    // in the sentence's row
  std::string space_after;  // exactly, as far as the sentence says it
};

// The tokens of a sentence and the space between them: by `# text` where that fits the forms, else by
// SpaceAfter=No and SpacesAfter in MISC. Sentences that have none of these, in scripts that are written
// without spaces (such as Chinese), have space only between letters and digits of other scripts.
std::vector<SurfaceToken> surface_tokens(const Sentence& sentence);

// A sentence as text, without space at its ends.
std::string surface_text(const Sentence& sentence);

// Whether a sentence begins a paragraph or a document.
bool begins_paragraph(const Sentence& sentence);

// White space in MISC: \s \t \n \r, and \p for |, \\ for a backslash, \0 for NUL.
std::string escape_space(std::string_view space);
std::string unescape_space(std::string_view text);

// Puts sentences together to running text, as a Segmenter gets it: spaces between sentences, and empty
// lines between paragraphs, unless MISC says more.
class RunningText {
 public:
  // Appends the space after the sentence before, and the sentence.
  void add(const Sentence& sentence, std::string& text);
  // After the last sentence: how the text ends. The next sentence begins another text.
  void finish(std::string& text);

  // Of the sentence that was added last.
  std::span<const SurfaceToken> tokens() const { return tokens_; }
  std::span<const std::size_t> starts() const { return starts_; }  // of the tokens, in the text

 private:
  bool is_first_ = true;
  std::vector<SurfaceToken> tokens_;
  std::vector<std::size_t> starts_;
  std::string space_;  // after the last sentence
};

// Writes nothing but the running text of sentences.
class TextWriter : public SentenceWriter {
 public:
  // A file appears at `path` when close() is called, and not before; "-" is the standard output.
  explicit TextWriter(const std::string& path);
  // Appends to `text`, which must outlive the writer.
  static TextWriter to_text(std::string& text) { return TextWriter(&text); }

  void write(const Sentence& sentence) override;
  void flush() override;
  void close() override;

 private:
  explicit TextWriter(std::string* text) : text_(text) {}
  void write_buffer();

  std::unique_ptr<OutputFile> file_;
  std::string* text_ = nullptr;  // where there is no file
  std::string buffer_;
  RunningText running_;
};

}  // namespace copse
