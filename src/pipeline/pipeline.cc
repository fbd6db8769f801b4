#include "copse/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "labelling/labeller.h"
#include "model/network_potentials.h"
#include "parallel/interruption.h"
#include "parsing/known_heads.h"
#include "parsing/known_labels.h"
#include "parsing/sentence_parser.h"
#include "parsing/sentence_pieces.h"
#include "pipeline/batch_reader.h"
#include "pipeline/model_components.h"
#include "segmentation/segmenter.h"
#include "tagging/tagger.h"
#include "treebank/misc_probability.h"
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

void keep_labels_of_alternatives(const Sentence& given, Parse& parse) {
  for (std::size_t word = 1; word < parse.alternatives.size(); ++word) {
    const std::string_view label = given[static_cast<int>(word)].deprel();
    if (label == "_") continue;
    for (HeadAlternative& alternative : parse.alternatives[word]) {
      if (alternative.label.empty()) continue;  // the model does not label them
      alternative.label = label;
      alternative.label_probability = 1.0;
    }
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
      : model_(std::move(model)),
        options_(options),
        pass_(make_pass(components().parser, options.device)),
        parser_(components().parser, make_potentials(components().parser), options),
        reader_(parser_) {
    if (const std::vector<std::string>* names = components().labels()) {
      known_labels_.emplace(*names, components().is_pseudo_projective);
    }
    set_up_stages();
  }

  void set_options(const ParseOptions& options) {
    const Device device = options_.device;
    options_ = options;
    options_.device = device;
    parser_.set_options(options_);
    set_up_stages();
  }

  const ModelComponents& components() const { return model_.components(); }

  void prepare(std::span<Sentence* const> sentences) {
    sentences_.assign(sentences.begin(), sentences.end());
    if (has_tagger()) {
      for (Sentence* sentence : sentences_) {
        interruption_point();
        tag_by_tagger(*sentence);
      }
    }
    reader_.assign(sentences_, options_);
  }

  void parse_prepared(std::size_t number, Parse& parse) {
    Sentence& sentence = *sentences_[number];
    const PreparedSentence prepared = reader_.read(number);
    count_untagged(sentence, parse);
    parse.dropped_heads.clear();
    if (options_.keep_known) {
      known_.assign(sentence, components().parser.trees(), piece_ends(sentence, options_));
      if (known_labels_) known_labels_->assign(sentence);
    }
    const bool is_constrained = options_.keep_known && !known_.empty();
    KnownArcs known;
    if (is_constrained) known.heads = known_.compatible();
    if (!components().labeller) known.labels = given_labels();
    // Before the trees, for those of pieces may depend on tags.
    if (tags_by_network()) tag_by_network(prepared, sentence);
    parser_.parse(prepared, known, parse);
    for (ParsedTree& tree : parse.trees) {
      complete_tree(prepared, is_constrained, parse, tree);
      if (options_.min_confidence) {
        apply_confidence_threshold(*options_.min_confidence, options_.low_confidence, tree);
      }
    }
    for (ParsedTree& tree : parse.samples) complete_tree(prepared, is_constrained, parse, tree);
    label_alternatives(prepared, parse);
    if (options_.keep_known && options_.labels) keep_labels_of_alternatives(sentence, parse);
  }

  void tag(std::span<Sentence* const> sentences) {
    if (!model_.has_tagger()) (void)*components().tagger;  // throws
    if (!tags()) return;
    if (!tags_by_network()) {
      for (Sentence* sentence : sentences) tag_by_tagger(*sentence);
      return;
    }
    prepare(sentences);
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      tag_by_network(reader_.read(k), *sentences[k]);
    }
  }

  void parse(Sentence& sentence, Parse& parse) {
    Sentence* const pointer = &sentence;
    prepare({&pointer, 1});
    parse_prepared(0, parse);
  }

 private:
  static std::unique_ptr<NetworkPass> make_pass(const ParserModel& model, Device device) {
    if (model.network() != nullptr) return std::make_unique<NetworkPass>(*model.network(), device);
    if (device == Device::cpu) return nullptr;
    throw DataError("models with hashed features work on processors only; use the device cpu");
  }
  // Of a network, one that shares the pass with tags and labels.
  std::unique_ptr<PotentialSource> make_potentials(const ParserModel& model) const {
    if (pass_) return std::make_unique<NetworkPotentials>(*pass_, &model.root_labels());
    return model.make_potentials();
  }
  // None where trees come with labels, or the model has none.
  std::unique_ptr<TreeLabeller> make_labeller() const {
    if (components().labeller) return std::make_unique<Labeller>(*components().labeller);
    if (!pass_ || components().labels() == nullptr) return nullptr;
    return std::make_unique<NetworkLabels>(*pass_, components().parser.root_labels());
  }

  void set_up_stages() {
    if (options_.kbest > 0 && options_.kbest_labels) {
      const std::string why_not = components().why_no_labelled_trees();
      if (!why_not.empty()) throw DataError("no k best labelled trees: " + why_not);
    }
    if (components().tagger && !tagger_ && tags()) tagger_.emplace(*components().tagger);
    if (!labeller_ && wants_labels()) labeller_ = make_labeller();
  }
  bool tags() const { return options_.tags != TagUse::never; }
  bool has_tagger() const { return tagger_ && tags(); }
  bool tags_by_network() const { return pass_ && tags() && !pass_->network().description().tags.empty(); }
  // Of pseudo-projective trees, the labels are needed even if they are not shown.
  bool wants_labels() const { return options_.labels || components().is_pseudo_projective; }

  // What the input says about labels, as those of the model; of a labeller, they say nothing about heads.
  AllowedLabels given_labels() const {
    return options_.keep_known && known_labels_ ? known_labels_->lists() : AllowedLabels();
  }

  // Of a tree whose heads the parser has found: labels, and what is known.
  void complete_tree(PreparedSentence sentence, bool is_constrained, Parse& parse, ParsedTree& tree) {
    interruption_point();
    if (labeller_ && wants_labels()) label(sentence, tree);
    if (components().is_pseudo_projective) pseudo_projective_decode(tree.heads, tree.labels);
    if (!options_.labels) {
      tree.labels.clear();
      tree.label_probabilities.clear();
    }
    if (is_constrained) restore_known_heads(tree, parse);
    if (options_.keep_known) keep_labels(sentence.sentence(), tree);
  }

  // Of labelled trees, no more than what they lack: labels of arcs from one piece to another.
  void label(PreparedSentence sentence, ParsedTree& tree) {
    const bool has_probabilities = !tree.head_probabilities.empty();
    if (tree.labels.empty()) {
      return labeller_->label(sentence, tree.heads, given_labels(), tree.labels,
                              has_probabilities ? &tree.label_probabilities : nullptr);
    }
    labeller_->label(sentence, tree.heads, given_labels(), labels_,
                     has_probabilities ? &label_probabilities_ : nullptr);
    for (std::size_t word = 0; word < tree.heads.size(); ++word) {
      if (tree.labels[word] != "_") continue;
      tree.labels[word] = labels_[word];
      if (has_probabilities) tree.label_probabilities[word] = label_probabilities_[word];
    }
  }

  // First those of all words' most probable heads, then those of the next ones.
  void label_alternatives(PreparedSentence sentence, Parse& parse) {
    if (!labeller_ || !labeller_->labels_arcs_alone()) return;
    if (!options_.labels || components().is_pseudo_projective || parse.trees.empty()) return;
    // The arcs of the best tree have theirs already, if with probabilities.
    const ParsedTree& best = parse.best();
    const bool are_known = !best.label_probabilities.empty();
    std::size_t ranks = 0;
    for (const auto& heads : parse.alternatives) ranks = std::max(ranks, heads.size());
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      bool is_any = false;
      alternative_heads_.assign(parse.alternatives.size(), kNoHead);
      for (std::size_t word = 1; word < parse.alternatives.size(); ++word) {
        if (rank >= parse.alternatives[word].size()) continue;
        HeadAlternative& alternative = parse.alternatives[word][rank];
        if (are_known && alternative.head == best.heads[word]) {
          alternative.label = best.labels[word];
          alternative.label_probability = best.label_probabilities[word];
          continue;
        }
        alternative_heads_[word] = alternative.head;
        is_any = true;
      }
      if (!is_any) continue;
      labeller_->label(sentence, alternative_heads_, given_labels(), labels_, &label_probabilities_);
      for (std::size_t word = 1; word < parse.alternatives.size(); ++word) {
        if (alternative_heads_[word] == kNoHead) continue;
        parse.alternatives[word][rank].label = labels_[word];
        parse.alternatives[word][rank].label_probability = label_probabilities_[word];
      }
    }
  }

  void tag_by_network(PreparedSentence prepared, Sentence& sentence) {
    if (sentence.empty()) return;
    if (options_.tag_probabilities) make_conllu(sentence);
    const bool tags_all = options_.tags == TagUse::always;
    pass_->set_tags(prepared.roles(), tags_all ? NetworkPass::Which::all : NetworkPass::Which::missing,
                    options_.tag_probabilities, sentence);
  }

  void tag_by_tagger(Sentence& sentence) {
    if (options_.tags == TagUse::always) return tagger_->tag(sentence);
    tagger_->tag_missing(sentence);
  }

  void count_untagged(const Sentence& sentence, Parse& parse) const {
    parse.untagged_words = 0;
    if (has_tagger() || !components().needs_tags()) return;
    parse.untagged_words = static_cast<int>(std::count_if(sentence.words().begin(), sentence.words().end(),
                                                          [](const Token& word) { return !has_tag(word); }));
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
  std::unique_ptr<NetworkPass> pass_;  // of models with a network
  SentenceParser parser_;
  BatchReader reader_;
  std::unique_ptr<TreeLabeller> labeller_;
  std::vector<Sentence*> sentences_;
  KnownHeads known_;
  std::optional<KnownLabels> known_labels_;
  std::vector<int> dropped_;
  std::vector<int> alternative_heads_;
  std::vector<std::string> labels_;
  std::vector<double> label_probabilities_;
};

