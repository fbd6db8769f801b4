#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "labelling/labeller_model.h"
#include "model/tree_labeller.h"

namespace copse {

// Labels the arcs of trees, those of the modifiers of a head together.
class Labeller : public TreeLabeller {
 public:
  explicit Labeller(const LabellerModel& model);
  ~Labeller() override;
  Labeller(Labeller&&) noexcept;
  Labeller& operator=(Labeller&&) noexcept;

  void label(PreparedSentence sentence, std::span<const int> heads, AllowedLabels known,
             std::vector<std::string>& labels, std::vector<double>* probabilities) override {
    label(sentence.sentence(), heads, labels, probabilities, known);
  }
  // The same for a sentence that no parser has read.
  void label(const Sentence& sentence, std::span<const int> heads, std::vector<std::string>& labels,
             std::vector<double>* probabilities = nullptr, AllowedLabels known = {});
  bool labels_arcs_alone() const override { return false; }

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace copse
