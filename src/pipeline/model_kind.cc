#include "pipeline/model_kind.h"

#include "copse/error.h"
#include "labelling/labeller_model.h"
#include "network/pretrained_encoder.h"
#include "segmentation/segmenter_model.h"
#include "tagging/tagger_model.h"
#include "vectors/word_vectors.h"

namespace copse {
namespace {

constexpr std::string_view kParserSection = "settings";

bool has_part(const SectionFile& file, std::string_view part) {
  if (part == "parser") return file.has(kParserSection);
  if (part == "tagger") return TaggerModel::is_in(file);
  if (part == "segmenter") return SegmenterModel::is_in(file);
  return LabellerModel::is_in(file);
}

std::string how_to_get(std::string_view part) {
  if (part == "parser") return "`copse train` makes one";
  if (part == "tagger") return "`copse tag --train` makes one";
  if (part == "segmenter") return "`copse segment --train` makes one";
  return "`copse train --labels two-stage` makes one";
}

}  // namespace

ModelKind model_kind(const SectionFile& file) {
  if (file.has(kParserSection)) return ModelKind::parser;
  if (TaggerModel::is_in(file)) return ModelKind::tagger;
  if (SegmenterModel::is_in(file)) return ModelKind::segmenter;
  if (PretrainedEncoder::is_in(file)) return ModelKind::encoder;
  if (WordVectors::is_in(file)) return ModelKind::vectors;
  return ModelKind::unknown;
}

std::string describe_kind(const SectionFile& file) {
  switch (model_kind(file)) {
    case ModelKind::parser:
      return "is a parser, which `copse parse` takes";
    case ModelKind::tagger:
      return "is a tagger, which `copse tag` takes";
    case ModelKind::segmenter:
      return "is a segmenter, which `copse segment` takes";
    case ModelKind::encoder:
      return "is an encoder, which `copse train --encoder` takes";
    case ModelKind::vectors:
      return "is a file of word vectors, which `copse train --vectors` takes";
    case ModelKind::unknown:
      break;
  }
  return "is a file of Copse, but no model that a command takes";
}

void expect_part(const SectionFile& file, std::string_view part) {
  if (has_part(file, part)) return;
  throw DataError(file.path() + ": " + describe_kind(file) + "; it has no " + std::string(part) + ": " +
                  how_to_get(part));
}

}  // namespace copse
