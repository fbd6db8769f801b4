#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"
#include "model/label_rows.h"

namespace copse {

// The labels that a user has given to the words of a sentence, as the labels of a model. A workspace for one
// thread.
class KnownLabels {
 public:
  // Borrows the names of the model's labels. Those of pseudo-projective trees may say, too, which arcs were
  // lifted: whichever say so of a label are meant by its name.
  explicit KnownLabels(std::span<const std::string> names, bool are_pseudo_projective = false);

  // Of no model.
  static constexpr Label kUnknown = kMostLabels;

  // The list of a label that the model does not know is kUnknown alone.
  void assign(const Sentence& sentence);
  // Valid until the next sentence.
  AllowedLabels lists() const { return is_empty_ ? AllowedLabels() : AllowedLabels(lists_); }

 private:
  std::map<std::string, std::vector<Label>, std::less<>> by_name_;
  std::vector<std::span<const Label>> lists_;
  bool is_empty_ = true;
};

}  // namespace copse
