#include "tagging/tagger_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "copse/error.h"
#include "parallel/team_values.h"
#include "sequence/sequence_labeller.h"
#include "tagging/tagger_layer.h"
#include "tagging/word_features.h"

namespace copse {
namespace {

// Chosen on development data; docs/tagging.md has the figures.
constexpr double kMargin = 2.0;
constexpr double kCoarseThreshold = 0.01;
constexpr int kFewestForFirstList = 100;  // words that come so often have only the labels seen with them
constexpr int kFewestForLaterList = 50;
// The same for the lists of general keys: tags, in later layers. Rules of lemmas are many and rare.
constexpr int kFewestForTagList = 5;
constexpr int kFewestForTagListOfRules = 50;
// Time and memory of training grow with the candidates of a word: of many labels, lists keep the most
// frequent.
constexpr std::size_t kLongestListOfMany = 200;
constexpr int kCutoff = 2;
constexpr int kCandidateCutoff = 5;

bool has_values(std::span<const Sentence> sentences, TagAttribute attribute) {
  return std::any_of(sentences.begin(), sentences.end(), [&](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(),
                       [&](const Token& word) { return value(word, attribute) != "_"; });
  });
}

// Sentences as a layer sees them.
class TaggedSource : public SequenceSource {
 public:
  TaggedSource(std::span<const Sentence> sentences, TaskPool& pool) : team_(&pool.team()) {
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      if (sentences[k].empty()) continue;
      sentences_.push_back(&sentences[k]);
      numbers_.push_back(number_of_own(*team_, k));
    }
    words_.resize(sentences_.size());
    tags_.resize(sentences_.size());
    labels_.resize(sentences_.size());
    std::vector<WordReader> readers(static_cast<std::size_t>(pool.threads()));
    pool.for_each(sentences_.size(), [&](std::size_t k, int worker) {
      readers[static_cast<std::size_t>(worker)].read(*sentences_[k], words_[k]);
    });
  }

  std::size_t size() const override { return sentences_.size(); }
  std::uint64_t number(std::size_t k) const override { return numbers_[k]; }
  void observe(std::size_t k, int /*worker*/, SequenceObservations& observations) const override {
    observe_words(words_[k], tags_[k], observations);
  }
  std::span<const Label> gold(std::size_t k) const override { return labels_[k]; }

  // The labels of a column in all processes, the most frequent ones first.
  std::vector<std::string> collect_labels(TagAttribute attribute) const {
    std::map<std::string, std::int64_t> counts;
    for (const Sentence* sentence : sentences_) {
      for (const Token& word : sentence->words()) ++counts[label_text(word, attribute)];
    }
    add_up(*team_, counts);
    std::vector<std::pair<std::string, std::int64_t>> ordered(counts.begin(), counts.end());
    std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::vector<std::string> labels;
    for (auto& [label, count] : ordered) labels.push_back(std::move(label));
    return labels;
  }

  void set_labels(std::span<const std::string> labels, TagAttribute attribute) {
    std::unordered_map<std::string_view, Label> numbers;
    for (std::size_t k = 0; k < labels.size(); ++k) numbers.emplace(labels[k], static_cast<Label>(k));
    for (std::size_t k = 0; k < sentences_.size(); ++k) {
      labels_[k].clear();
      for (const Token& word : sentences_[k]->words()) {
        const auto found = numbers.find(label_text(word, attribute));
        labels_[k].push_back(found == numbers.end() ? kUnknownLabel : found->second);
      }
    }
  }

  // Later layers will see these labels.
  void add_tags(std::size_t k, std::span<const Label> labels, std::span<const std::uint64_t> hashes) {
    tags_[k].resize(labels.size(), 0);
    for (std::size_t word = 0; word < labels.size(); ++word) {
      tags_[k][word] = next_tag(tags_[k][word], hashes[labels[word]]);
    }
  }

 private:
  Team* team_;
  std::vector<const Sentence*> sentences_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::vector<WordTraits>> words_;
  std::vector<std::vector<std::uint64_t>> tags_;  // empty before the first layer
  std::vector<std::vector<Label>> labels_;
};

// Later layers will see the gold labels of training data, and what the model says about development data.
// (To train them on what a model says about text that it has not seen sounds better, and turned out to be
// worse.)
void add_tags_for_later_layers(const TaggerLayer& layer, TaggedSource& training, TaggedSource& dev,
                               TaskPool& pool) {
  for (std::size_t k = 0; k < training.size(); ++k) training.add_tags(k, training.gold(k), layer.hashes);
  struct Worker {
    SequenceLabeller labeller;
    SequenceObservations observations;
  };
  std::vector<Worker> workers;
  for (int k = 0; k < pool.threads(); ++k) workers.push_back({SequenceLabeller(layer.model), {}});
  pool.for_each(dev.size(), [&](std::size_t k, int number) {
    Worker& worker = workers[static_cast<std::size_t>(number)];
    dev.observe(k, number, worker.observations);
    worker.labeller.assign(worker.observations);
    dev.add_tags(k, worker.labeller.best(), layer.hashes);
  });
}

