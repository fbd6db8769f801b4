#include "segmentation/segmenter_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "copse/error.h"
#include "segmentation/segmenter_content.h"
#include "segmentation/surface_text.h"
#include "segmentation/training_text.h"
#include "treebank/dealt_sentences.h"

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

// Pieces as sequences of slots: of those of all processes, every process has its own ones.
class SlotSource : public SequenceSource {
 public:
  // Borrows pieces and rules. `rules` are one for all pieces, or kFolds of them.
  SlotSource(std::span<const TrainingPiece> pieces, std::span<const SlotRules> rules, TaskPool& pool)
      : pieces_(pieces), rules_(rules), workers_(static_cast<std::size_t>(pool.threads())) {
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      if (!is_own(pool.team(), k)) continue;
      Worker& worker = workers_[0];
      worker.row.assign(pieces[k].text);
      worker.reader.read(worker.row, rules_of(k));
      std::vector<Label> labels = slot_labels(pieces[k], worker.row, worker.reader.slots(), data_[kLost]);
      data_[kSlots] += static_cast<std::int64_t>(labels.size());
      data_[kCharacters] += worker.row.size();
      if (labels.empty()) continue;
      used_.push_back(k);
      labels_.push_back(std::move(labels));
    }
    pool.team().add_up(data_);
  }

  std::size_t size() const override { return used_.size(); }
  std::uint64_t number(std::size_t k) const override { return used_[k]; }
  void observe(std::size_t k, int worker_number, SequenceObservations& observations) const override {
    Worker& worker = workers_[static_cast<std::size_t>(worker_number)];
    worker.row.assign(pieces_[used_[k]].text);
    worker.reader.read(worker.row, rules_of(used_[k]));
    worker.reader.observe(observations);
  }
  std::span<const Label> gold(std::size_t k) const override { return labels_[k]; }

  static std::size_t fold_of(std::size_t piece) { return piece / kPiecesTogether % kFolds; }
  // Of all processes.
  std::int64_t characters() const { return data_[kCharacters]; }
  std::int64_t slots() const { return data_[kSlots]; }
  std::int64_t lost() const { return data_[kLost]; }

 private:
  struct Worker {
    TextRow row;
    SlotReader reader;
  };
  enum Sum : std::size_t { kCharacters, kSlots, kLost };

  const SlotRules& rules_of(std::size_t piece) const {
    return rules_.size() == 1 ? rules_[0] : rules_[fold_of(piece)];
  }

  std::span<const TrainingPiece> pieces_;
  std::span<const SlotRules> rules_;
  mutable std::vector<Worker> workers_;  // each used by one thread
  std::vector<std::size_t> used_;        // own pieces with slots
  std::vector<std::vector<Label>> labels_;
  std::array<std::int64_t, 3> data_ = {};  // by Sum
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

// What is made of the sentences of all processes.
struct TextData {
  std::size_t sentences;
  std::vector<TrainingPiece> pieces;
  WordSplitter splitter;
  std::vector<SplitExample> tokens;
  std::optional<ContextSplitter> context;
};

SegmenterModel::Facts facts(const SegmenterTrainingOptions& options, std::size_t sentences,
                            const SlotSource& training) {
  SegmenterModel::Facts facts;
  facts.emplace_back("order", fmt::format("{}", options.order));
  facts.emplace_back("learner", name(options.learner));
  if (options.learner != LearnerKind::perceptron) facts.emplace_back("l2", fmt::format("{}", options.l2));
  if (options.iterations > 0) facts.emplace_back("iterations", fmt::format("{}", options.iterations));
  facts.emplace_back("seed", fmt::format("{}", options.seed));
  facts.emplace_back("training sentences", fmt::format("{}", sentences));
  facts.emplace_back("training characters", fmt::format("{}", training.characters()));
  return facts;
}

}  // namespace

SegmenterModel train_segmenter(std::span<const Sentence> sentences, std::span<const Sentence> development,
                               const SegmenterTrainingOptions& options, TaskPool& pool,
                               SegmenterObserver& observer) {
  TextData data = with_all_sentences(pool.team(), sentences, [&](std::span<const Sentence> all) {
    return TextData{all.size(), training_pieces(all), learn_splits(all), split_examples(all),
                    train_context_splitter(all, pool)};
  });
  const std::vector<TrainingPiece>& pieces = data.pieces;
  const std::vector<TrainingPiece> dev_pieces = with_all_sentences(pool.team(), development, training_pieces);
  if (pieces.empty()) throw DataError("there is no sentence to learn from");
  SegmenterContent model;
  model.rules = learn_rules(pieces, std::vector<bool>(pieces.size()));
  model.splitter = std::move(data.splitter);
  model.characters = train_character_splitter(data.tokens, pool);
  model.context = std::move(data.context);
  std::vector<SlotRules> fold_rules(pieces.size() > kPiecesTogether * kFolds ? kFolds : 1);
  pool.for_each(fold_rules.size(), [&](std::size_t fold, int) {
    std::vector<bool> is_left_out(pieces.size());
    for (std::size_t k = 0; k < pieces.size() && fold_rules.size() > 1; ++k) {
      is_left_out[k] = SlotSource::fold_of(k) == fold;
    }
    fold_rules[fold] = learn_rules(pieces, is_left_out);
  });
  const SlotSource training(pieces, fold_rules, pool);
  const SlotSource dev(dev_pieces, std::span(&model.rules, 1), pool);
  if (training.slots() == 0) {
    throw DataError("there is nothing to decide in the text of the sentences; give more of them");
  }
  observer.on_data({training.characters(), training.slots(), training.lost(), model.rules.words.size(),
                    model.splitter.forms(), model.splitter.ends()});
  model.labels = train_sequence_model(training, &dev, sequence_options(options), pool, observer);
  return SegmenterModel(std::move(model), facts(options, data.sentences, training));
}

}  // namespace copse
