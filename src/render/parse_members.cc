#include "render/parse_members.h"

#include <algorithm>
#include <cmath>

#include "render/row_json.h"

namespace copse {
namespace {

void write_head(int head, ValueWriter& json) {
  if (head == kNoHead) {
    json.null();
  } else {
    json.number(head);
  }
}

void write_range(const std::optional<TextRange>& range, ValueWriter& json) {
  json.key("start");
  range ? json.number(range->begin) : json.null();
  json.key("end");
  range ? json.number(range->end) : json.null();
}

class MemberWriter {
 public:
  MemberWriter(const DescribedParse& described, ValueWriter& json)
      : described_(described), sentence_(described.sentence), parse_(described.parse), json_(json) {}

  void write() {
    write_names(sentence_, json_);
    if (has_probabilities()) {
      json_.member("log_probability", parse_.best().log_probability);
      json_.member("entropy", parse_.entropy);
    }
    json_.member("pieces", parse_.pieces);
    json_.member("had_to_prune", parse_.had_to_prune);
    write_comment_lines(sentence_, json_);
    json_.key("words");
    json_.begin_array();
    for (int word = 1; word <= sentence_.size(); ++word) write_word(word);
    json_.end_array();
    write_multiwords();
    write_empty_nodes(sentence_, json_);
    write_trees();
    write_dropped();
  }

 private:
  bool has_probabilities() const {
    return !parse_.trees.empty() && !parse_.best().head_probabilities.empty();
  }
  bool has_label_probabilities() const { return !parse_.best().label_probabilities.empty(); }

  // Whether the head of the word was known beforehand, and has been kept.
  bool is_pinned(std::size_t word) const {
    return word < described_.has_known_head.size() && described_.has_known_head[word] &&
           std::find(parse_.dropped_heads.begin(), parse_.dropped_heads.end(), static_cast<int>(word)) ==
               parse_.dropped_heads.end();
  }
  bool has_known_label(std::size_t word) const {
    return word < described_.has_known_label.size() && described_.has_known_label[word];
  }

  double head_probability(std::size_t word) const {
    // Up to rounding, it is 1 given itself.
    return is_pinned(word) ? 1.0 : parse_.best().head_probabilities[word];
  }
  double label_probability(std::size_t word) const { return parse_.best().label_probabilities[word]; }

  bool is_doubtful(std::size_t word) const {
    if (!described_.min_confidence || !has_probabilities()) return false;
    const double both = head_probability(word) * (has_label_probabilities() ? label_probability(word) : 1.0);
    return both < *described_.min_confidence;
  }

  std::optional<TextRange> range(std::size_t word) const {
    return word < described_.ranges.size() ? described_.ranges[word] : std::nullopt;
  }

  void write_probability(std::string_view name, double probability) {
    json_.key(name);
    json_.probability(probability);
  }

  void write_word(int number) {
    const auto word = static_cast<std::size_t>(number);
    json_.begin_object();
    json_.member("id", number);
    write_row(sentence_[number], json_);
    write_range(range(word), json_);
    if (has_probabilities()) {
      write_probability("p", head_probability(word));
      if (has_label_probabilities()) write_probability("p_deprel", label_probability(word));
    }
    if (is_doubtful(word)) json_.member("doubtful", true);
    if (is_pinned(word)) json_.member("pinned", true);
    if (described_.alternatives != nullptr) write_alternatives(word);
    json_.end_object();
  }

  void write_alternatives(std::size_t word) {
    json_.key("alternatives");
    json_.begin_array();
    const int chosen = parse_.best().heads[word];
    bool has_chosen = chosen == kNoHead;
    // Where the head is known, all others are out of the question.
    if (!is_pinned(word)) {
      for (const HeadAlternative& alternative : (*described_.alternatives)[word]) {
        const bool is_chosen = alternative.head == chosen;
        has_chosen |= is_chosen;
        if (!is_chosen && alternative.probability < described_.min_alternative) continue;
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
    write_probability("p", probability);
    // The head of the tree has the label of the tree, which need not be the best one of the arc alone.
    const bool is_of_tree = !tree.labels.empty() && (head == tree.heads[word] || has_known_label(word));
    if (is_of_tree && tree.labels[word] != "_") {
      json_.member("deprel", tree.labels[word]);
      if (has_label_probabilities()) write_probability("p_deprel", label_probability(word));
    } else if (alternative != nullptr && !alternative->label.empty()) {
      json_.member("deprel", alternative->label);
      write_probability("p_deprel", alternative->label_probability);
    }
    json_.end_object();
  }

  void write_multiwords() {
    json_.key("multiword_tokens");
    json_.begin_array();
    for (const MultiwordToken& token : sentence_.multiwords()) {
      json_.begin_object();
      json_.member("first", token.first());
      json_.member("last", token.last());
      json_.member("form", token.form());
      // Its words stand where it does (text_ranges()).
      const std::optional<TextRange> first = range(static_cast<std::size_t>(token.first()));
      const std::optional<TextRange> last = range(static_cast<std::size_t>(token.last()));
      write_range(first == last ? first : std::nullopt, json_);
      write_column("misc", token.misc(), json_);
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

  void write_tree(std::size_t rank, const ParsedTree& tree) {
    json_.begin_object();
    json_.member("rank", static_cast<int>(rank) + 1);
    json_.member("log_probability", tree.log_probability);
    write_probability("probability", std::exp(tree.log_probability));
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
        json_.probability(tree.head_probabilities[word]);
      }
      json_.end_array();
    }
    json_.end_object();
  }

  void write_dropped() {
    if (parse_.dropped_heads.empty()) return;
    json_.key("dropped");
    json_.begin_array();
    for (const int word : parse_.dropped_heads) json_.number(word);
    json_.end_array();
  }

  const DescribedParse& described_;
  const Sentence& sentence_;
  const Parse& parse_;
  ValueWriter& json_;
};

}  // namespace

void write_parse_members(const DescribedParse& described, ValueWriter& json) {
  MemberWriter(described, json).write();
}

}  // namespace copse
