#include "constituency/constituent_tree.h"

#include <algorithm>

namespace copse {
namespace {

constexpr std::string_view kLabelSeparators = "-=";

}  // namespace

void ConstituentTree::clear() {
  nodes_.clear();
  open_.clear();
}

void ConstituentTree::open(std::string_view label) {
  open_.push_back(size());
  nodes_.push_back({std::string(label), {}, 0});
}

void ConstituentTree::close() {
  nodes_[static_cast<size_t>(open_.back())].end = size();
  open_.pop_back();
}

void ConstituentTree::add_word(std::string_view tag, std::string_view form) {
  nodes_.push_back({std::string(tag), std::string(form), size() + 1});
}

int ConstituentTree::words() const {
  return static_cast<int>(
      std::count_if(nodes_.begin(), nodes_.end(), [](const Constituent& node) { return node.is_word(); }));
}

std::string ConstituentTree::to_text() const {
  std::string text;
  std::vector<int> ends;  // of the constituents around this place
  for (int node = 0; node < size(); ++node) {
    for (; !ends.empty() && ends.back() == node; ends.pop_back()) text += ')';
    if (!text.empty()) text += ' ';
    const Constituent& constituent = (*this)[node];
    text += '(';
    text += constituent.label;
    if (constituent.is_word()) {
      text += ' ';
      text += constituent.form;
    }
    ends.push_back(constituent.end);
  }
  text.append(ends.size(), ')');
  return text;
}

std::string_view bare_category(std::string_view label) {
  const size_t cut = label.find_first_of(kLabelSeparators);
  return cut == 0 ? label : label.substr(0, cut);
}

bool has_function(std::string_view label, std::string_view function) {
  label.remove_prefix(bare_category(label).size());
  while (!label.empty()) {
    label.remove_prefix(1);  // the separator
    const std::string_view piece = label.substr(0, label.find_first_of(kLabelSeparators));
    if (piece == function) return true;
    label.remove_prefix(piece.size());
  }
  return false;
}

}  // namespace copse
