#include "labelling/labeller_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "copse/error.h"
#include "features/morphology.h"
#include "labelling/labelled_tree.h"
#include "parallel/team_values.h"
#include "text/utf8.h"

namespace copse {
namespace {

// Chosen on development data; docs/labels.md has the figures.
constexpr double kMargin = 1.0;
constexpr int kFewestForList = 50;
constexpr int kFewestForGeneralList = 20;
constexpr int kCutoff = 2;
constexpr int kCandidateCutoff = 10;

// The memory of training, and the time of labelling, grow with the square of the candidates of a position. So
// many labels are far more than a treebank has that follows guidelines; of more, as of tags, a coarse model
// leaves the probable ones.
constexpr std::size_t kManyLabels = 200;
constexpr double kCoarseThreshold = 0.0001;
constexpr int kMostCandidates = 40;

bool has_label(const Token& word) { return word.deprel() != "_"; }

std::string name_of(const Sentence& sentence, std::size_t number) {
  const auto id = sentence.sent_id();
  return id ? quoted(*id) : std::to_string(number + 1);
}

// The modifiers of each head of each sentence.
class ModifierSource : public SequenceSource {
 public:
  ModifierSource(std::span<const Sentence> sentences, bool reads_single_feats, TaskPool& pool)
      : team_(&pool.team()), trees_(sentences.size()) {
    std::vector<WordReader> readers(static_cast<std::size_t>(pool.threads()));
    pool.for_each(sentences.size(), [&](std::size_t k, int worker) {
      try {
        trees_[k].assign(sentences[k], sentences[k].heads(), readers[static_cast<std::size_t>(worker)],
                         reads_single_feats);
      } catch (const DataError& error) {
        throw DataError(
            fmt::format("sentence {}: {}", name_of(sentences[k], number_of_own(*team_, k)), error.what()));
      }
    });
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      for (int head = 0; head <= sentences[k].size(); ++head) {
        const std::span<const int> modifiers = trees_[k].modifiers(head);
        const bool is_usable = std::all_of(modifiers.begin(), modifiers.end(),
                                           [&](int word) { return has_label(sentences[k][word]); });
        if (is_usable && !modifiers.empty()) sequences_.push_back({k, head});
      }
    }
  }

  void set_labels(std::span<const Sentence> sentences, std::span<const std::string> labels) {
    std::unordered_map<std::string_view, Label> numbers;
    for (std::size_t k = 0; k < labels.size(); ++k) numbers.emplace(labels[k], static_cast<Label>(k));
    labels_.resize(sequences_.size());
    for (std::size_t k = 0; k < sequences_.size(); ++k) {
      const auto [sentence, head] = sequences_[k];
      for (const int word : trees_[sentence].modifiers(head)) {
        const auto found = numbers.find(sentences[sentence][word].deprel());
        labels_[k].push_back(found == numbers.end() ? kUnknownLabel : found->second);
      }
    }
  }

  std::size_t size() const override { return sequences_.size(); }
  std::uint64_t number(std::size_t k) const override {
    return (std::uint64_t{number_of_own(*team_, sequences_[k].sentence)} << 32) +
           static_cast<std::uint64_t>(sequences_[k].head);
  }
  void observe(std::size_t k, int /*worker*/, SequenceObservations& observations) const override {
    trees_[sequences_[k].sentence].observe(sequences_[k].head, observations);
  }
  std::span<const Label> gold(std::size_t k) const override { return labels_[k]; }

 private:
  struct Sequence {
    std::size_t sentence;
    int head;
  };
  Team* team_;
  std::vector<LabelledTree> trees_;  // by sentence
  std::vector<Sequence> sequences_;
  std::vector<std::vector<Label>> labels_;  // by sequence
};

// Those of all processes, the most frequent ones first.
std::vector<std::string> collect_labels(std::span<const Sentence> sentences, Team& team) {
  std::map<std::string, std::int64_t> counts;
  for (const Sentence& sentence : sentences) {
    for (const Token& word : sentence.words()) {
      if (has_label(word)) ++counts[std::string(word.deprel())];
    }
  }
  add_up(team, counts);
  std::vector<std::string> labels;
  labels.reserve(counts.size());
  for (const auto& [label, count] : counts) labels.push_back(label);
  std::sort(labels.begin(), labels.end(), [&](const std::string& a, const std::string& b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
  });
  return labels;
}

RootLabels collect_root_labels(std::span<const Sentence> sentences, std::span<const std::string> labels,
                               Team& team) {
  std::unordered_map<std::string_view, Label> numbers;
  for (std::size_t k = 0; k < labels.size(); ++k) numbers.emplace(labels[k], static_cast<Label>(k));
  constexpr ArcPlace kPlaces[] = {ArcPlace::at_root, ArcPlace::inside};
  std::vector<std::int64_t> counts(labels.size() * std::size(kPlaces));  // by label and place
  for (const Sentence& sentence : sentences) {
    for (const Token& word : sentence.words()) {
      if (!has_label(word) || word.head() == kNoHead) continue;
      const std::size_t place = place_of_arc(word.head()) == kPlaces[0] ? 0 : 1;
      ++counts[numbers.at(word.deprel()) * std::size(kPlaces) + place];
    }
  }
  team.add_up(counts);
  RootLabels root(labels.size());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0)
      root.count(static_cast<Label>(k / std::size(kPlaces)), kPlaces[k % std::size(kPlaces)]);
  }
  return root;
}

}  // namespace

LabellerModel train_labeller(std::span<const Sentence> sentences, std::span<const Sentence> development,
                             const LabellerTrainingOptions& options, TaskPool& pool,
                             SequenceObserver& observer) {
  Team& team = pool.team();
  std::vector<std::string> labels = collect_labels(sentences, team);
  if (labels.empty()) throw DataError("no arc has a label to learn from: DEPREL is _ everywhere");
  if (labels.size() > static_cast<std::size_t>(kMostLabels)) {
    throw DataError(fmt::format("there are {} different labels, more than can be learnt", labels.size()));
  }
  const bool reads_single_feats = is_rich_in_morphology(sentences, team);
  ModifierSource training(sentences, reads_single_feats, pool);
  training.set_labels(sentences, labels);
  ModifierSource dev(development, reads_single_feats, pool);
  dev.set_labels(development, labels);
  SequenceTrainingOptions sequence;
  sequence.order = 1;
  sequence.labels = static_cast<int>(labels.size());
  sequence.learner = options.learner;
  sequence.l2 = options.l2;
  sequence.margin = kMargin;
  sequence.iterations = options.iterations;
  sequence.seed = options.seed;
  sequence.fewest_for_list = kFewestForList;
  sequence.fewest_for_general_list = kFewestForGeneralList;
  sequence.cutoff = kCutoff;
  sequence.candidate_cutoff = kCandidateCutoff;
  if (labels.size() > kManyLabels) {
    sequence.longest_list = kManyLabels;
    sequence.coarse_threshold = kCoarseThreshold;
    sequence.most_candidates = kMostCandidates;
    sequence.candidate_cutoff = 0;  // counting all candidates' features takes more memory than all else
  }
  SequenceModel model = train_sequence_model(training, &dev, sequence, pool, observer);
  RootLabels root = collect_root_labels(sentences, labels, team);
  return {std::move(labels), std::move(root), std::move(model), reads_single_feats};
}

}  // namespace copse
