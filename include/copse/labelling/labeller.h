#pragma once

#include <memory>
#include <string>
#include <vector>

#include "copse/io/section_file.h"
#include "copse/sequence/sequence_model.h"
#include "copse/treebank/sentence.h"

namespace copse {

// Labels the arcs of finished trees. Constant once made, and cheap to copy: threads share it.
//
// The modifiers of a head, from left to right, are a sequence of their own: a chain in which the label of a
// modifier depends on its head, its relatives, the words around it, and the label of the modifier before.
class Labeller {
 public:
  Labeller(std::vector<std::string> labels, SequenceModel model);

  // The section "labeller" of a model file; other sections may stand beside it. Reading throws DataError
  // where it is missing or damaged.
  static Labeller from_file(const SectionFile& file);
  static bool is_in(const SectionFile& file);
  void add_to(SectionFileWriter& file) const;

  const std::vector<std::string>& labels() const { return content_->labels; }
  const SequenceModel& model() const { return content_->model; }

 private:
  struct Content {
    std::vector<std::string> labels;  // by number
    SequenceModel model;
  };

  std::shared_ptr<const Content> content_;
};

struct LabellingSettings {
  // Also write how probable each label is, given the tree: PDEPREL=0.9821 in MISC. Only CoNLL-U has room for
  // that, so other formats become CoNLL-U.
  bool probabilities = false;
};

// A workspace for one thread; the labeller is shared.
class SentenceLabeller {
 public:
  explicit SentenceLabeller(const Labeller& labeller, const LabellingSettings& settings = {});
  ~SentenceLabeller();
  SentenceLabeller(SentenceLabeller&&) noexcept;
  SentenceLabeller& operator=(SentenceLabeller&&) noexcept;

  // Overwrites DEPREL of all words that have a head, and leaves the others alone.
  void label(Sentence& tree);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace copse
