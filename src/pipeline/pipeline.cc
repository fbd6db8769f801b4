#include "copse/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "labelling/labeller.h"
#include "parsing/known_heads.h"
#include "parsing/sentence_parser.h"
#include "parsing/sentence_pieces.h"
#include "pipeline/model_components.h"
#include "segmentation/segmenter.h"
#include "tagging/tagger.h"
#include "treebank/pseudo_projective.h"

namespace copse {
namespace {

bool has_tag(const Token& word) { return word.upos() != "_" || word.xpos() != "_"; }

// Words that have a label in the input keep it.
void keep_labels(const Sentence& given, ParsedTree& tree) {
  const bool has_labels = std::any_of(given.words().begin(), given.words().end(),
                                      [](const Token& word) { return word.deprel() != "_"; });
  if (!has_labels) return;
  if (tree.labels.empty()) tree.labels.assign(tree.heads.size(), "_");
  for (std::size_t word = 1; word < tree.heads.size(); ++word) {
    const std::string_view label = given[static_cast<int>(word)].deprel();
    if (label == "_") continue;
    tree.labels[word] = label;
    if (!tree.label_probabilities.empty()) tree.label_probabilities[word] = 1.0;
  }
}

void apply_confidence_threshold(double least, LowConfidence treatment, ParsedTree& tree) {
  if (treatment == LowConfidence::mark) tree.is_uncertain.assign(tree.heads.size(), false);
  for (std::size_t word = 1; word < tree.heads.size(); ++word) {
    const double head = tree.head_probabilities[word];
    const double both = tree.label_probabilities.empty() ? head : head * tree.label_probabilities[word];
    if (both >= least) continue;
    if (treatment == LowConfidence::mark) {
      tree.is_uncertain[word] = true;
      continue;
    }
    if (!tree.labels.empty()) tree.labels[word] = "_";
    if (head < least) tree.heads[word] = kNoHead;
  }
}

std::string conflict_message(const std::vector<int>& words) {
  constexpr std::size_t kMostNamed = 8;
  std::string list;
  for (std::size_t k = 0; k < std::min(words.size(), kMostNamed); ++k) {
    list += fmt::format("{}{}", k == 0 ? "" : ", ", words[k]);
  }
  if (words.size() > kMostNamed) list += ", ...";
  return fmt::format("no tree of the model has all known heads; {} {} would have to lose {}",
                     words.size() == 1 ? "word" : "words", list,
                     words.size() == 1 ? "its head" : "their heads");
}

}  // namespace

class Pipeline::Impl {
 public:
  Impl(Model model, const ParseOptions& options)
      : model_(std::move(model)), options_(options), parser_(components().parser, options) {
    if (components().tagger && options.tags != TagUse::never) tagger_.emplace(*components().tagger);
    // Of pseudo-projective trees, the labels are needed even if nobody wants to see them.
    if (components().labeller && (options.labels || components().is_pseudo_projective)) {
      labeller_.emplace(*components().labeller);
    }
  }

  const ModelComponents& components() const { return model_.components(); }

  void parse(Sentence& sentence, Parse& parse) {
    parse.dropped_heads.clear();
    parse.untagged_words = 0;
    if (options_.keep_known) {
      known_.assign(sentence, components().parser.trees(), piece_ends(sentence, options_));
    }
    tag(sentence, parse);
    const bool is_constrained = options_.keep_known && !known_.empty();
    parser_.parse(sentence, is_constrained ? known_.compatible() : std::span<const int>(), parse);
    for (ParsedTree& tree : parse.trees) {
      label(sentence, tree);
      if (components().is_pseudo_projective) pseudo_projective_decode(tree.heads, tree.labels);
      if (!options_.labels) {
        tree.labels.clear();
        tree.label_probabilities.clear();
      }
      if (is_constrained) restore_known_heads(tree, parse);
      if (options_.keep_known) keep_labels(sentence, tree);
      if (options_.min_confidence) {
        apply_confidence_threshold(*options_.min_confidence, options_.low_confidence, tree);
      }
    }
  }

 private:
  void tag(Sentence& sentence, Parse& parse) {
    if (tagger_ && options_.tags == TagUse::always) return tagger_->tag(sentence);
    if (tagger_) return tagger_->tag_missing(sentence);
    if (!components().needs_tags()) return;
    parse.untagged_words = static_cast<int>(std::count_if(sentence.words().begin(), sentence.words().end(),
                                                          [](const Token& word) { return !has_tag(word); }));
  }

  void label(const Sentence& sentence, ParsedTree& tree) {
    if (!labeller_) return;
    const bool wants_probabilities = !tree.head_probabilities.empty();
    labeller_->label(sentence, tree.heads, tree.labels,
                     wants_probabilities ? &tree.label_probabilities : nullptr);
  }

  void restore_known_heads(ParsedTree& tree, Parse& parse) {
    TreeSpace trees = components().parser.trees();
    if (components().is_pseudo_projective) trees.kind = TreeKind::nonprojective;
    const std::vector<int> before = tree.heads;
    known_.restore(trees, tree.heads, dropped_);
    if (!dropped_.empty() && !options_.drop_conflicts) throw InfeasibleError(conflict_message(dropped_));
    if (&tree == &parse.trees.front()) parse.dropped_heads = dropped_;
    if (tree.head_probabilities.empty()) return;
    for (std::size_t word = 1; word < before.size(); ++word) {
      if (tree.heads[word] != before[word]) tree.head_probabilities[word] = 1.0;
    }
  }

  Model model_;
  ParseOptions options_;
  std::optional<Tagger> tagger_;
  SentenceParser parser_;
  std::optional<Labeller> labeller_;
  KnownHeads known_;
  std::vector<int> dropped_;
};

Pipeline::Pipeline(Model model, const ParseOptions& options)
    : impl_(std::make_unique<Impl>(std::move(model), options)) {}
Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;

void Pipeline::parse(Sentence& sentence, Parse& parse) { impl_->parse(sentence, parse); }

ParsedSentence Pipeline::parse_sentence(Sentence sentence) {
  ParsedSentence parsed{std::move(sentence), {}};
  parse(parsed.sentence, parsed.parse);
  write_columns(parsed.parse, 0, parsed.sentence);
  return parsed;
}

ParsedSentence Pipeline::parse_words(std::span<const std::string> words) {
  Sentence sentence;
  for (const std::string& word : words) sentence.add_word(word);
  return parse_sentence(std::move(sentence));
}

std::vector<ParsedSentence> Pipeline::parse_text(std::string_view text) {
  std::vector<ParsedSentence> parsed;
  for (Sentence& sentence : segment_text(*impl_->components().segmenter, text)) {
    parsed.push_back(parse_sentence(std::move(sentence)));
  }
  return parsed;
}

}  // namespace copse
