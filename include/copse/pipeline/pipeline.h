#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "copse/labelling/labeller.h"
#include "copse/model/model.h"
#include "copse/parsing/sentence_parser.h"
#include "copse/segmentation/segmenter.h"
#include "copse/tagging/tagger.h"

namespace copse {

// Everything from text to labelled trees, in one file. Constant once made: threads share it.
struct Pipeline {
  Model parser;
  std::optional<Segmenter> segmenter = {};
  std::optional<Tagger> tagger = {};
  std::optional<Labeller> labeller = {};
  // The trees are pseudo-projective ones: what their labels say about arcs that cross is carried out.
  bool is_pseudo_projective = false;

  // The names of labels, by whichever component; null if there is none.
  const std::vector<std::string>* labels() const;

  // Throws DataError for a file that is not a model, damaged, or of a newer version.
  static Pipeline load(const std::string& path) { return from_file(SectionFile::open(path)); }
  static Pipeline from_file(const SectionFile& file);
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

struct PipelineSettings {
  ParseSettings parse;
  TagUse tags = TagUse::when_missing;
  bool labels = true;
  // Labels of words whose head is kept are kept, too (see ParseSettings::keep_heads).
  // The least probability of a head, and of head and label together, that counts as certain. Needs
  // ParseSettings::probabilities.
  std::optional<double> min_confidence;
  Doubt doubt = Doubt::open;
};

// Tags, parses and labels sentences. A workspace for one thread; the pipeline is shared.
//
// To what SentenceParser does it adds: tags, where they are asked for; DEPREL; with probabilities PDEPREL in
// MISC, the probability of the label given the tree.
class SentencePipeline : public SentenceAnalyser {
 public:
  // Borrows the pipeline.
  SentencePipeline(const Pipeline& pipeline, const PipelineSettings& settings);

  void parse(const Sentence& sentence, ParsedSentence& result) override;

 private:
  bool needs_tags(const Sentence& sentence) const;

  PipelineSettings settings_;
  bool is_pseudo_projective_;
  std::optional<SentenceTagger> tagger_;
  SentenceParser parser_;
  std::optional<SentenceLabeller> labeller_;
  Sentence tagged_;
};

// Makes one for each thread; borrows the pipeline.
AnalyserFactory make_analysers(const Pipeline& pipeline, const PipelineSettings& settings);

}  // namespace copse
