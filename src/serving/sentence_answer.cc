#include "serving/sentence_answer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "copse/treebank/conll.h"
#include "render/row_json.h"

namespace copse {
namespace {

void write_probability(std::string_view name, double probability, JsonWriter& json) {
  json.member(name, static_cast<float>(std::clamp(probability, 0.0, 1.0)));
}

void write_head(int head, JsonWriter& json) {
  if (head == kNoHead) {
    json.null();
  } else {
    json.number(head);
  }
}

void write_range(const std::optional<TextRange>& range, JsonWriter& json) {
  json.key("start");
  range ? json.number(range->begin) : json.null();
  json.key("end");
  range ? json.number(range->end) : json.null();
}

// The members of one sentence.
class SentenceAnswer {
 public:
  SentenceAnswer(RequestSentence& sentence, const Parse& parse, const ParseOptions& options, JsonWriter& json)
      : sentence_(sentence), parse_(parse), options_(options), json_(json) {}

  void write_facts() {
    write_names(sentence_.sentence, json_);
    if (has_probabilities()) {
      json_.member("log_probability", parse_.best().log_probability);
      json_.member("entropy", parse_.entropy);
    }
    json_.member("pieces", parse_.pieces);
    json_.member("had_to_prune", parse_.had_to_prune);
    write_comment_lines(sentence_.sentence, json_);
  }

  void write_words() {
    json_.key("words");
    json_.begin_array();
    for (int word = 1; word <= sentence_.sentence.size(); ++word) write_word(word);
    json_.end_array();
  }

