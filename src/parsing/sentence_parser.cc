#include "parsing/sentence_parser.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "numeric/log_sum_exp.h"
#include "parallel/interruption.h"
#include "parsing/parser.h"
#include "parsing/sentence_pieces.h"

namespace copse {
namespace {

// Sentences of any length take no more memory than a batch of this many pieces.
constexpr std::size_t kPiecesAtATime = 4;

ParserOptions parser_options(const ParseOptions& options) {
  return {options.prune_threshold, options.temperature, options.max_parts, options.max_parts_per_word};
}

}  // namespace

class SentenceParser::Impl {
 public:
  Impl(const ParserModel& model, std::unique_ptr<PotentialSource> source, const ParseOptions& options)
      : model_(&model),
        options_(options),
        root_(model.root()),
        label_names_(model.labels() == nullptr ? nullptr : &model.labels()->labels()),
        parser_(model, std::move(source), parser_options(options)) {}

  void set_options(const ParseOptions& options) {
    options_ = options;
    parser_.set_options(*model_, parser_options(options));
  }

  void prepare(std::span<const Sentence* const> sentences, PreparedBatch& batch) {
    parser_.prepare(sentences, batch);
  }

  void parse(PreparedSentence prepared, const KnownArcs& known, Parse& parse) {
    const Sentence& sentence = prepared.sentence();
    if (!begin(sentence, parse)) return;
    const std::vector<int> ends = piece_ends(sentence, options_);
    parse.pieces = static_cast<int>(ends.size());
    if (parse.pieces > 1) return parse_pieces(sentence, known, ends, parse);
    constraints_.heads.assign(known.heads.begin(), known.heads.end());
    parser_.assign(prepared, constraints_, {known.labels});
    read_trees(0, sentence.size(), parse.trees, parse.samples, parse);
  }

  void parse(const Sentence& sentence, const KnownArcs& known, Parse& result) {
    const Sentence* const pointer = &sentence;
    const bool is_read = !sentence.empty() && piece_ends(sentence, options_).size() == 1;
    if (is_read) {
      prepare({&pointer, 1}, batch_);
    } else {
      batch_.sentences.assign(1, pointer);
    }
    parse(PreparedSentence(batch_, 0), known, result);
  }

 private:
  // False if there is nothing to do.
  bool begin(const Sentence& sentence, Parse& parse) {
    random_.seed(options_.sample_seed);
    parse.is_kbest = options_.kbest > 0;
    parse.entropy = 0.0;
    parse.alternatives.clear();
    parse.pieces = 1;
    parse.had_to_prune = false;
    parse.ignored_labels.clear();
    if (sentence.empty()) {
      parse.trees.clear();
      parse.samples.clear();
    }
    return !sentence.empty();
  }

  void parse_pieces(const Sentence& sentence, const KnownArcs& known, const std::vector<int>& ends,
                    Parse& parse) {
    int begin = 0;
    for (std::size_t piece = 0; piece < ends.size(); ++piece) {
      const int end = ends[piece];
      const std::size_t place = piece % kPiecesAtATime;
      if (place == 0) read_pieces(sentence, begin, std::span(ends).subspan(piece));
      constrain_piece(known.heads, begin, end);
      // The root words of later pieces will hang on a word.
      const bool are_roots_attached = begin > 0 && root_ == RootMode::single;
      parser_.assign(PreparedSentence(batch_, place), constraints_,
                     {labels_of_piece(known.labels, begin, end), are_roots_attached});
      if (begin == 0) {
        read_trees(begin, end - begin, parse.trees, parse.samples, parse);
      } else {
        read_trees(begin, end - begin, piece_trees_, piece_samples_, parse);
        if (are_roots_attached && label_names_ != nullptr) {
          relabel_roots(piece_trees_);
          relabel_roots(piece_samples_);
        }
        move_alternatives(begin, attachment_of_next_piece(parse.best().heads, root_), parse);
        append_piece(parse.trees, piece_trees_, root_, std::max(options_.kbest, 1));
        for (std::size_t k = 0; k < piece_samples_.size(); ++k) {
          append_piece(parse.samples[k], piece_samples_[k], root_);
        }
      }
      begin = end;
    }
  }

