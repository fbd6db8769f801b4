#pragma once

#include <memory>
#include <span>

#include "copse/parse.h"
#include "copse/parse_options.h"
#include "model/parser_model.h"

namespace copse {

// What is known about the tree of a sentence.
struct KnownArcs {
  std::span<const int> heads = {};  // empty, or n + 1 entries, kNoHead for a head that is not known
  AllowedLabels labels = {};        // as labels of the model
};

// Finds the trees of sentences. A workspace for one thread; the model is shared.
//
// Long sentences are parsed in pieces as if these were independent; log-probabilities and entropies are sums
// over the pieces then.
class SentenceParser {
 public:
  // Borrows the model.
  SentenceParser(const ParserModel& model, const ParseOptions& options);
  // With this source of potentials of the model, parts of which the caller may use, too.
  SentenceParser(const ParserModel& model, std::unique_ptr<PotentialSource> source,
                 const ParseOptions& options);
  ~SentenceParser();
  SentenceParser(SentenceParser&&) noexcept;
  SentenceParser& operator=(SentenceParser&&) noexcept;

  void set_options(const ParseOptions& options);

  // Reads sentences, which are borrowed; long ones need not be among them.
  void prepare(std::span<const Sentence* const> sentences, PreparedBatch& batch);
  // Overwrites `parse`. Reads forms, tags, lemmas and features of the sentence, not its heads. The trees have
  // the known heads, except for those beyond the end of a piece. Throws InfeasibleError where no tree has
  // them all. Known labels count where the model scores labels, and are left alone where it does not.
  void parse(PreparedSentence sentence, const KnownArcs& known, Parse& parse);
  // The same for a sentence by itself.
  void parse(const Sentence& sentence, const KnownArcs& known, Parse& parse);
  void parse(const Sentence& sentence, Parse& result) { parse(sentence, {}, result); }

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
