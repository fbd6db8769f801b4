#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "copse/model.h"
#include "copse/treebank/sentence_reader.h"
#include "io/byte_source.h"
#include "language/language_guesser.h"
#include "segmentation/segmenter.h"

namespace copse {

// The sentences of a text in several languages: each paragraph is cut into sentences and words by the model
// whose language it is likest to. Paragraphs with too few letters go with the one before. The first sentence
// of each says which language that is: `# language = Portuguese`.
class LanguageReader : public SentenceReader {
 public:
  // The model of a language, by its place among the languages. It needs a segmenter.
  using ModelOf = std::function<const Model&(std::size_t language)>;

  // Borrows the languages, of which there is one at least. `name` stands for the text in messages.
  LanguageReader(std::unique_ptr<ByteSource> source, std::span<const KnownLanguage> languages,
                 ModelOf model_of, std::string name, const TextOptions& options = {});

  bool next(Sentence& sentence) override;
  // Of the sentence that came last.
  std::size_t language() const { return language_; }

 private:
  struct Found {
    Sentence sentence;
    std::size_t language;
  };

  bool read_more();
  void add_paragraph(std::string_view paragraph);
  Segmenter& segmenter(std::size_t language);

  std::unique_ptr<ByteSource> source_;
  std::span<const KnownLanguage> languages_;
  ModelOf model_of_;
  std::string name_;
  TextOptions options_;
  std::string text_;  // that has not been dealt with
  std::size_t lines_ = 0;
  std::map<std::size_t, Segmenter> segmenters_;
  std::deque<Found> sentences_;
  std::size_t paragraph_language_ = 0;
  bool begins_paragraph_ = true;
  bool is_at_end_ = false;
  std::size_t language_ = 0;
};

}  // namespace copse
