#include "constituency/conversion_rules.h"

#include <algorithm>

#include "constituency/constituent_tree.h"

namespace copse {
namespace {

// The first child in this direction that is as wanted, or -1.
template <class IsWanted>
int find_child(std::span<const HeadCandidate> children, ScanDirection direction, IsWanted is_wanted) {
  const int count = static_cast<int>(children.size());
  for (int k = 0; k < count; ++k) {
    const int child = direction == ScanDirection::from_left ? k : count - 1 - k;
    if (is_wanted(children[static_cast<size_t>(child)])) return child;
  }
  return -1;
}

bool accepts(const CategorySet& set, std::string_view label) {
  return set.empty() || set.contains(bare_category(label));
}

bool has_any_function(std::string_view label, const CategorySet& functions) {
  return std::any_of(functions.begin(), functions.end(),
                     [&](const std::string& function) { return has_function(label, function); });
}

}  // namespace

int ConversionRules::head_child(std::string_view category, std::span<const HeadCandidate> children) const {
  const auto found = head_rules_.find(category);
  const HeadRule& rule = found == head_rules_.end() ? default_rule_ : found->second;
  for (const HeadRule::Group& group : rule.groups) {
    const int child = find_child(children, group.direction, [&](const HeadCandidate& candidate) {
      return std::find(group.categories.begin(), group.categories.end(), candidate.category) !=
             group.categories.end();
    });
    if (child >= 0) return child;
  }
  const int child = find_child(children, rule.otherwise, [&](const HeadCandidate& candidate) {
    return !candidate.is_word || !is_punctuation(candidate.category);
  });
  if (child >= 0) return child;
  return rule.otherwise == ScanDirection::from_left ? 0 : static_cast<int>(children.size()) - 1;
}

std::string_view ConversionRules::arc_label(const LabelledArc& arc) const {
  for (const ArcLabelRule& rule : label_rules_) {
    if (rule.is_punctuation && !is_punctuation(arc.tag)) continue;
    if (!accepts(rule.parents, arc.parent) || !accepts(rule.heads, arc.head)) continue;
    if (!accepts(rule.modifiers, arc.modifier)) continue;
    if (!rule.functions.empty() && !has_any_function(arc.modifier, rule.functions)) continue;
    if (has_any_function(arc.modifier, rule.without)) continue;
    return rule.label;
  }
  return "_";
}

bool ConversionRules::is_punctuation(std::string_view tag) const { return punctuation_.contains(tag); }

bool ConversionRules::is_empty_element(std::string_view tag) const { return empty_elements_.contains(tag); }

}  // namespace copse
