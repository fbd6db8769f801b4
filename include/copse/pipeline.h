#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model.h"
#include "copse/parse.h"
#include "copse/parse_options.h"
#include "copse/text_options.h"
#include "copse/treebank/sentence.h"

namespace copse {

// Tags, parses and labels. A workspace for one thread; the model is shared.
class Pipeline {
 public:
  explicit Pipeline(Model model, const ParseOptions& options = {});
  ~Pipeline();
  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline&&) noexcept;

  // From now on. Cheap: what has been allocated is used again. The device stays what it was.
  void set_options(const ParseOptions& options);

  // The sentences of a text. Throws DataError if the text is not UTF-8 or the model has no segmenter.
  std::vector<ParsedSentence> parse_text(std::string_view text, const TextOptions& options = {});
  // A sentence that is cut into words.
  ParsedSentence parse_words(std::span<const std::string> words);
  // A sentence, which keeps all columns but those that are predicted: tags, where they are missing, and what
  // write_columns() writes.
  ParsedSentence parse_sentence(Sentence sentence);

  // The parts of the above: sets the tags of the sentence, and says what trees it has; no other column is
  // written. Overwrites `parse`, whose memory is used again.
  void parse(Sentence& sentence, Parse& parse);

  // The same in two steps, for many sentences at a time: models with a network are several times as quick so,
  // and the results are the same. First all of them, which must not change until each has been parsed, in any
  // order, by its number.
  void prepare(std::span<Sentence* const> sentences);
  void parse_prepared(std::size_t number, Parse& parse);

  // Tags alone, of many sentences at a time, as the options say; trees are left as they are. Throws DataError
  // if the model has no tagger.
  void tag(std::span<Sentence* const> sentences);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
