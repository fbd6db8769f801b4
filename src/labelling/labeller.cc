#include "labelling/labeller.h"

#include <algorithm>
#include <utility>

#include "labelling/labelled_tree.h"
#include "sequence/sequence_labeller.h"
#include "treebank/head_probability.h"
#include "treebank/misc_probability.h"

namespace copse {

class Labeller::Impl {
 public:
  Impl(const LabellerModel& labeller, const LabellingOptions& options)
      : labeller_(labeller), options_(options), sequence_(labeller_.model()) {}

  void label(Sentence& sentence) {
    if (sentence.empty()) return;
    if (options_.probabilities) make_conllu(sentence);
    tree_.assign(sentence, reader_);
    for (int head = 0; head <= tree_.words(); ++head) {
      if (!tree_.modifiers(head).empty()) label_modifiers(head, sentence);
    }
  }

 private:
  void label_modifiers(int head, Sentence& sentence) {
    tree_.observe(head, observations_);
    sequence_.assign(observations_);
    const std::span<const Label> best = sequence_.best();
    for (std::size_t k = 0; k < best.size(); ++k) {
      Token& word = sentence[tree_.modifiers(head)[k]];
      word.set_deprel(labeller_.labels()[best[k]]);
      if (options_.probabilities) {
        set_misc_probability(word, kLabelProbabilityKey, probability(static_cast<int>(k), best[k]));
      }
    }
  }

  double probability(int position, Label label) {
    const std::span<const Label> candidates = sequence_.candidates(position);
    const auto at = std::find(candidates.begin(), candidates.end(), label) - candidates.begin();
    return sequence_.probabilities(position)[static_cast<std::size_t>(at)];
  }

  LabellerModel labeller_;
  LabellingOptions options_;
  SequenceLabeller sequence_;
  WordReader reader_;
  LabelledTree tree_;
  SequenceObservations observations_;
};

Labeller::Labeller(const LabellerModel& labeller, const LabellingOptions& options)
    : impl_(std::make_unique<Impl>(labeller, options)) {}
Labeller::~Labeller() = default;
Labeller::Labeller(Labeller&&) noexcept = default;
Labeller& Labeller::operator=(Labeller&&) noexcept = default;

void Labeller::label(Sentence& tree) { impl_->label(tree); }

}  // namespace copse
