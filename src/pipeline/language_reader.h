#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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
// whose language it is likest to. Paragraphs with too few letters go with the one before; at the beginning of
// the text, with the first one that tells its language. The first sentence of each says which language that
// is: `# language = Portuguese`.
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
  // `is_whole`: this is the rest of the paragraph, at least.
  void add_text(std::string_view text, bool is_whole);
  void add_waiting(std::size_t language);
  std::optional<std::size_t> likest_of(std::string_view text) const;
  Segmenter& segmenter(std::size_t language);

  std::unique_ptr<ByteSource> source_;
  std::span<const KnownLanguage> languages_;
  ModelOf model_of_;
  std::string name_;
  TextOptions options_;
  std::string text_;     // that has not been dealt with
  std::string waiting_;  // paragraphs at the beginning that do not tell their language
  std::size_t lines_ = 0;
  std::map<std::size_t, Segmenter> segmenters_;
  std::deque<Found> sentences_;
  std::optional<std::size_t> paragraph_language_;  // none before a paragraph has told one
  bool is_in_paragraph_ = false;                   // that was too long to be read at once
  bool is_at_end_ = false;
  std::size_t language_ = 0;
};

}  // namespace copse