  // Reads the first of the pieces that lie after `begin` and end with these words.
  void read_pieces(const Sentence& sentence, int begin, std::span<const int> ends) {
    const std::size_t count = std::min(ends.size(), kPiecesAtATime);
    pieces_.resize(count);
    piece_pointers_.clear();
    for (std::size_t k = 0; k < count; ++k) {
      pieces_[k].clear();
      for (int word = begin + 1; word <= ends[k]; ++word) pieces_[k].add_word(sentence[word]);
      piece_pointers_.push_back(&pieces_[k]);
      begin = ends[k];
    }
    prepare(piece_pointers_, batch_);
  }

  AllowedLabels labels_of_piece(AllowedLabels labels, int begin, int end) {
    if (labels.empty()) return {};
    const auto first = labels.begin() + begin;
    piece_labels_.assign(first, first + (end - begin) + 1);
    return piece_labels_;
  }

  // The known heads, as the words of the piece are counted; those in other pieces cannot be had.
  void constrain_piece(std::span<const int> known_heads, int begin, int end) {
    constraints_.heads.clear();
    if (known_heads.empty()) return;
    constraints_.heads.assign(static_cast<std::size_t>(end - begin) + 1, Constraints::kAnyHead);
    for (int word = begin + 1; word <= end; ++word) {
      const int head = known_heads[static_cast<std::size_t>(word)];
      int& own = constraints_.heads[static_cast<std::size_t>(word - begin)];
      if (head > begin && head <= end) own = head - begin;
      if (head == 0 && (begin == 0 || root_ == RootMode::multi)) own = 0;
    }
  }

  // Of the sentence that the parser has: these words of the whole one, after `begin`.
  void read_trees(int begin, int words, std::vector<ParsedTree>& trees, std::vector<ParsedTree>& samples,
                  Parse& parse) {
    parse.had_to_prune |= parser_.had_to_prune();
    for (const int word : parser_.set_aside_labels()) parse.ignored_labels.push_back(begin + word);
    label_probabilities_of_arcs_.assign(static_cast<std::size_t>(parser_.arcs().size()), {});
    decode(static_cast<std::size_t>(words) + 1, trees);
    interruption_point();
    describe(trees, wants_labelled_trees());
    interruption_point();
    draw(static_cast<std::size_t>(words) + 1, samples);
    describe(samples, false);
    if (wants_probabilities()) parse.entropy += std::max(parser_.trees().entropy(), 0.0);
    if (options_.min_alternative > 0.0) list_alternatives(words, parse);
  }

  void draw(std::size_t positions, std::vector<ParsedTree>& samples) {
    samples.resize(static_cast<std::size_t>(options_.samples));
    for (ParsedTree& tree : samples) {
      tree.heads.resize(positions);
      tree.log_probability = parser_.log_probability(parser_.trees().sample(random_, tree.heads));
    }
  }

  // Everything about trees but their heads. Labels are those of labelled_trees_, if these are meant.
  void describe(std::vector<ParsedTree>& trees, bool are_labelled) {
    for (std::size_t k = 0; k < trees.size(); ++k) {
      interruption_point();
      ParsedTree& tree = trees[k];
      tree.head_probabilities.clear();
      tree.label_probabilities.clear();
      tree.labels.clear();
      tree.is_uncertain.clear();
      if (wants_probabilities()) look_up_probabilities(tree);
      if (are_labelled) {
        set_labels(labelled_trees_[k].labels, tree);
      } else if (label_names_ != nullptr) {
        parser_.best_labels(tree.heads, best_labels_);
        set_labels(best_labels_, tree);
      }
    }
  }

