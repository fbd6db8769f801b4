#include "parsing/known_labels.h"

#include <array>

#include "treebank/pseudo_projective.h"

namespace copse {
namespace {

// Of a tree of one word, no more than the marks of its label can be undone.
std::string without_marks(const std::string& label) {
  std::array<int, 2> heads = {0, 0};
  std::array<std::string, 2> labels = {"_", label};
  pseudo_projective_decode(heads, labels);
  return labels[1];
}

}  // namespace

KnownLabels::KnownLabels(std::span<const std::string> names, bool are_pseudo_projective) {
  for (std::size_t label = 0; label < names.size(); ++label) {
    by_name_[are_pseudo_projective ? without_marks(names[label]) : names[label]].push_back(
        static_cast<Label>(label));
  }
}

void KnownLabels::assign(const Sentence& sentence) {
  is_empty_ = true;
  lists_.assign(static_cast<std::size_t>(sentence.size()) + 1, {});
  for (int word = 1; word <= sentence.size(); ++word) {
    if (sentence[word].deprel() == "_") continue;
    static constexpr Label kUnknownAlone[] = {kUnknown};
    const auto found = by_name_.find(sentence[word].deprel());
    lists_[static_cast<std::size_t>(word)] =
        found == by_name_.end() ? std::span<const Label>(kUnknownAlone) : found->second;
    is_empty_ = false;
  }
}

}  // namespace copse
