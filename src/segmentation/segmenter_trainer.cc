#include "segmentation/segmenter_trainer.h"

#include <fmt/format.h>

#include <algorithm>

#include "copse/error.h"
#include "segmentation/segmenter_content.h"
#include "segmentation/surface_text.h"
#include "segmentation/training_text.h"

namespace copse {
namespace {

// Chosen on development data; docs/segmentation.md has the figures.
constexpr double kMargin = 2.0;
constexpr int kFewestForList = 500;        // of the kinds of characters around
constexpr int kFewestForGeneralList = 20;  // of space
constexpr int kCutoff = 2;
constexpr int kCandidateCutoff = 2;

// What training pieces get to know about words comes from other pieces: otherwise every word would be known.
constexpr std::size_t kFolds = 5;
constexpr std::size_t kPiecesTogether = 20;

// Pieces as sequences of slots.
class SlotSource : public SequenceSource {
 public:
  // Borrows both. `rules` are one for all pieces, or kFolds of them.
  SlotSource(std::span<const TrainingPiece> pieces, std::span<const SlotRules> rules, int threads)
      : pieces_(pieces), rules_(rules), workers_(static_cast<std::size_t>(threads)) {
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      Worker& worker = workers_[0];
      worker.row.assign(pieces[k].text);
      worker.reader.read(worker.row, rules_of(k));
      labels_.push_back(slot_labels(pieces[k], worker.row, worker.reader.slots(), lost_));
      slots_ += static_cast<std::int64_t>(labels_.back().size());
      characters_ += worker.row.size();
      if (!labels_.back().empty()) used_.push_back(k);
    }
  }

  std::size_t size() const override { return used_.size(); }
  void observe(std::size_t k, int worker_number, SequenceObservations& observations) const override {
    Worker& worker = workers_[static_cast<std::size_t>(worker_number)];
    worker.row.assign(pieces_[used_[k]].text);
    worker.reader.read(worker.row, rules_of(used_[k]));
    worker.reader.observe(observations);
  }
  std::span<const Label> gold(std::size_t k) const override { return labels_[used_[k]]; }

  static std::size_t fold_of(std::size_t piece) { return piece / kPiecesTogether % kFolds; }
  std::int64_t characters() const { return characters_; }
  std::int64_t slots() const { return slots_; }
  std::int64_t lost() const { return lost_; }

 private:
  struct Worker {
    TextRow row;
    SlotReader reader;
  };

  const SlotRules& rules_of(std::size_t piece) const {
    return rules_.size() == 1 ? rules_[0] : rules_[fold_of(piece)];
  }

  std::span<const TrainingPiece> pieces_;
  std::span<const SlotRules> rules_;
  mutable std::vector<Worker> workers_;  // each used by one thread
  std::vector<std::size_t> used_;        // pieces with slots
  std::vector<std::vector<Label>> labels_;
  std::int64_t characters_ = 0;
  std::int64_t slots_ = 0;
  std::int64_t lost_ = 0;
};

SequenceTrainingOptions sequence_options(const SegmenterTrainingOptions& options) {
  SequenceTrainingOptions sequence;
  sequence.order = options.order;
  sequence.labels = kSlotLabels;
  sequence.learner = options.learner;
  sequence.l2 = options.l2;
  sequence.margin = kMargin;
  sequence.iterations = options.iterations;
  sequence.seed = options.seed;
  sequence.fewest_for_list = kFewestForList;
  sequence.fewest_for_general_list = kFewestForGeneralList;
  sequence.cutoff = kCutoff;
  sequence.candidate_cutoff = kCandidateCutoff;
  return sequence;
}

SegmenterModel::Facts facts(const SegmenterTrainingOptions& options, std::span<const Sentence> sentences,
                            const SlotSource& training) {
  SegmenterModel::Facts facts;
  facts.emplace_back("order", fmt::format("{}", options.order));
  facts.emplace_back("learner", name(options.learner));
  if (options.learner != LearnerKind::perceptron) facts.emplace_back("l2", fmt::format("{}", options.l2));
  facts.emplace_back("seed", fmt::format("{}", options.seed));
  facts.emplace_back("training sentences", fmt::format("{}", sentences.size()));
  facts.emplace_back("training characters", fmt::format("{}", training.characters()));
  return facts;
}

}  // namespace

SegmenterModel train_segmenter(std::span<const Sentence> sentences, std::span<const Sentence> development,
                               const SegmenterTrainingOptions& options, TaskPool& pool,
                               SegmenterObserver& observer) {
  const std::vector<TrainingPiece> pieces = training_pieces(sentences);
  const std::vector<TrainingPiece> dev_pieces = training_pieces(development);
  if (pieces.empty()) throw DataError("there is no sentence to learn from");
  SegmenterContent model;
  model.rules = learn_rules(pieces, std::vector<bool>(pieces.size()));
  model.splitter = learn_splits(sentences);
  std::vector<SlotRules> fold_rules(pieces.size() > kPiecesTogether * kFolds ? kFolds : 1);
  pool.for_each(fold_rules.size(), [&](std::size_t fold, int) {
    std::vector<bool> is_left_out(pieces.size());
    for (std::size_t k = 0; k < pieces.size() && fold_rules.size() > 1; ++k) {
      is_left_out[k] = SlotSource::fold_of(k) == fold;
    }
    fold_rules[fold] = learn_rules(pieces, is_left_out);
  });
  const SlotSource training(pieces, fold_rules, pool.threads());
  const SlotSource dev(dev_pieces, std::span(&model.rules, 1), pool.threads());
  if (training.size() == 0) {
    throw DataError("there is nothing to decide in the text of the sentences; give more of them");
  }
  observer.on_data({training.characters(), training.slots(), training.lost(), model.rules.words.size(),
                    model.splitter.forms(), model.splitter.ends()});
  model.labels = train_sequence_model(training, dev.size() > 0 ? &dev : nullptr, sequence_options(options),
                                      pool, observer);
  return SegmenterModel(std::move(model), facts(options, sentences, training));
}

}  // namespace copse
