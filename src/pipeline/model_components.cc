#include "pipeline/model_components.h"

#include <algorithm>

#include "io/bytes.h"
#include "pipeline/model_kind.h"

namespace copse {
namespace {

constexpr std::string_view kPseudoProjective = "pseudo-projective";
constexpr std::string_view kTagUse = "settings/tags";

bool has_seen_tags(const SectionFile& file, const ParserModel& parser) {
  if (file.has(kTagUse)) {
    ByteReader use = file.reader(kTagUse);
    const bool result = use.u8() != 0;
    use.expect_end();
    return result;
  }
  // Files of 0.1 say so in words alone.
  return std::none_of(parser.facts().begin(), parser.facts().end(),
                      [](const auto& fact) { return fact.first == "tags" && fact.second == "none"; });
}

}  // namespace

const std::vector<std::string>* ModelComponents::labels() const {
  if (labeller) return &labeller->labels();
  if (const Network* network = parser.network()) {
    return network->description().labels.empty() ? nullptr : &network->description().labels;
  }
  return parser.labels() == nullptr ? nullptr : &parser.labels()->labels();
}

std::string ModelComponents::why_no_labelled_trees() const {
  if (labels() == nullptr) return "the model has no labels";
  if (labeller) {
    return "the model labels trees when they are found, and does not score trees and labels together, as "
           "networks and models of `copse train --labels joint` do";
  }
  if (is_pseudo_projective) {
    return "the labels of the model also say which arcs cross (`copse train --nonprojective pseudo`), so "
           "that "
           "several trees and labels can mean the same";
  }
  return {};
}

bool ModelComponents::needs_tags() const {
  if (const Network* network = parser.network()) return network->shape().tags_size() > 0;
  return has_seen_tags;
}

bool ModelComponents::has_pseudo_projective_labels(const SectionFile& file) {
  return file.has(kPseudoProjective);
}

ModelComponents ModelComponents::from_file(const SectionFile& file) {
  expect_part(file, "parser");
  ModelComponents model{ParserModel::from_file(file)};
  model.is_pseudo_projective = has_pseudo_projective_labels(file);
  model.has_seen_tags = copse::has_seen_tags(file, model.parser);
  model.settings = read_settings(file);
  if (SegmenterModel::is_in(file)) model.segmenter = SegmenterModel::from_file(file);
  if (TaggerModel::is_in(file)) model.tagger = TaggerModel::from_file(file);
  if (LabellerModel::is_in(file)) model.labeller = LabellerModel::from_file(file);
  if (LanguageProfile::is_in(file)) model.language = LanguageProfile::from_file(file);
  return model;
}

void ModelComponents::save(const std::string& path) const {
  SectionFileWriter file(path);
  parser.add_to(file);
  if (segmenter) segmenter->add_to(file);
  if (tagger) tagger->add_to(file);
  if (labeller) labeller->add_to(file);
  if (language) language->add_to(file);
  if (is_pseudo_projective) file.add(kPseudoProjective, std::string_view("1"));
  if (parser.network() == nullptr) {
    ByteWriter use;
    use.u8(has_seen_tags ? 1 : 0);
    file.add(kTagUse, use.take());
  }
  add_settings(file, settings);
  file.close();
}

std::size_t ModelComponents::bytes_beside_parser(const SectionFile& file) {
  std::size_t bytes = 0;
  for (const std::string_view name : file.names()) {
    const std::string_view component = name.substr(0, name.find('/'));
    if (component == "tagger" || component == "labeller" || component == "labels" ||
        component == "segmenter") {
      bytes += file.section(name).size();
    }
  }
  return bytes;
}

}  // namespace copse
