#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/parser_model.h"
#include "parsing/parser.h"
#include "parsing/sentence_analyser.h"

namespace copse {

enum class Decoder : std::uint8_t {
  best,  // the most probable tree
  mbr,   // minimum Bayes risk: the tree with the most right arcs to expect
};

struct ParseOptions {
  ParserOptions parser;
  Decoder decoder = Decoder::best;
  int kbest = 0;               // above 0: so many of the most probable trees, whatever the decoder
  bool probabilities = false;  // also write how probable arcs and trees are
  // Words that have a head keep it, and the rest of the tree is the best that goes with them: probabilities
  // are those given these heads. Where no tree has them all, InfeasibleError is thrown.
  bool keep_heads = false;
  // Longer sentences are parsed in pieces: what is longer is hardly one sentence, and time and memory of the
  // first-order pass grow with the cube and the square of the length.
  int max_whole_words = 600;
  // Of pieces. Up to here, sums over trees do without logarithms.
  int max_piece_words = 300;
};

// Turns sentences into parsed ones. A workspace for one thread; the model is shared.
//
// Of the words, HEAD is overwritten and so is DEPREL, by _ if the model has no labels. All else is kept. What
// was asked for is added:
//   probabilities  P=0.9321 in MISC, the probability of the word's arc; of a model with labels PDEPREL, that
//   of
//                  the label given the arc; the comments tree_log_probability, of the tree with its labels,
//                  if it has any, and tree_entropy, without them, both in nats
//   kbest          the comments kbest_rank and tree_probability; sent_id gets -k2, -k3 ... from the second
//                  tree on
// Only CoNLL-U has room for these additions, so with them other formats become CoNLL-U.
//
// A sentence without words comes back unchanged. Pieces of a long sentence are parsed as if they were
// independent; log-probabilities and entropies then are sums over the pieces.
class SentenceParser : public SentenceAnalyser {
 public:
  // Borrows the model.
  SentenceParser(const ParserModel& model, const ParseOptions& settings);
  ~SentenceParser() override;
  SentenceParser(SentenceParser&&) noexcept;
  SentenceParser& operator=(SentenceParser&&) noexcept;

  void parse(const Sentence& sentence, ParsedSentence& result) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
