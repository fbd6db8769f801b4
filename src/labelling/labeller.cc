#include "labelling/labeller.h"

#include <algorithm>
#include <utility>

#include "labelling/labelled_tree.h"
#include "sequence/sequence_labeller.h"

namespace copse {

class Labeller::Impl {
 public:
  explicit Impl(const LabellerModel& model) : model_(model), sequence_(model_.model()) {}

  void label(const Sentence& sentence, std::span<const int> heads, std::vector<std::string>& labels,
             std::vector<double>* probabilities, AllowedLabels known) {
    labels.assign(heads.size(), "_");
    if (probabilities != nullptr) probabilities->assign(heads.size(), 0.0);
    if (sentence.empty()) return;
    tree_.assign(sentence, heads, reader_, model_.reads_single_feats());
    for (int head = 0; head <= tree_.words(); ++head) {
      if (!tree_.modifiers(head).empty()) label_modifiers(head, known, labels, probabilities);
    }
  }

 private:
  void label_modifiers(int head, AllowedLabels known, std::vector<std::string>& labels,
                       std::vector<double>* probabilities) {
    tree_.observe(head, observations_);
    known_.clear();
    if (!known.empty()) {
      for (const int word : tree_.modifiers(head)) known_.push_back(known[static_cast<std::size_t>(word)]);
    }
    sequence_.assign(observations_, known_);
    const std::span<const Label> best = sequence_.best();
    for (std::size_t k = 0; k < best.size(); ++k) {
      const auto word = static_cast<std::size_t>(tree_.modifiers(head)[k]);
      labels[word] = model_.labels()[best[k]];
      if (probabilities != nullptr) {
        (*probabilities)[word] = std::clamp(probability(static_cast<int>(k), best[k]), 0.0, 1.0);
      }
    }
  }

  double probability(int position, Label label) {
    const std::span<const Label> candidates = sequence_.candidates(position);
    const auto at = std::find(candidates.begin(), candidates.end(), label) - candidates.begin();
    return sequence_.probabilities(position)[static_cast<std::size_t>(at)];
  }

  LabellerModel model_;
  SequenceLabeller sequence_;
  WordReader reader_;
  LabelledTree tree_;
  SequenceObservations observations_;
  std::vector<std::span<const Label>> known_;  // of the modifiers of one head
};

Labeller::Labeller(const LabellerModel& model) : impl_(std::make_unique<Impl>(model)) {}
Labeller::~Labeller() = default;
Labeller::Labeller(Labeller&&) noexcept = default;
Labeller& Labeller::operator=(Labeller&&) noexcept = default;

void Labeller::label(const Sentence& sentence, std::span<const int> heads, std::vector<std::string>& labels,
                     std::vector<double>* probabilities, AllowedLabels known) {
  impl_->label(sentence, heads, labels, probabilities, known);
}

}  // namespace copse
