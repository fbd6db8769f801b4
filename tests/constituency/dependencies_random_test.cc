// Random trees and rules against a second conversion, written recursively from the definitions.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "constituency/bracket_helpers.h"
#include "inference/test_settings.h"

namespace copse::testing {
namespace {

using Random = std::mt19937_64;

int below(Random& random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }

struct NaiveRule {
  std::vector<std::pair<bool, std::vector<std::string>>> groups;  // from the right?
  bool from_right = false;
};

struct NaiveNode {
  std::string category;
  int word = 0;  // 0: a constituent
  std::vector<NaiveNode> children;
};

struct NaiveRules {
  std::map<std::string, NaiveRule> rules;

  std::string text() const {
    std::string text = "%punctuation p q\n";
    for (const auto& [category, rule] : rules) {
      text += category + " ";
      for (const auto& [from_right, members] : rule.groups) {
        text += from_right ? "r" : "l";
        for (const std::string& member : members) text += " " + member;
        text += ";";
      }
      text += rule.from_right ? "r\n" : "l\n";
    }
    return text;
  }

  size_t head_child(const NaiveNode& node) const {
    std::vector<size_t> order(node.children.size());
    const auto scan = [&](bool from_right) {
      for (size_t k = 0; k < order.size(); ++k) order[k] = from_right ? order.size() - 1 - k : k;
    };
    const auto found = rules.find(node.category);
    const NaiveRule rule = found == rules.end() ? NaiveRule() : found->second;
    for (const auto& [from_right, members] : rule.groups) {
      scan(from_right);
      for (const size_t k : order) {
        for (const std::string& member : members) {
          if (node.children[k].category == member) return k;
        }
      }
    }
    scan(rule.from_right);
    for (const size_t k : order) {
      const NaiveNode& child = node.children[k];
      if (child.word == 0 || (child.category != "p" && child.category != "q")) return k;
    }
    return order[0];
  }

  // Fills the heads of the words below `node` except its head word, which is returned.
  int attach(const NaiveNode& node, std::vector<int>& heads) const {
    if (node.word > 0) return node.word;
    std::vector<int> words;
    for (const NaiveNode& child : node.children) words.push_back(attach(child, heads));
    const int head = words[head_child(node)];
    for (const int word : words) {
      if (word != head) heads[static_cast<size_t>(word)] = head;
    }
    return head;
  }
};

class Cases {
 public:
  explicit Cases(Random& random) : random_(random) {}

  NaiveRules rules() {
    NaiveRules rules;
    for (const char* category : {"A", "B", "C"}) {
      NaiveRule& rule = rules.rules[category];
      rule.from_right = below(random_, 2) == 0;
      for (int groups = below(random_, 4); groups > 0; --groups) {
        std::vector<std::string> members;
        for (int count = 1 + below(random_, 3); count > 0; --count) members.push_back(this->category());
        rule.groups.emplace_back(below(random_, 2) == 0, members);
      }
    }
    return rules;
  }

  // Writes the tree to `text`; nothing if it has only empty elements.
  std::optional<NaiveNode> tree(int depth, std::string& text, int& words) {
    NaiveNode node;
    node.category = category();
    if (depth == 0 || below(random_, 4) == 0) {
      const bool is_empty = below(random_, 6) == 0;
      text += is_empty ? "(-NONE- *)" : "(" + node.category + " w)";
      if (is_empty) return std::nullopt;
      node.word = ++words;
      return node;
    }
    static const std::vector<std::string> decorations = {"", "-SBJ", "-TMP-1", "=2"};
    text += "(" + node.category + decorations[static_cast<size_t>(below(random_, 4))];
    for (int count = 1 + below(random_, 4); count > 0; --count) {
      if (auto child = tree(depth - 1, text, words)) node.children.push_back(*child);
    }
    text += ")";
    if (node.children.empty()) return std::nullopt;
    return node;
  }

 private:
  std::string category() {
    static const std::vector<std::string> categories = {"A", "B", "C", "D", "p", "q"};
    return categories[static_cast<size_t>(below(random_, static_cast<int>(categories.size())))];
  }

  Random& random_;
};

TEST(RandomTrees, AgreeWithARecursiveConversion) {
  int converted = 0;
  for (int number = 0; number < scaled(5000); ++number) {
    const std::string name = case_name(number);
    Random random = case_generator(number);
    Cases cases(random);
    const NaiveRules naive = cases.rules();
    std::string text;
    int words = 0;
    const std::optional<NaiveNode> tree = cases.tree(5, text, words);
    const Sentence sentence = to_dependencies(tree_of(text), ConversionRules::from_text(naive.text()));
    ASSERT_EQ(sentence.size(), words) << name << "\n" << text;
    if (!tree) continue;
    std::vector<int> heads(static_cast<size_t>(words) + 1, kNoHead);
    heads[static_cast<size_t>(naive.attach(*tree, heads))] = 0;
    ASSERT_EQ(sentence.heads(), heads) << name << "\n" << naive.text() << text;
    ++converted;
  }
  EXPECT_GT(converted, scaled(5000) / 2);
}

}  // namespace
}  // namespace copse::testing