Pipeline::Pipeline(Model model, const ParseOptions& options)
    : impl_(std::make_unique<Impl>(std::move(model), options)) {}
Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;

void Pipeline::set_options(const ParseOptions& options) { impl_->set_options(options); }
void Pipeline::parse(Sentence& sentence, Parse& parse) { impl_->parse(sentence, parse); }
void Pipeline::tag(std::span<Sentence* const> sentences) { impl_->tag(sentences); }
void Pipeline::prepare(std::span<Sentence* const> sentences) { impl_->prepare(sentences); }
void Pipeline::parse_prepared(std::size_t number, Parse& parse) { impl_->parse_prepared(number, parse); }

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

std::vector<ParsedSentence> Pipeline::parse_text(std::string_view text, const TextOptions& options) {
  std::vector<ParsedSentence> parsed;
  std::vector<Sentence*> sentences;
  for (Sentence& sentence : segment_text(*impl_->components().segmenter, text, options)) {
    parsed.push_back({std::move(sentence), {}});
  }
  // In batches: a text may be long.
  constexpr std::size_t kBatch = 64;
  for (std::size_t begin = 0; begin < parsed.size(); begin += kBatch) {
    const std::span<ParsedSentence> batch =
        std::span(parsed).subspan(begin, std::min(kBatch, parsed.size() - begin));
    sentences.clear();
    for (ParsedSentence& one : batch) sentences.push_back(&one.sentence);
    prepare(sentences);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      parse_prepared(k, batch[k].parse);
      write_columns(batch[k].parse, 0, batch[k].sentence);
    }
  }
  return parsed;
}

}  // namespace copse
