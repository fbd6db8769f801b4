#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/section_file.h"
#include "labelling/labeller_model.h"
#include "language/language_profile.h"
#include "model/parser_model.h"
#include "pipeline/component.h"
#include "pipeline/model_settings.h"
#include "segmentation/segmenter_model.h"
#include "tagging/tagger_model.h"

namespace copse {

// What the file of a model holds. Constant once made: threads share it.
struct ModelComponents {
  ParserModel parser;
  Component<SegmenterModel> segmenter = {};
  Component<TaggerModel> tagger = {};
  Component<LabellerModel> labeller = {};
  // The trees are pseudo-projective ones: what their labels say about arcs that cross is carried out.
  bool is_pseudo_projective = false;
  // Whether the words that a parser with hashed features has learnt from had tags.
  bool has_seen_tags = true;
  // The profile of the language of the training text; none if the model has not learned from enough text.
  std::optional<LanguageProfile> language = {};
  // What the model was made with; none for files of 0.1.
  ModelSettings settings = {};

  // The names of labels, by whichever component; null if there is none.
  const std::vector<std::string>* labels() const;
  // Why the model does not say how probable trees and labels are together, so that there are no k best
  // labelled trees; empty if it does.
  std::string why_no_labelled_trees() const;
  // Whether the parser has learnt from words with tags.
  bool needs_tags() const;

  // Throws DataError for a file that is not a model, damaged, or of a newer version.
  static ModelComponents load(const std::string& path) { return from_file(SectionFile::open(path)); }
  static ModelComponents from_file(const SectionFile& file);
  void save(const std::string& path) const;

  // Whether the labels of a file say which arcs were lifted.
  static bool has_pseudo_projective_labels(const SectionFile& file);
  // What a model file needs for all but the parser.
  static std::size_t bytes_beside_parser(const SectionFile& file);
};

}  // namespace copse