// The attributes to learn, in the order of the columns.
std::vector<TagAttribute> choose_attributes(std::span<const Sentence> sentences,
                                            const TaggerTrainingOptions& options, Team& team) {
  std::vector<TagAttribute> attributes;
  for (const TagAttribute attribute : kTagAttributes) {
    const bool is_wanted = std::find(options.attributes.begin(), options.attributes.end(), attribute) !=
                           options.attributes.end();
    if (!options.attributes.empty() && !is_wanted) continue;
    if (team.any(has_values(sentences, attribute))) {
      attributes.push_back(attribute);
    } else if (is_wanted) {
      throw DataError(
          fmt::format("no word has a value of {}; leave it out of the attributes", upper_name(attribute)));
    }
  }
  if (attributes.empty()) {
    throw DataError("no word has a value of UPOS, XPOS, FEATS or LEMMA; give sentences that are tagged");
  }
  return attributes;
}

// One layer per attribute. Fine tags come first: the others nearly follow from them.
std::vector<TagAttribute> plan_layers(std::vector<TagAttribute> attributes) {
  const auto fine = std::find(attributes.begin(), attributes.end(), TagAttribute::xpos);
  if (fine != attributes.end()) std::rotate(attributes.begin(), fine, fine + 1);
  return attributes;
}

SequenceTrainingOptions layer_options(const TaggerTrainingOptions& options, const TaggerLayer& layer,
                                      bool is_first) {
  SequenceTrainingOptions sequence;
  sequence.order = is_first ? options.order : 0;
  sequence.labels = static_cast<int>(layer.labels.size());
  sequence.learner = options.learner;
  sequence.l2 = options.l2;
  sequence.margin = kMargin;
  sequence.iterations = options.iterations;
  sequence.seed = options.seed;
  sequence.fewest_for_list = is_first ? kFewestForFirstList : kFewestForLaterList;
  sequence.coarse_threshold = is_first ? kCoarseThreshold : 0.0;
  sequence.fewest_for_general_list = is_first           ? kFewestForFirstList
                                     : layer.is_lemma() ? kFewestForTagListOfRules
                                                        : kFewestForTagList;
  if (sequence.labels > kManySequenceLabels) sequence.longest_list = kLongestListOfMany;
  sequence.cutoff = kCutoff;
  sequence.candidate_cutoff = kCandidateCutoff;
  return sequence;
}

TaggerModel::Facts facts(const TaggerTrainingOptions& options, std::span<const Sentence> sentences,
                         Team& team) {
  std::int64_t words = 0;
  for (const Sentence& sentence : sentences) words += sentence.size();
  TaggerModel::Facts facts;
  facts.emplace_back("order", fmt::format("{}", options.order));
  facts.emplace_back("learner", name(options.learner));
  if (options.learner != LearnerKind::perceptron) facts.emplace_back("l2", fmt::format("{}", options.l2));
  if (options.iterations > 0) facts.emplace_back("iterations", fmt::format("{}", options.iterations));
  facts.emplace_back("seed", fmt::format("{}", options.seed));
  facts.emplace_back("training sentences", fmt::format("{}", team.sum(std::ssize(sentences))));
  facts.emplace_back("training words", fmt::format("{}", team.sum(words)));
  return facts;
}

}  // namespace

TaggerModel train_tagger(std::span<const Sentence> sentences, std::span<const Sentence> development,
                         const TaggerTrainingOptions& options, TaskPool& pool, TaggerObserver& observer) {
  TaggedSource training(sentences, pool);
  TaggedSource dev(development, pool);
  Team& team = pool.team();
  if (!team.any(training.size() > 0)) throw DataError("there is no sentence to learn from");
  const std::vector<TagAttribute> plan = plan_layers(choose_attributes(sentences, options, team));
  std::vector<TaggerLayer> layers;
  for (const TagAttribute attribute : plan) {
    TaggerLayer layer;
    layer.attribute = attribute;
    layer.labels = training.collect_labels(attribute);
    if (layer.labels.size() > static_cast<std::size_t>(kMostLabels)) {
      throw DataError(fmt::format("{} has {} different values, more than can be learnt; leave it out",
                                  upper_name(attribute), layer.labels.size()));
    }
    layer.read_labels();
    training.set_labels(layer.labels, attribute);
    dev.set_labels(layer.labels, attribute);
    observer.on_stage(fmt::format("learning {}: {} labels", upper_name(attribute), layer.labels.size()));
    layer.model =
        train_sequence_model(training, &dev, layer_options(options, layer, layers.empty()), pool, observer);
    if (layers.size() + 1 < plan.size()) add_tags_for_later_layers(layer, training, dev, pool);
    layers.push_back(std::move(layer));
  }
  return {std::move(layers), facts(options, sentences, team)};
}

}  // namespace copse
