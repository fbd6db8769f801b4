#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/io/section_file.h"
#include "copse/treebank/sentence.h"

namespace copse {

struct SegmenterModel;

// Everything that it takes to find sentences, tokens and words in text. Constant once made, and cheap to
// copy: threads share it.
class Segmenter {
 public:
  // What a reader of the file may want to know about its making, in order.
  using Facts = std::vector<std::pair<std::string, std::string>>;

  explicit Segmenter(SegmenterModel model, Facts facts = {});

  // Sections of a model file that begin with "segmenter/"; other sections may stand beside them. Loading
  // throws DataError for a file without a segmenter, and for sections that are damaged or of another version.
  static Segmenter load(const std::string& path) { return from_file(SectionFile::open(path)); }
  static Segmenter from_file(const SectionFile& file);
  static bool is_in(const SectionFile& file);
  void save(const std::string& path) const;
  void add_to(SectionFileWriter& file) const;

  const SegmenterModel& model() const { return *model_; }
  const Facts& facts() const { return facts_; }
  void add_fact(std::string key, std::string text) { facts_.emplace_back(std::move(key), std::move(text)); }

 private:
  std::shared_ptr<const SegmenterModel> model_;
  Facts facts_;
};

// Finds the sentences of a text that comes in pieces of any size. Memory is bounded, whatever comes. A
// workspace for one thread; the segmenter is shared.
//
// Empty lines (and those of spaces alone) end paragraphs, and so sentences; a paragraph is answered as soon
// as it has ended. Other line breaks are space like any other. The sentences have `# newpar`, `# text`,
// SpaceAfter=No where tokens are not separated, and SpacesAfter where they are by anything else than one
// space: TextWriter gives the text back, up to space at its end.
class TextSegmenter {
 public:
  using OnSentence = std::function<void(Sentence&&)>;

  // `name` stands for the text in messages.
  TextSegmenter(const Segmenter& segmenter, OnSentence on_sentence, std::string name = "<text>");
  ~TextSegmenter();
  TextSegmenter(TextSegmenter&&) noexcept;
  TextSegmenter& operator=(TextSegmenter&&) noexcept;

  // The next bytes. Throws DataError "name:line: ..." for what is not UTF-8; the object is of no use then.
  void add(std::string_view bytes);
  // After the last byte. What is added later is another text.
  void finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// The sentences of a text.
std::vector<Sentence> segment_text(const Segmenter& segmenter, std::string_view text,
                                   const std::string& name = "<text>");

}  // namespace copse
