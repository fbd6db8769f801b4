#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "io/section_file.h"
#include "sequence/sequence_model.h"

namespace copse {

// Labels the arcs of finished trees. Constant once made, and cheap to copy: threads share it.
//
// The modifiers of a head, from left to right, are a sequence of their own: a chain in which the label of a
// modifier depends on its head, its relatives, the words around it, and the label of the modifier before.
class LabellerModel {
 public:
  static constexpr std::string_view kComponentName = "labeller";

  LabellerModel(std::vector<std::string> labels, RootLabels root, SequenceModel model,
                bool reads_single_feats = false);

  // The section "labeller" of a model file, and "labeller/root"; other sections may stand beside it. Reading
  // throws DataError where it is missing or damaged.
  static LabellerModel from_file(const SectionFile& file);
  static bool is_in(const SectionFile& file);
  void add_to(SectionFileWriter& file) const;

  const std::vector<std::string>& labels() const { return content_->labels; }
  const RootLabels& root() const { return content_->root; }
  const SequenceModel& model() const { return content_->model; }
  // Whether it has learnt from FEATS feature by feature; see Morphology.
  bool reads_single_feats() const { return content_->reads_single_feats; }

 private:
  struct Content {
    std::vector<std::string> labels;  // by number
    RootLabels root;
    SequenceModel model;
    bool reads_single_feats;
  };

  std::shared_ptr<const Content> content_;
};

}  // namespace copse