  // The root words of a later piece will hang on a word: they get the label that they most probably have on
  // another head than the root, or none if the root is their only candidate.
  void relabel_roots(std::vector<ParsedTree>& trees) {
    for (ParsedTree& tree : trees) {
      for (std::size_t word = 1; word < tree.heads.size(); ++word) {
        if (tree.heads[word] != 0) continue;
        expected_labels_.assign(label_names_->size(), 0.0);
        for (const int arc : parser_.arcs().incoming(static_cast<int>(word))) {
          if (parser_.arcs()[arc].head == 0) continue;
          const std::vector<double>& probabilities = label_probabilities(arc);
          const double marginal = parser_.trees().marginals().arc[static_cast<std::size_t>(arc)];
          for (std::size_t label = 0; label < expected_labels_.size(); ++label) {
            expected_labels_[label] += marginal * probabilities[label];
          }
        }
        const std::size_t best = best_of(expected_labels_);
        const bool has_any = expected_labels_[best] > 0.0;
        tree.labels[word] = has_any ? (*label_names_)[best] : "_";
        if (tree.label_probabilities.empty()) continue;
        const double all = std::accumulate(expected_labels_.begin(), expected_labels_.end(), 0.0);
        tree.label_probabilities[word] = has_any ? expected_labels_[best] / all : 0.0;
      }
    }
  }

  bool wants_probabilities() const { return options_.probabilities || options_.min_confidence.has_value(); }
  bool wants_labelled_trees() const { return options_.kbest > 0 && options_.kbest_labels; }

  // Both kinds of trees have heads and a score.
  template <class Tree>
  void take_best(const std::vector<Tree>& found, std::vector<ParsedTree>& trees) {
    interruption_point();
    trees.resize(found.size());
    for (std::size_t k = 0; k < trees.size(); ++k) {
      trees[k].heads = found[k].heads;
      trees[k].log_probability = parser_.log_probability(found[k].score);
    }
  }

  void decode(std::size_t positions, std::vector<ParsedTree>& trees) {
    if (wants_labelled_trees()) {
      parser_.k_best_labelled(options_.kbest, labelled_trees_);
      return take_best(labelled_trees_, trees);
    }
    // The best trees are the best labelled ones.
    TreeDistribution& labelled = parser_.labelled_trees();
    if (options_.kbest > 0) {
      labelled.k_best(options_.kbest, scored_trees_);
      return take_best(scored_trees_, trees);
    }
    trees.resize(1);
    ParsedTree& tree = trees.front();
    tree.heads.resize(positions);
    if (options_.decoder == Decoder::best) {
      labelled.best_tree(tree.heads);
    } else {
      parser_.trees().min_risk_tree(tree.heads);
    }
    interruption_point();
    // Costs a pass of its own, which the tree alone does not need.
    tree.log_probability = wants_probabilities() ? parser_.log_probability(labelled.score(tree.heads)) : 0.0;
  }

  // By their numbers, below 0 for none.
  void set_labels(std::span<const int> labels, ParsedTree& tree) {
    tree.labels.assign(tree.heads.size(), "_");
    if (wants_probabilities()) tree.label_probabilities.assign(tree.heads.size(), 0.0);
    for (std::size_t word = 1; word < tree.heads.size(); ++word) {
      if (labels[word] < 0) continue;
      const auto label = static_cast<std::size_t>(labels[word]);
      tree.labels[word] = parser_.label_names()[label];
      if (!wants_probabilities()) continue;
      tree.label_probabilities[word] =
          label_probabilities(parser_.arcs().find(tree.heads[word], static_cast<int>(word)))[label];
    }
  }

  // By label; computed once for every arc that a tree or an alternative has.
  const std::vector<double>& label_probabilities(int arc) {
    std::vector<double>& of_arc = label_probabilities_of_arcs_[static_cast<std::size_t>(arc)];
    if (of_arc.empty()) parser_.label_probabilities(arc, of_arc);
    return of_arc;
  }

