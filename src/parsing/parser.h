#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "features/sentence_parts.h"
#include "model/parser_model.h"
#include "model/potential_source.h"
#include "parsing/arc_pruner.h"
#include "parsing/label_evidence.h"
#include "parsing/labelled_k_best.h"

namespace copse {

struct ParserOptions {
  // An arc is a candidate if its probability under the model's pruner is at least this part of that of the
  // word's most probable head; 0 keeps all arcs. Without a value, the model decides.
  std::optional<double> prune_threshold;
  // What potentials are divided by; without a value, the model decides (see ParserModel::temperature).
  std::optional<double> temperature;
  // The largest number of parts that a sentence may have: a bound on memory and time. Where there would be
  // more, arcs are pruned until there are not.
  std::int64_t max_parts = 20'000'000;
  // The same for each word of a sentence, where the model decides how arcs are pruned: a bound on the time
  // per word. Without a value there is none.
  std::optional<std::int64_t> max_parts_per_word = {};
};

// What is known about the labels of a sentence.
struct LabelConstraints {
  AllowedLabels known = {};  // borrowed while assign() runs, and until the next call
  // Arcs from the root will be arcs from some word, whose labels are not those that arcs from the root have:
  // nothing is known about them, and their labels are none of the labels of labelled trees.
  bool are_roots_attached = false;
};

// The distribution over the trees of sentences under a model, of which it knows only that it gives potentials
// to parts. A workspace for one thread; the model is shared.
class Parser {
 public:
  // Borrows the model.
  explicit Parser(const ParserModel& model, const ParserOptions& options = {});
  // The same with this source, parts of which the caller may use, too.
  Parser(const ParserModel& model, std::unique_ptr<PotentialSource> source, const ParserOptions& options);
  // Any other source of potentials. Where the options leave it to the model, no arc is pruned and the
  // temperature is 1.
  Parser(std::unique_ptr<PotentialSource> source, TreeSpace trees, const ParserOptions& options = {});

  // What the options leave to the model is as in the constructor of the same arguments.
  void set_options(const ParserModel& model, const ParserOptions& options);
  void set_options(const ParserOptions& options);

  // Sentences have at least one word. Constraints are those of TreeDistribution, which also says what is
  // thrown. All answers are given the known labels, too, but for those that set_aside_labels() names.
  void assign(const Sentence& sentence, const Constraints& constraints = {},
              const LabelConstraints& labels = {});
  // The same in two steps, for sources that are quicker with many sentences at a time: first all of them are
  // read, then come any of them, in any order.
  void prepare(std::span<const Sentence* const> sentences, PreparedBatch& batch) {
    source_->prepare(sentences, batch);
  }
  void assign(PreparedSentence sentence, const Constraints& constraints = {},
              const LabelConstraints& labels = {});

  // The distribution over trees: of a model with labels, the sum over all labellings of each tree.
  TreeDistribution& trees() { return trees_; }
  // Of a model that scores trees and labels together, the same with the best labelling of each tree instead
  // of the sum: its best trees are those of the best labelled ones. Of other models, trees().
  TreeDistribution& labelled_trees();
  // The k best labelled trees: of all pairs of a tree and labels of its arcs those of the highest score, the
  // best first; fewer if there are fewer. Only for sources with labels.
  void k_best_labelled(int k, std::vector<LabelledParse>& trees);
  // The logarithm of the probability of a tree or labelled tree of this score. Not above 0 by rounding.
  double log_probability(double score) { return std::min(score - trees_.log_partition(), 0.0); }
  // Words whose known labels do not go with the others, or with what the model knows: they count as unknown.
  std::span<const int> set_aside_labels() const { return evidence_.set_aside(); }
  std::span<const std::string> label_names() const { return source_->labels(); }
  // Of a model that scores trees and labels together: the best label of the arc that ends one of the labelled
  // parts.
  Label best_label(PartIndex::Position labelled_part) const {
    return best_labels_[static_cast<std::size_t>(labelled_part)];
  }
  // The best labels of the arcs of a tree, by modifier; entry 0 is 0. The heads are a tree over the
  // candidates.
  void best_labels(std::span<const int> heads, std::vector<int>& labels) const;
  // Sets, for every label, its probability given the arc: exact, with everything else summed out.
  void label_probabilities(int arc, std::vector<double>& probabilities);
  // What trees() is made of: scores of parts divided by the temperature, with labels summed out.
  const Potentials& potentials() const { return potentials_; }
  const PartIndex& parts() const { return parts_.parts(); }
  const ArcSet& arcs() const { return parts_.arcs(); }
  // Whether the last sentence was so long that more arcs were pruned than asked for.
  bool had_to_prune() const { return had_to_prune_; }

 private:
  // Sets arcs and parts.
  void choose_candidates(int words, const Constraints& constraints);
  void add_labels();
  // Sets labelled_trees_.
  void assign_labelled_trees();
  void find_best_labels_given_arcs();
  bool has_labels() const { return !source_->labels().empty(); }
  bool has_joint_labels() const { return has_labels() && !source_->are_labels_given_arcs(); }
  // The labels that an arc may have.
  ArcLabels allowed_labels(int arc) { return evidence_.restrict(arcs()[arc], source_->score_labels(arc)); }
  void choose_labels(std::span<const int> heads, LabelChoices& choices);

  std::unique_ptr<PotentialSource> source_;
  TreeSpace tree_space_;
  double prune_threshold_ = 0.0;
  double temperature_ = 1.0;
  std::int64_t max_parts_ = 0;
  std::optional<std::int64_t> max_parts_per_word_;
  ArcPruner pruner_;
  PreparedBatch batch_;  // of a sentence alone
  std::vector<Arc> candidates_;
  SentenceParts parts_;
  Potentials potentials_;
  TreeDistribution trees_;
  std::vector<Label> best_labels_;     // by labelled part
  std::vector<double> best_excesses_;  // by labelled part: of the best label over the sum of all
  Constraints constraints_;
  LabelEvidence evidence_;
  // The scores of labels of arcs that k best labelled trees have asked for.
  struct KeptLabels {
    std::vector<Label> labels;
    std::vector<double> scores;
    bool are_same_in_all_parts = false;
  };
  std::vector<KeptLabels> kept_labels_;
  std::vector<int> kept_of_arc_;  // their numbers by arc, or -1
  LabelledKBest labelled_k_best_;
  std::vector<ScoredTree> best_trees_;
  Potentials labelled_potentials_;
  TreeDistribution labelled_trees_;
  bool has_labelled_trees_ = false;
  bool had_to_prune_ = false;
};

}  // namespace copse
