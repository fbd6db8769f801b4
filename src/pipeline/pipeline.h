#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "labelling/labeller.h"
#include "model/parser_model.h"
#include "parsing/sentence_parser.h"
#include "segmentation/segmenter_model.h"
#include "tagging/tagger.h"

namespace copse {

// Everything from text to labelled trees, in one file. Constant once made: threads share it.
struct Model {
  ParserModel parser;
  std::optional<SegmenterModel> segmenter = {};
  std::optional<TaggerModel> tagger = {};
  std::optional<LabellerModel> labeller = {};
  // The trees are pseudo-projective ones: what their labels say about arcs that cross is carried out.
  bool is_pseudo_projective = false;

  // The names of labels, by whichever component; null if there is none.
  const std::vector<std::string>* labels() const;

  // Throws DataError for a file that is not a model, damaged, or of a newer version.
  static Model load(const std::string& path) { return from_file(SectionFile::open(path)); }
  static Model from_file(const SectionFile& file);
  void save(const std::string& path) const;

  // What a model file needs for all but the parser.
  static std::size_t bytes_beside_parser(const SectionFile& file);
};

enum class TagUse : std::uint8_t {
  when_missing,  // sentences in which no word has a tag are tagged, if there is a tagger
  always,
  never,
};

// What happens to arcs that are less probable than asked for.
enum class Doubt : std::uint8_t {
  open,  // HEAD and DEPREL become _
  mark,  // Doubtful=Yes in MISC
};

struct PipelineOptions {
  ParseOptions parse;
  TagUse tags = TagUse::when_missing;
  bool labels = true;
  // Labels of words whose head is kept are kept, too (see ParseOptions::keep_heads).
  // The least probability of a head, and of head and label together, that counts as certain. Needs
  // ParseOptions::probabilities.
  std::optional<double> min_confidence;
  Doubt doubt = Doubt::open;
};

// Tags, parses and labels sentences. A workspace for one thread; the pipeline is shared.
//
// To what SentenceParser does it adds: tags, where they are asked for; DEPREL; with probabilities PDEPREL in
// MISC, the probability of the label given the tree.
class Pipeline : public SentenceAnalyser {
 public:
  // Borrows the pipeline.
  Pipeline(const Model& pipeline, const PipelineOptions& settings);

  void parse(const Sentence& sentence, ParsedSentence& result) override;

 private:
  bool needs_tags(const Sentence& sentence) const;

  PipelineOptions settings_;
  bool is_pseudo_projective_;
  std::optional<Tagger> tagger_;
  SentenceParser parser_;
  std::optional<Labeller> labeller_;
  Sentence tagged_;
};

// Makes one for each thread; borrows the pipeline.
AnalyserFactory make_analysers(const Model& pipeline, const PipelineOptions& settings);

}  // namespace copse