  void write_multiwords() {
    json_.key("multiword_tokens");
    json_.begin_array();
    const std::span<const MultiwordToken> tokens = std::as_const(sentence_.sentence).multiwords();
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      json_.begin_object();
      json_.member("first", tokens[k].first());
      json_.member("last", tokens[k].last());
      json_.member("form", tokens[k].form());
      write_range(sentence_.multiword_ranges[k], json_);
      write_column("misc", tokens[k].misc(), json_);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_trees() {
    if (!parse_.is_kbest) return;
    json_.key("trees");
    json_.begin_array();
    for (std::size_t rank = 0; rank < parse_.trees.size(); ++rank) write_tree(rank, parse_.trees[rank]);
    json_.end_array();
  }

  void write_dropped() {
    if (parse_.dropped_heads.empty()) return;
    json_.key("dropped");
    json_.begin_array();
    for (const int word : parse_.dropped_heads) json_.number(word);
    json_.end_array();
  }

 private:
  bool has_probabilities() const {
    return !parse_.trees.empty() && !parse_.best().head_probabilities.empty();
  }
  bool has_label_probabilities() const { return !parse_.best().label_probabilities.empty(); }

  // Whether the client has said what the head of the word is, and got it.
  bool is_pinned(std::size_t word) const {
    return word < sentence_.has_given_head.size() && sentence_.has_given_head[word] &&
           std::find(parse_.dropped_heads.begin(), parse_.dropped_heads.end(), static_cast<int>(word)) ==
               parse_.dropped_heads.end();
  }
  bool has_given_label(std::size_t word) const {
    return word < sentence_.has_given_label.size() && sentence_.has_given_label[word];
  }

  double head_probability(std::size_t word) const {
    // Up to rounding, it is 1 given itself.
    return is_pinned(word) ? 1.0 : parse_.best().head_probabilities[word];
  }
  double label_probability(std::size_t word) const { return parse_.best().label_probabilities[word]; }

  bool is_doubtful(std::size_t word) const {
    if (!options_.min_confidence || !has_probabilities()) return false;
    const double both = head_probability(word) * (has_label_probabilities() ? label_probability(word) : 1.0);
    return both < *options_.min_confidence;
  }

  void write_word(int number) {
    const auto word = static_cast<std::size_t>(number);
    json_.begin_object();
    json_.member("id", number);
    write_row(sentence_.sentence[number], json_);
    write_range(sentence_.ranges[word], json_);
    if (has_probabilities()) {
      write_probability("p", head_probability(word), json_);
      if (has_label_probabilities()) write_probability("p_deprel", label_probability(word), json_);
    }
    if (is_doubtful(word)) json_.member("doubtful", true);
    if (is_pinned(word)) json_.member("pinned", true);
    if (options_.min_alternative > 0.0) write_alternatives(word);
    json_.end_object();
  }

  void write_alternatives(std::size_t word) {
    json_.key("alternatives");
    json_.begin_array();
    const int chosen = parse_.best().heads[word];
    bool has_chosen = chosen == kNoHead;
    // Where the head is given, all others are out of the question.
    if (!is_pinned(word)) {
      for (const HeadAlternative& alternative : parse_.alternatives[word]) {
        has_chosen |= alternative.head == chosen;
        write_alternative(word, alternative.head, alternative.probability, &alternative);
      }
    }
    if (!has_chosen && has_probabilities()) write_alternative(word, chosen, head_probability(word), nullptr);
    json_.end_array();
  }

  void write_alternative(std::size_t word, int head, double probability, const HeadAlternative* alternative) {
    const ParsedTree& tree = parse_.best();
    json_.begin_object();
    json_.member("head", head);
    write_probability("p", probability, json_);
    // The head of the tree has the label of the tree, which need not be the best one of the arc alone.
    const bool is_of_tree = !tree.labels.empty() && (head == tree.heads[word] || has_given_label(word));
    if (is_of_tree && tree.labels[word] != "_") {
      json_.member("deprel", tree.labels[word]);
      if (has_label_probabilities()) write_probability("p_deprel", label_probability(word), json_);
    } else if (alternative != nullptr && !alternative->label.empty()) {
      json_.member("deprel", alternative->label);
      write_probability("p_deprel", alternative->label_probability, json_);
    }
    json_.end_object();
  }

  void write_tree(std::size_t rank, const ParsedTree& tree) {
    json_.begin_object();
    json_.member("rank", static_cast<int>(rank) + 1);
    json_.member("log_probability", tree.log_probability);
    write_probability("probability", std::exp(tree.log_probability), json_);
    json_.key("heads");
    json_.begin_array();
    for (std::size_t word = 1; word < tree.heads.size(); ++word) write_head(tree.heads[word], json_);
    json_.end_array();
    if (!tree.labels.empty()) {
      json_.key("deprels");
      json_.begin_array();
      for (std::size_t word = 1; word < tree.labels.size(); ++word) {
        tree.labels[word] == "_" ? json_.null() : json_.string(tree.labels[word]);
      }
      json_.end_array();
    }
    if (!tree.head_probabilities.empty()) {
      json_.key("p");
      json_.begin_array();
      for (std::size_t word = 1; word < tree.heads.size(); ++word) {
        json_.number(static_cast<float>(tree.head_probabilities[word]));
      }
      json_.end_array();
    }
    json_.end_object();
  }

  RequestSentence& sentence_;
  const Parse& parse_;
  const ParseOptions& options_;
  JsonWriter& json_;
};

// As the command line writes it.
std::string conllu_text(Sentence sentence, const Parse& parse) {
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text, ConllFormat::conllu);
  for (std::size_t rank = 0; rank < parse.trees.size(); ++rank) {
    write_columns(parse, rank, sentence);
    writer.write(sentence);
  }
  writer.close();
  return text;
}

// The tree alone: its probabilities have members of their own.
void write_tree_columns(const Parse& parse, Sentence& sentence) {
  if (parse.trees.empty()) return;
  Parse bare;
  bare.trees.emplace_back();
  bare.trees.front().heads = parse.best().heads;
  bare.trees.front().labels = parse.best().labels;
  write_columns(bare, 0, sentence);
}

}  // namespace

void write_sentence_answer(RequestSentence& sentence, const Parse& parse, const ParseOptions& options,
                           bool has_conllu, JsonWriter& json) {
  sentence.restore_columns();
  std::string conllu;
  if (has_conllu) conllu = conllu_text(sentence.sentence, parse);
  write_tree_columns(parse, sentence.sentence);
  SentenceAnswer answer(sentence, parse, options, json);
  json.begin_object();
  answer.write_facts();
  answer.write_words();
  answer.write_multiwords();
  write_empty_nodes(sentence.sentence, json);
  answer.write_trees();
  answer.write_dropped();
  if (has_conllu) json.member("conllu", conllu);
  json.end_object();
}

}  // namespace copse
