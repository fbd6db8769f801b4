#include "parsing/sentence_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "parsing/sentence_pieces.h"
#include "treebank/head_probability.h"
#include "treebank/misc_probability.h"

namespace copse {
class SentenceParser::Impl {
 public:
  Impl(const ParserModel& model, const ParseOptions& settings)
      : settings_(settings),
        root_(model.root()),
        label_names_(model.labels() == nullptr ? nullptr : &model.labels()->labels()),
        parser_(model, settings.parser) {}

  void parse(const Sentence& sentence, ParsedSentence& result) {
    result.trees.clear();
    result.pieces = 1;
    result.had_to_prune = false;
    if (sentence.empty()) {
      result.trees.push_back(sentence);
      return;
    }
    if (settings_.keep_heads) check_heads(sentence);
    const std::vector<int> ends =
        piece_ends(sentence, sentence.size() <= settings_.max_whole_words ? settings_.max_whole_words
                                                                          : settings_.max_piece_words);
    result.pieces = static_cast<int>(ends.size());
    entropy_ = 0.0;
    if (result.pieces == 1) {
      analyse(sentence, trees_);
      result.had_to_prune = parser_.had_to_prune();
    } else {
      analyse_pieces(sentence, ends, result);
    }
    for (std::size_t rank = 1; rank <= trees_.size(); ++rank) {
      result.trees.push_back(sentence);
      write_tree(trees_[rank - 1], static_cast<int>(rank), result.trees.back());
    }
  }

 private:
  static void check_heads(const Sentence& sentence) {
    for (int word = 1; word <= sentence.size(); ++word) {
      const int head = sentence[word].head();
      if (head == word || head > sentence.size()) {
        throw InfeasibleError(fmt::format("word {} cannot have the head {}", word, head));
      }
    }
  }

  // The heads that are given, as the words of the piece are counted.
  void keep_heads_of_piece(int begin, int end) {
    for (int word = begin + 1; word <= end; ++word) {
      Token& token = piece_[word - begin];
      if (token.head() <= 0) continue;
      if (token.head() <= begin || token.head() > end) {
        throw InfeasibleError(fmt::format(
            "word {} has a head in another part of a sentence that is too long to be parsed as a whole",
            word));
      }
      token.set_head(token.head() - begin);
    }
  }

  void analyse_pieces(const Sentence& sentence, const std::vector<int>& ends, ParsedSentence& result) {
    int begin = 0;
    for (const int end : ends) {
      piece_.clear();
      for (int word = begin + 1; word <= end; ++word) piece_.add_word(sentence[word]);
      if (settings_.keep_heads) keep_heads_of_piece(begin, end);
      if (begin == 0) {
        analyse(piece_, trees_);
      } else {
        analyse(piece_, piece_trees_);
        append_piece(trees_, piece_trees_, root_, std::max(settings_.kbest, 1));
      }
      result.had_to_prune |= parser_.had_to_prune();
      begin = end;
    }
  }

  void analyse(const Sentence& sentence, std::vector<AnalysedTree>& trees) {
    if (settings_.keep_heads) constraints_.heads = sentence.heads();
    parser_.assign(sentence, constraints_);
    decode(static_cast<std::size_t>(sentence.size()) + 1, trees);
    for (AnalysedTree& tree : trees) {
      tree.arc_probabilities.clear();
      if (settings_.probabilities) look_up_probabilities(tree);
      if (label_names_ != nullptr) look_up_labels(tree);
    }
    if (settings_.probabilities) entropy_ += parser_.trees().entropy();
  }

  void decode(std::size_t positions, std::vector<AnalysedTree>& trees) {
    // The best trees are the best labelled ones.
    TreeDistribution& labelled = parser_.labelled_trees();
    if (settings_.kbest > 0) {
      labelled.k_best(settings_.kbest, scored_trees_);
      trees.resize(scored_trees_.size());
      for (std::size_t k = 0; k < trees.size(); ++k) {
        trees[k].heads = scored_trees_[k].heads;
        trees[k].log_probability = scored_trees_[k].score - parser_.trees().log_partition();
      }
      return;
    }
    trees.resize(1);
    AnalysedTree& tree = trees.front();
    tree.heads.resize(positions);
    if (settings_.decoder == Decoder::best) {
      labelled.best_tree(tree.heads);
    } else {
      parser_.trees().min_risk_tree(tree.heads);
    }
    // Costs a pass of its own, which nobody needs for the tree alone.
    tree.log_probability =
        settings_.probabilities ? labelled.score(tree.heads) - parser_.trees().log_partition() : 0.0;
  }

