#include "copse/tagging/tagger_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "copse/error.h"
#include "copse/learning/trainer.h"
#include "copse/sequence/sequence_labeller.h"
#include "tagging/tagger_layer.h"
#include "tagging/word_features.h"

namespace copse {
namespace {

constexpr std::size_t kBlock = 32;  // neighbouring sentences belong to one text and to one fold

double env(const char* key, double d) {
  const char* v = std::getenv(key);
  return v ? std::atof(v) : d;
}

bool has_values(std::span<const Sentence> sentences, TagAttribute attribute) {
  return std::any_of(sentences.begin(), sentences.end(), [&](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(),
                       [&](const Token& word) { return value(word, attribute) != "_"; });
  });
}

// Sentences as a layer sees them.
class TaggedSource : public SequenceSource {
 public:
  TaggedSource(std::span<const Sentence> sentences, TaskPool& pool) {
    for (const Sentence& sentence : sentences) {
      if (!sentence.empty()) sentences_.push_back(&sentence);
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
  void observe(std::size_t k, int /*worker*/, SequenceObservations& observations) const override {
    observe_words(words_[k], tags_[k], observations);
  }
  std::span<const Label> gold(std::size_t k) const override { return labels_[k]; }

  // The labels of these columns, the most frequent ones first.
  std::vector<std::string> collect_labels(std::span<const TagAttribute> attributes) const {
    std::unordered_map<std::string, std::int64_t> counts;
    for (const Sentence* sentence : sentences_) {
      for (const Token& word : sentence->words()) ++counts[label_text(word, attributes)];
    }
    std::vector<std::pair<std::string, std::int64_t>> ordered(counts.begin(), counts.end());
    std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::vector<std::string> labels;
    for (auto& [label, count] : ordered) labels.push_back(std::move(label));
    return labels;
  }

  void set_labels(std::span<const std::string> labels, std::span<const TagAttribute> attributes) {
    std::unordered_map<std::string_view, Label> numbers;
    for (std::size_t k = 0; k < labels.size(); ++k) numbers.emplace(labels[k], static_cast<Label>(k));
    for (std::size_t k = 0; k < sentences_.size(); ++k) {
      labels_[k].clear();
      for (const Token& word : sentences_[k]->words()) {
        const auto found = numbers.find(label_text(word, attributes));
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
  std::vector<const Sentence*> sentences_;
  std::vector<std::vector<WordTraits>> words_;
  std::vector<std::vector<std::uint64_t>> tags_;  // empty before the first layer
  std::vector<std::vector<Label>> labels_;
};

// A part of another source.
class PartOfSource : public SequenceSource {
 public:
  PartOfSource(const SequenceSource& all, std::vector<std::size_t> sequences)
      : all_(&all), sequences_(std::move(sequences)) {}
  std::size_t size() const override { return sequences_.size(); }
  void observe(std::size_t k, int worker, SequenceObservations& observations) const override {
    all_->observe(sequences_[k], worker, observations);
  }
  std::span<const Label> gold(std::size_t k) const override { return all_->gold(sequences_[k]); }

 private:
  const SequenceSource* all_;
  std::vector<std::size_t> sequences_;
};

// Has the model label these sequences, and tells the source.
void add_predicted_tags(const SequenceModel& model, std::span<const std::uint64_t> hashes,
                        std::span<const std::size_t> sequences, TaggedSource& source, TaskPool& pool) {
  struct Worker {
    SequenceLabeller labeller;
    SequenceObservations observations;
  };
  std::vector<Worker> workers;
  for (int k = 0; k < pool.threads(); ++k) workers.push_back({SequenceLabeller(model), {}});
  pool.for_each(sequences.size(), [&](std::size_t k, int number) {
    Worker& worker = workers[static_cast<std::size_t>(number)];
    source.observe(sequences[k], number, worker.observations);
    worker.labeller.assign(worker.observations);
    source.add_tags(sequences[k], worker.labeller.best(), hashes);
  });
}

std::vector<std::size_t> numbers_up_to(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = k;
  return numbers;
}

// What a layer says about its own training data is better than what it will say about new text, and later
// layers would learn to trust it too much: so every sentence is tagged by a model that has not seen it.
void add_tags_by_strangers(const SequenceTrainingOptions& options, std::span<const std::uint64_t> hashes,
                           int folds, TaggedSource& source, TaskPool& pool, TaggerObserver& observer) {
  SequenceObserver silence;
  if (source.size() < kBlock * static_cast<std::size_t>(folds)) folds = 1;
  if (folds < 2) {
    for (std::size_t k = 0; k < source.size(); ++k) source.add_tags(k, source.gold(k), hashes);
    return;
  }
  for (int fold = 0; fold < folds; ++fold) {
    if (observer.should_stop()) throw TrainingStopped();
    std::vector<std::size_t> own;
    std::vector<std::size_t> others;
    for (std::size_t k = 0; k < source.size(); ++k) {
      (static_cast<int>(k / kBlock % static_cast<std::size_t>(folds)) == fold ? own : others).push_back(k);
    }
    const SequenceModel model =
        train_sequence_model(PartOfSource(source, others), nullptr, options, pool, silence);
    add_predicted_tags(model, hashes, own, source, pool);
  }
}

std::string upper_names(std::span<const TagAttribute> attributes) {
  std::string text;
  for (const TagAttribute attribute : attributes) {
    if (!text.empty()) text += ", ";
    for (const char c : name(attribute)) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

// The attributes to learn, in the order of the columns.
std::vector<TagAttribute> choose_attributes(std::span<const Sentence> sentences, const TaggerOptions& options) {
  std::vector<TagAttribute> attributes;
  for (const TagAttribute attribute : kTagAttributes) {
    const bool is_wanted = std::find(options.attributes.begin(), options.attributes.end(), attribute) !=
                           options.attributes.end();
    if (!options.attributes.empty() && !is_wanted) continue;
    if (has_values(sentences, attribute)) {
      attributes.push_back(attribute);
    } else if (is_wanted) {
      throw DataError(fmt::format("no word has a value of {}; leave it out of the attributes",
                                  upper_names(std::span(&attribute, 1))));
    }
  }
  if (attributes.empty()) {
    throw DataError("no word has a value of UPOS, XPOS, FEATS or LEMMA; give sentences that are tagged");
  }
  return attributes;
}

std::vector<std::vector<TagAttribute>> plan_layers(const std::vector<TagAttribute>& attributes) {
  std::vector<std::vector<TagAttribute>> layers;
  if (const char* spec = std::getenv("LAYERS")) {
    layers.emplace_back();
    std::string word;
    for (const char* c = spec;; ++c) {
      if (*c == ',' || *c == '+' || *c == 0) {
        layers.back().push_back(*parse_tag_attribute(word));
        word.clear();
        if (*c == ',') layers.emplace_back();
        if (*c == 0) break;
      } else word += *c;
    }
    return layers;
  }
  for (const TagAttribute attribute : attributes) layers.push_back({attribute});
  return layers;
}

SequenceTrainingOptions layer_options(const TaggerOptions& options, const TaggerLayer& layer, bool is_first) {
  SequenceTrainingOptions sequence;
  sequence.order = is_first ? options.order : 0;
  sequence.labels = static_cast<int>(layer.labels.size());
  sequence.learner = options.learner;
  sequence.l2 = options.l2;
  sequence.iterations = options.iterations;
  sequence.seed = options.seed;
  sequence.coarse_threshold = is_first ? env("THRESH", 1e-3) : 0;
  sequence.margin = env("MARGIN", 0);
  sequence.cutoff = (int)env("CUTOFF", 1);
  sequence.candidate_cutoff = (int)env("CANDCUT", 0);
  sequence.fewest_for_list = (int)env("FEWEST", 10);
  sequence.unit = env("UNIT", 0.0625);
  sequence.smallest = env("SMALLEST", 0);
  return sequence;
}

Tagger::Facts facts(const TaggerOptions& options, std::span<const Sentence> sentences) {
  std::int64_t words = 0;
  for (const Sentence& sentence : sentences) words += sentence.size();
  Tagger::Facts facts;
  facts.emplace_back("order", fmt::format("{}", options.order));
  facts.emplace_back("learner", name(options.learner));
  if (options.learner != LearnerKind::perceptron) facts.emplace_back("l2", fmt::format("{}", options.l2));
  facts.emplace_back("seed", fmt::format("{}", options.seed));
  facts.emplace_back("training sentences", fmt::format("{}", sentences.size()));
  facts.emplace_back("training words", fmt::format("{}", words));
  return facts;
}

}  // namespace

Tagger train_tagger(std::span<const Sentence> sentences, std::span<const Sentence> development,
                    const TaggerOptions& options, TaskPool& pool, TaggerObserver& observer) {
  TaggedSource training(sentences, pool);
  TaggedSource dev(development, pool);
  if (training.size() == 0) throw DataError("there is no sentence to learn from");
  const auto plan = plan_layers(choose_attributes(sentences, options));
  std::vector<TaggerLayer> layers;
  for (const std::vector<TagAttribute>& attributes : plan) {
    TaggerLayer layer;
    layer.attributes = attributes;
    layer.labels = training.collect_labels(attributes);
    if (layer.labels.size() > static_cast<std::size_t>(kMostLabels)) {
      throw DataError(fmt::format("{} has {} different values; that is more than can be learnt", upper_names(attributes), layer.labels.size()));
    }
    layer.read_labels();
    training.set_labels(layer.labels, attributes);
    dev.set_labels(layer.labels, attributes);
    observer.on_stage(fmt::format("learning {}: {} labels", upper_names(attributes), layer.labels.size()));
    const SequenceTrainingOptions sequence = layer_options(options, layer, layers.empty());
    layer.model = train_sequence_model(training, dev.size() > 0 ? &dev : nullptr, sequence, pool, observer);
    const bool is_last = layers.size() + 1 == plan.size();
    if (!is_last) {
      observer.on_stage("tagging the training data for the next layer");
      add_tags_by_strangers(sequence, layer.hashes, (int)env("FOLDS", 2), training, pool, observer);
      add_predicted_tags(layer.model, layer.hashes, numbers_up_to(dev.size()), dev, pool);
    }
    layers.push_back(std::move(layer));
  }
  return Tagger(std::move(layers), facts(options, sentences));
}

}  // namespace copse
