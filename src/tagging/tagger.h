#pragma once

#include <memory>

#include "copse/treebank/sentence.h"
#include "tagging/tagger_model.h"

namespace copse {

struct TaggingOptions {
  // Also write how probable each value is, all things considered: PUPOS=0.9821, PXPOS, PFEATS and PLEMMA in
  // MISC. Only CoNLL-U has room for that, so other formats become CoNLL-U.
  bool probabilities = false;
};

// Tags sentences. A workspace for one thread; the tagger is shared.
class Tagger {
 public:
  explicit Tagger(const TaggerModel& tagger, const TaggingOptions& options = {});
  ~Tagger();
  Tagger(Tagger&&) noexcept;
  Tagger& operator=(Tagger&&) noexcept;

  // Overwrites the columns that the tagger knows; reads nothing but the forms, and keeps all else.
  void tag(Sentence& sentence);
  // The same for words that lack UPOS or XPOS, if the tagger knows these columns: they get what they lack of
  // all columns. What is given stays, and later layers of the tagger go by it.
  void tag_missing(Sentence& sentence);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