  void look_up_probabilities(ParsedTree& tree) {
    const std::vector<double>& probabilities = parser_.trees().marginals().arc;
    tree.head_probabilities.assign(tree.heads.size(), 0.0);
    for (std::size_t word = 1; word < tree.heads.size(); ++word) {
      const auto arc = parser_.parts().arc(tree.heads[word], static_cast<int>(word));
      tree.head_probabilities[word] = std::clamp(probabilities[static_cast<std::size_t>(arc)], 0.0, 1.0);
    }
  }

  void list_alternatives(int words, Parse& parse) {
    if (parse.alternatives.empty()) parse.alternatives.emplace_back();  // of the root
    const std::vector<double>& probabilities = parser_.trees().marginals().arc;
    for (int word = 1; word <= words; ++word) {
      interruption_point();
      std::vector<HeadAlternative>& heads = parse.alternatives.emplace_back();
      for (const int arc : parser_.arcs().incoming(word)) {
        const double probability = std::min(probabilities[static_cast<std::size_t>(arc)], 1.0);
        if (probability < options_.min_alternative) continue;
        HeadAlternative& head = heads.emplace_back(HeadAlternative{parser_.arcs()[arc].head, probability});
        if (label_names_ == nullptr || !options_.labels) continue;
        const std::vector<double>& of_labels = label_probabilities(arc);
        const std::size_t label = best_of(of_labels);
        head.label = (*label_names_)[label];
        head.label_probability = of_labels[label];
      }
      std::stable_sort(heads.begin(), heads.end(), [](const HeadAlternative& a, const HeadAlternative& b) {
        return a.probability > b.probability;
      });
    }
  }

  // Of the words after `begin`, which were counted from there.
  static void move_alternatives(int begin, int root, Parse& parse) {
    for (std::size_t word = static_cast<std::size_t>(begin) + 1; word < parse.alternatives.size(); ++word) {
      for (HeadAlternative& alternative : parse.alternatives[word]) {
        alternative.head = alternative.head == 0 ? root : alternative.head + begin;
      }
    }
  }

  const ParserModel* model_;
  ParseOptions options_;
  std::mt19937_64 random_;
  RootMode root_;
  const std::vector<std::string>* label_names_;  // none if the model has no labels
  std::vector<int> best_labels_;
  std::vector<std::vector<double>> label_probabilities_of_arcs_;
  std::vector<double> expected_labels_;
  Parser parser_;
  PreparedBatch batch_;  // a sentence by itself, or some pieces of one
  std::vector<Sentence> pieces_;
  std::vector<const Sentence*> piece_pointers_;
  std::vector<ParsedTree> piece_trees_;
  std::vector<ParsedTree> piece_samples_;
  std::vector<ScoredTree> scored_trees_;
  std::vector<LabelledParse> labelled_trees_;
  std::vector<std::span<const Label>> piece_labels_;
  Constraints constraints_;
};

SentenceParser::SentenceParser(const ParserModel& model, const ParseOptions& options)
    : SentenceParser(model, model.make_potentials(), options) {}
SentenceParser::SentenceParser(const ParserModel& model, std::unique_ptr<PotentialSource> source,
                               const ParseOptions& options)
    : impl_(std::make_unique<Impl>(model, std::move(source), options)) {}
SentenceParser::~SentenceParser() = default;
SentenceParser::SentenceParser(SentenceParser&&) noexcept = default;
SentenceParser& SentenceParser::operator=(SentenceParser&&) noexcept = default;

void SentenceParser::set_options(const ParseOptions& options) { impl_->set_options(options); }

void SentenceParser::prepare(std::span<const Sentence* const> sentences, PreparedBatch& batch) {
  impl_->prepare(sentences, batch);
}

void SentenceParser::parse(PreparedSentence sentence, const KnownArcs& known, Parse& parse) {
  impl_->parse(sentence, known, parse);
}

void SentenceParser::parse(const Sentence& sentence, const KnownArcs& known, Parse& parse) {
  impl_->parse(sentence, known, parse);
}

}  // namespace copse
