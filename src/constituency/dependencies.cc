#include "constituency/dependencies.h"

#include <span>
#include <vector>

namespace copse {
namespace {

// Which word heads each node, and which child of a constituent that word comes from.
struct Heads {
  std::vector<int> word_of_node;   // of a constituent: its head; words are counted from 1
  std::vector<int> child_of_node;  // the node of the head child; of a word: itself
};

// Collects the children of `node` and how rules see them.
void list_children(const ConstituentTree& tree, int node, std::vector<int>& children,
                   std::vector<HeadCandidate>& candidates) {
  children.clear();
  candidates.clear();
  for (int child = node + 1; child < tree[node].end; child = tree[child].end) {
    children.push_back(child);
    candidates.push_back({bare_category(tree[child].label), tree[child].is_word()});
  }
}

Heads find_heads(const ConstituentTree& tree, const ConversionRules& rules) {
  Heads heads{std::vector<int>(tree.nodes().size()), std::vector<int>(tree.nodes().size())};
  std::vector<int> children;
  std::vector<HeadCandidate> candidates;
  int word = tree.words();
  for (int node = tree.size() - 1; node >= 0; --node) {  // children before their parents
    const auto place = static_cast<size_t>(node);
    if (tree[node].is_word()) {
      heads.word_of_node[place] = word--;
      heads.child_of_node[place] = node;
      continue;
    }
    list_children(tree, node, children, candidates);
    const int chosen = rules.head_child(bare_category(tree[node].label), candidates);
    const int child = children[static_cast<size_t>(chosen)];
    heads.child_of_node[place] = child;
    heads.word_of_node[place] = heads.word_of_node[static_cast<size_t>(child)];
  }
  return heads;
}

}  // namespace

ConstituentTree without_empty_elements(const ConstituentTree& tree, const ConversionRules& rules) {
  std::vector<int> words_from(tree.nodes().size() + 1);  // how many words that stay are at a node or after it
  for (int node = tree.size() - 1; node >= 0; --node) {
    const auto place = static_cast<size_t>(node);
    const bool stays = tree[node].is_word() && !rules.is_empty_element(tree[node].label);
    words_from[place] = words_from[place + 1] + (stays ? 1 : 0);
  }
  ConstituentTree result;
  std::vector<int> ends;  // of the constituents that are open in the result
  for (int node = 0; node < tree.size(); ++node) {
    for (; !ends.empty() && ends.back() == node; ends.pop_back()) result.close();
    const Constituent& constituent = tree[node];
    const bool stays =
        words_from[static_cast<size_t>(node)] > words_from[static_cast<size_t>(constituent.end)];
    if (!stays) continue;
    if (constituent.is_word()) {
      result.add_word(constituent.label, constituent.form);
    } else {
      result.open(constituent.label);
      ends.push_back(constituent.end);
    }
  }
  for (; !ends.empty(); ends.pop_back()) result.close();
  return result;
}

Sentence to_dependencies(const ConstituentTree& tree, const ConversionRules& rules) {
  Sentence sentence;
  const ConstituentTree surface = without_empty_elements(tree, rules);
  if (surface.empty()) return sentence;
  for (const Constituent& node : surface.nodes()) {
    if (node.is_word()) sentence.add_word(node.form).set_xpos(node.label);
  }
  const Heads heads = find_heads(surface, rules);
  const auto word_of = [&](int node) { return heads.word_of_node[static_cast<size_t>(node)]; };
  for (int node = 0; node < surface.size(); ++node) {
    const int head_child = heads.child_of_node[static_cast<size_t>(node)];
    for (int child = node + 1; child < surface[node].end; child = surface[child].end) {
      if (child == head_child) continue;
      Token& modifier = sentence[word_of(child)];
      modifier.set_head(word_of(node));
      modifier.set_deprel(rules.arc_label(
          {surface[node].label, surface[head_child].label, surface[child].label, modifier.xpos()}));
    }
  }
  Token& root = sentence[word_of(0)];
  root.set_head(0);
  root.set_deprel(rules.root_label());
  return sentence;
}

}  // namespace copse