  void look_up_labels(AnalysedTree& tree) {
    parser_.best_labels(tree.heads, tree.labels);
    tree.label_probabilities.assign(tree.heads.size(), 0.0);
    if (!settings_.probabilities) return;
    for (std::size_t word = 1; word < tree.heads.size(); ++word) {
      parser_.label_probabilities(parser_.arcs().find(tree.heads[word], static_cast<int>(word)),
                                  label_probabilities_);
      tree.label_probabilities[word] = label_probabilities_[static_cast<std::size_t>(tree.labels[word])];
    }
  }

  void look_up_probabilities(AnalysedTree& tree) {
    const std::vector<double>& probabilities = parser_.trees().marginals().arc;
    tree.arc_probabilities.assign(tree.heads.size(), 0.0);
    for (std::size_t word = 1; word < tree.heads.size(); ++word) {
      const auto arc = parser_.parts().arc(tree.heads[word], static_cast<int>(word));
      tree.arc_probabilities[word] = probabilities[static_cast<std::size_t>(arc)];
    }
  }

  std::string_view label_of(const AnalysedTree& tree, int word) const {
    if (label_names_ == nullptr) return "_";
    return (*label_names_)[static_cast<std::size_t>(tree.labels[static_cast<std::size_t>(word)])];
  }

  void write_tree(const AnalysedTree& tree, int rank, Sentence& sentence) const {
    for (int word = 1; word <= sentence.size(); ++word) {
      sentence[word].set_head(tree.heads[static_cast<std::size_t>(word)]);
      sentence[word].set_deprel(label_of(tree, word));
    }
    if (settings_.kbest > 0 || settings_.probabilities) make_conllu(sentence);
    if (settings_.kbest > 0) {
      if (rank > 1 && sentence.sent_id()) {
        sentence.set_comment("sent_id", fmt::format("{}-k{}", *sentence.sent_id(), rank));
      }
      if (rank > 1) sentence.layout().extra_blank_lines = 0;
      sentence.set_comment("kbest_rank", std::to_string(rank));
      sentence.set_comment("tree_probability", fmt::format("{:#.4g}", std::exp(tree.log_probability)));
    }
    if (settings_.probabilities) {
      for (int word = 1; word <= sentence.size(); ++word) {
        set_misc_probability(sentence[word], kHeadProbabilityKey,
                             tree.arc_probabilities[static_cast<std::size_t>(word)]);
        if (label_names_ != nullptr) {
          set_misc_probability(sentence[word], kLabelProbabilityKey,
                               tree.label_probabilities[static_cast<std::size_t>(word)]);
        }
      }
      // Rounding may leave a value beyond 0.
      sentence.set_comment("tree_log_probability",
                           fmt::format("{:.4f}", std::min(tree.log_probability, 0.0)));
      sentence.set_comment("tree_entropy", fmt::format("{:.4f}", std::max(entropy_, 0.0)));
    }
  }

  ParseOptions settings_;
  RootMode root_;
  const std::vector<std::string>* label_names_;  // none if the model has no labels
  std::vector<double> label_probabilities_;
  Parser parser_;
  Sentence piece_;
  std::vector<AnalysedTree> trees_;
  std::vector<AnalysedTree> piece_trees_;
  std::vector<ScoredTree> scored_trees_;
  Constraints constraints_;
  double entropy_ = 0.0;
};

SentenceParser::SentenceParser(const ParserModel& model, const ParseOptions& settings)
    : impl_(std::make_unique<Impl>(model, settings)) {}
SentenceParser::~SentenceParser() = default;
SentenceParser::SentenceParser(SentenceParser&&) noexcept = default;
SentenceParser& SentenceParser::operator=(SentenceParser&&) noexcept = default;

void SentenceParser::parse(const Sentence& sentence, ParsedSentence& result) {
  impl_->parse(sentence, result);
}

}  // namespace copse
