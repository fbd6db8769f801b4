#include "copse/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "labelling/labeller.h"
#include "model/network_labels.h"
#include "model/network_potentials.h"
#include "parallel/interruption.h"
#include "parsing/known_heads.h"
#include "parsing/known_labels.h"
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
        parser_(components().parser, make_potentials(components().parser), options) {
    if (pass_) network_labels_.emplace(*pass_, components().parser.root_labels());
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
    if (!pass_) return;
    // Long sentences are parsed in pieces, each by itself; empty ones not at all.
    places_.assign(sentences_.size(), kAlone);
    together_.clear();
    for (std::size_t k = 0; k < sentences_.size(); ++k) {
      Sentence& sentence = *sentences_[k];
      if (has_tagger()) tag_by_tagger(sentence);
      if (sentence.empty() || piece_ends(sentence, options_).size() > 1) continue;
      places_[k] = together_.size();
      together_.push_back(&sentence);
    }
    read_together();
  }

  void parse_prepared(std::size_t number, Parse& parse) {
    Sentence& sentence = *sentences_[number];
    if (!pass_) {
      tag(sentence, parse);
      return parse_tagged(sentence, parse);
    }
    if (sentence.empty()) return parser_.parse(sentence, {}, parse);
    place_ = read(number);
    count_untagged(sentence, parse);
    parse_tagged(sentence, parse);
  }

  void tag(std::span<Sentence* const> sentences) {
    if (!model_.has_tagger()) (void)*components().tagger;  // throws
    if (!tags()) return;
    if (!pass_) {
      for (Sentence* sentence : sentences) tag_by_tagger(*sentence);
      return;
    }
    prepare(sentences);
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      if (!sentences[k]->empty()) set_network_tags(read(k), *sentences[k]);
    }
  }

  void parse(Sentence& sentence, Parse& parse) {
    Sentence* const pointer = &sentence;
    prepare({&pointer, 1});
    parse_prepared(0, parse);
  }

 private:
  // Sentences that the pass has not read together with others.
  static constexpr std::size_t kAlone = static_cast<std::size_t>(-1);

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

  void set_up_stages() {
    if (options_.kbest > 0 && options_.kbest_labels) {
      const std::string why_not = components().why_no_labelled_trees();
      if (!why_not.empty()) throw DataError("no k best labelled trees: " + why_not);
    }
    if (components().tagger && !tagger_ && tags()) tagger_.emplace(*components().tagger);
    if (components().labeller && !labeller_ && wants_labels()) labeller_.emplace(*components().labeller);
  }
  bool tags() const { return options_.tags != TagUse::never; }
  bool has_tagger() const { return tagger_ && tags(); }
  // Of pseudo-projective trees, the labels are needed even if nobody wants to see them.
  bool wants_labels() const { return options_.labels || components().is_pseudo_projective; }

  void parse_tagged(Sentence& sentence, Parse& parse) {
    parse.dropped_heads.clear();
    if (options_.keep_known) {
      known_.assign(sentence, components().parser.trees(), piece_ends(sentence, options_));
      if (known_labels_) known_labels_->assign(sentence);
    }
    const bool is_constrained = options_.keep_known && !known_.empty();
    KnownArcs known;
    if (is_constrained) known.heads = known_.compatible();
    if (!labeller_is_second()) known.labels = given_labels();
    find_trees(sentence, known, parse);
    for (ParsedTree& tree : parse.trees) {
      complete_tree(sentence, is_constrained, parse, tree);
      if (options_.min_confidence) {
        apply_confidence_threshold(*options_.min_confidence, options_.low_confidence, tree);
      }
    }
    for (ParsedTree& tree : parse.samples) complete_tree(sentence, is_constrained, parse, tree);
    label_alternatives(parse);
    if (options_.keep_known && options_.labels) keep_labels_of_alternatives(sentence, parse);
  }

  // What the input says about labels, as those of the model; of a labeller, they say nothing about heads.
  AllowedLabels given_labels() const {
    return options_.keep_known && known_labels_ ? known_labels_->lists() : AllowedLabels();
  }
  bool labeller_is_second() const { return static_cast<bool>(components().labeller); }

  // Of a tree whose heads the parser has found: labels, and what is known.
  void complete_tree(const Sentence& sentence, bool is_constrained, Parse& parse, ParsedTree& tree) {
    interruption_point();
    label(sentence, tree);
    if (components().is_pseudo_projective) pseudo_projective_decode(tree.heads, tree.labels);
    if (!options_.labels) {
      tree.labels.clear();
      tree.label_probabilities.clear();
    }
    if (is_constrained) restore_known_heads(tree, parse);
    if (options_.keep_known) keep_labels(sentence, tree);
  }

  // With the labels that a network gives to arcs: first those of all words' most probable heads, then those
  // of the next ones.
  void label_alternatives(Parse& parse) {
    if (!network_labels_ || !options_.labels || components().is_pseudo_projective) return;
    if (components().labels() == nullptr || parse.trees.empty()) return;
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
      network_labels_->label(place_, alternative_heads_, labels_, &label_probabilities_);
      for (std::size_t word = 1; word < parse.alternatives.size(); ++word) {
        if (alternative_heads_[word] == kNoHead) continue;
        parse.alternatives[word][rank].label = labels_[word];
        parse.alternatives[word][rank].label_probability = label_probabilities_[word];
      }
    }
  }

  // Tags of a network are set before, for the heads of pieces may depend on them, and labels come after.
  void find_trees(Sentence& sentence, const KnownArcs& known, Parse& parse) {
    if (!pass_) return parser_.parse(sentence, known, parse);
    const bool is_alone = !is_read_together_;
    if (tags()) set_network_tags(place_, sentence);
    if (!is_alone) return parser_.parse_prepared(place_, sentence, known, parse);
    parser_.parse(sentence, known, parse);
    pass_->prepare(std::span<const Sentence>(&sentence, 1));
  }

  // The place of a sentence that prepare() was given in what the pass holds, which reads it if it does not: a
  // sentence that is alone, or one of the others after such a one.
  std::size_t read(std::size_t number) {
    if (places_[number] != kAlone) {
      if (!is_read_together_) read_together();
      return places_[number];
    }
    pass_->prepare(std::span<const Sentence>(sentences_[number], 1));
    is_read_together_ = false;
    return 0;
  }
  void read_together() {
    if (!together_.empty()) pass_->prepare(std::span<const Sentence* const>(together_));
    is_read_together_ = true;
  }

  void set_network_tags(std::size_t place, Sentence& sentence) {
    pass_->set_tags(place,
                    options_.tags == TagUse::always ? NetworkPass::Which::all : NetworkPass::Which::missing,
                    sentence);
  }

  void tag_by_tagger(Sentence& sentence) {
    if (options_.tags == TagUse::always) return tagger_->tag(sentence);
    tagger_->tag_missing(sentence);
  }

  void tag(Sentence& sentence, Parse& parse) {
    parse.untagged_words = 0;
    if (has_tagger()) return tag_by_tagger(sentence);
    count_untagged(sentence, parse);
  }

  void count_untagged(const Sentence& sentence, Parse& parse) const {
    parse.untagged_words = 0;
    if (has_tagger() || !components().needs_tags()) return;
    parse.untagged_words = static_cast<int>(std::count_if(sentence.words().begin(), sentence.words().end(),
                                                          [](const Token& word) { return !has_tag(word); }));
  }

  void label(const Sentence& sentence, ParsedTree& tree) {
    const bool wants_probabilities = !tree.head_probabilities.empty();
    if (network_labels_ && wants_labels() && components().labels() != nullptr) label_by_network(tree);
    if (!labeller_ || !wants_labels()) return;
    labeller_->label(sentence, tree.heads, tree.labels,
                     wants_probabilities ? &tree.label_probabilities : nullptr, given_labels());
  }

  // Of labelled trees, no more than what they lack: labels of arcs from one piece to another.
  void label_by_network(ParsedTree& tree) {
    network_labels_->label(place_, tree.heads, labels_,
                           tree.head_probabilities.empty() ? nullptr : &label_probabilities_);
    const bool is_labelled = !tree.labels.empty();
    if (!is_labelled) tree.labels.resize(tree.heads.size());
    if (!tree.head_probabilities.empty()) tree.label_probabilities.resize(tree.heads.size());
    for (std::size_t word = 0; word < tree.heads.size(); ++word) {
      if (is_labelled && tree.labels[word] != "_") continue;
      tree.labels[word] = labels_[word];
      if (!tree.label_probabilities.empty()) tree.label_probabilities[word] = label_probabilities_[word];
    }
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
  std::optional<NetworkLabels> network_labels_;
  std::vector<Sentence*> sentences_;
  std::vector<const Sentence*> together_;  // that the pass has read
  std::vector<std::size_t> places_;        // of sentences among these
  bool is_read_together_ = false;          // the pass holds these
  std::size_t place_ = kAlone;             // of the sentence that is being parsed
  std::optional<Labeller> labeller_;
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
