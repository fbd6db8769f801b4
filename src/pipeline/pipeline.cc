#include "pipeline/pipeline.h"

#include <algorithm>

#include "treebank/head_probability.h"
#include "treebank/misc_probability.h"
#include "treebank/pseudo_projective.h"

namespace copse {
namespace {

constexpr std::string_view kPseudoProjective = "pseudo-projective";
constexpr std::string_view kDoubtful = "Doubtful=Yes";

// Words with a head that the input has given keep the label that came with it.
void keep_labels(const Sentence& given, Sentence& tree, bool writes_probabilities) {
  for (int word = 1; word <= tree.size(); ++word) {
    if (given[word].head() == kNoHead || given[word].deprel() == "_") continue;
    tree[word].set_deprel(given[word].deprel());
    if (writes_probabilities) set_misc_probability(tree[word], kLabelProbabilityKey, 1.0);
  }
}

void mark(Token& word) {
  if (word.misc().find(kDoubtful) != std::string_view::npos) return;
  word.set_misc(word.misc() == "_" ? std::string(kDoubtful)
                                   : std::string(word.misc()) + "|" + std::string(kDoubtful));
}

void treat_doubts(Sentence& tree, double least, Doubt doubt) {
  for (Token& word : tree.words()) {
    const double head = head_probability(word).value_or(1.0);
    const double both = head * label_probability(word).value_or(1.0);
    if (both >= least) continue;
    if (doubt == Doubt::mark) {
      mark(word);
      continue;
    }
    word.set_deprel("_");
    if (head < least) word.set_head(kNoHead);
  }
}

}  // namespace

const std::vector<std::string>* Model::labels() const {
  if (labeller) return &labeller->labels();
  return parser.labels() == nullptr ? nullptr : &parser.labels()->labels();
}

Model Model::from_file(const SectionFile& file) {
  Model pipeline{ParserModel::from_file(file)};
  pipeline.is_pseudo_projective = file.has(kPseudoProjective);
  if (SegmenterModel::is_in(file)) pipeline.segmenter = SegmenterModel::from_file(file);
  if (TaggerModel::is_in(file)) pipeline.tagger = TaggerModel::from_file(file);
  if (LabellerModel::is_in(file)) pipeline.labeller = LabellerModel::from_file(file);
  return pipeline;
}

void Model::save(const std::string& path) const {
  SectionFileWriter file(path);
  parser.add_to(file);
  if (segmenter) segmenter->add_to(file);
  if (tagger) tagger->add_to(file);
  if (labeller) labeller->add_to(file);
  if (is_pseudo_projective) file.add(kPseudoProjective, std::string_view("1"));
  file.close();
}

std::size_t Model::bytes_beside_parser(const SectionFile& file) {
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

Pipeline::Pipeline(const Model& pipeline, const PipelineOptions& settings)
    : settings_(settings),
      is_pseudo_projective_(pipeline.is_pseudo_projective),
      parser_(pipeline.parser, settings.parse) {
  if (pipeline.tagger && settings.tags != TagUse::never) tagger_.emplace(*pipeline.tagger);
  // Of pseudo-projective trees, the labels are needed even if nobody wants to see them.
  if (pipeline.labeller && (settings.labels || is_pseudo_projective_)) {
    labeller_.emplace(*pipeline.labeller, LabellingOptions{settings.parse.probabilities});
  }
}

bool Pipeline::needs_tags(const Sentence& sentence) const {
  if (!tagger_ || settings_.tags == TagUse::always) return tagger_.has_value();
  return std::all_of(sentence.words().begin(), sentence.words().end(),
                     [](const Token& word) { return word.upos() == "_" && word.xpos() == "_"; });
}

void Pipeline::parse(const Sentence& sentence, ParsedSentence& result) {
  const bool tags = needs_tags(sentence);
  if (tags) {
    tagged_ = sentence;
    tagger_->tag(tagged_);
  }
  parser_.parse(tags ? tagged_ : sentence, result);
  for (Sentence& tree : result.trees) {
    if (labeller_) labeller_->label(tree);
    if (is_pseudo_projective_) pseudo_projective_decode(tree);
    if (!settings_.labels) {
      for (Token& word : tree.words()) word.set_deprel("_");
    }
    if (settings_.parse.keep_heads) keep_labels(sentence, tree, settings_.parse.probabilities);
    if (settings_.min_confidence) treat_doubts(tree, *settings_.min_confidence, settings_.doubt);
  }
}

AnalyserFactory make_analysers(const Model& pipeline, const PipelineOptions& settings) {
  return [&pipeline, settings] { return std::make_unique<Pipeline>(pipeline, settings); };
}

}  // namespace copse
