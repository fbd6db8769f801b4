#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

enum class ScanDirection : std::uint8_t { from_left, from_right };

// How the head among the children of a constituent is found: the first group of which a child is a member
// decides, and in it the first such child in the direction of the group. If no group has a member, the
// head is the first child in the direction `otherwise` that is not punctuation; if all are, the first.
struct HeadRule {
  struct Group {
    ScanDirection direction = ScanDirection::from_left;
    std::vector<std::string> categories;
  };
  std::vector<Group> groups;
  ScanDirection otherwise = ScanDirection::from_left;
};

using CategorySet = std::set<std::string, std::less<>>;

// A label, and when an arc gets it. An empty set is no condition.
struct ArcLabelRule {
  std::string label;
  CategorySet parents;          // the constituent in which head and modifier meet
  CategorySet heads;            // its child with the head
  CategorySet modifiers;        // its child with the modifier
  CategorySet functions;        // the modifier's constituent has one of these function tags
  CategorySet without;          // and none of these
  bool is_punctuation = false;  // the tag of the modifying word is punctuation
};

// What is to be known of an arc to label it; labels as they are in the tree, function tags included.
struct LabelledArc {
  std::string_view parent;
  std::string_view head;
  std::string_view modifier;
  std::string_view tag;  // of the modifying word
};

// A child of a constituent, as head rules see it.
struct HeadCandidate {
  std::string_view category;  // bare
  bool is_word = false;
};

// All that the conversion of a treebank depends on. docs/convert.md has the format of rule files.
class ConversionRules {
 public:
  // The names of the rules that are built in, and their text, itself a rule file.
  static std::vector<std::string> builtin_names();
  static std::string_view builtin_text(std::string_view name);  // empty if there are none of this name

  // For English by Yamada and Matsumoto, for Chinese those that go with the Penn Chinese Treebank.
  static ConversionRules english();
  static ConversionRules chinese();

  // Throw DataError "FILE:LINE: reason; what to do"; `name` stands for the file.
  static ConversionRules from_text(std::string_view text, const std::string& name = "<text>");
  static ConversionRules from_file(const std::string& path);

  // The number of the child that is the head; there must be at least one.
  int head_child(std::string_view category, std::span<const HeadCandidate> children) const;

  // By the first rule that applies; "_" if none does.
  std::string_view arc_label(const LabelledArc& arc) const;
  // Of the word under the root.
  std::string_view root_label() const { return root_label_; }

  bool is_punctuation(std::string_view tag) const;
  // Whether words of this tag are traces and the like, which are not words of the sentence.
  bool is_empty_element(std::string_view tag) const;

 private:
  friend class RuleFileParser;

  std::map<std::string, HeadRule, std::less<>> head_rules_;
  HeadRule default_rule_;  // of categories without a rule
  std::vector<ArcLabelRule> label_rules_;
  std::string root_label_ = "_";
  CategorySet punctuation_;
  CategorySet empty_elements_ = {"-NONE-"};
};

}  // namespace copse
