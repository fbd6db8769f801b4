#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// A bracket of a phrase-structure tree: a constituent, or a word under its tag.
struct Constituent {
  std::string label;  // as in the file: "NP-SBJ-1"; the tag of a word; empty for a wrapper around a tree
  std::string form;   // of a word; empty for a constituent
  int end = 0;        // one beyond the last node of the subtree

  bool is_word() const { return !form.empty(); }
  bool operator==(const Constituent&) const = default;
};

// A phrase-structure tree. The nodes lie in reading order: a node is followed by its whole subtree, so that
// the children of node k begin at k + 1, and the next sibling of a child c is at nodes()[c].end. Nothing
// here is recursive; trees may be as deep as memory allows.
class ConstituentTree {
 public:
  // The calls follow the brackets of the text. Every open() must be closed before the tree is used.
  void clear();
  void open(std::string_view label);
  void close();
  void add_word(std::string_view tag, std::string_view form);

  std::span<const Constituent> nodes() const { return nodes_; }
  const Constituent& operator[](int node) const { return nodes_[static_cast<size_t>(node)]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  bool empty() const { return nodes_.empty(); }
  int words() const;

  // In one line, as a BracketReader reads it.
  std::string to_text() const;

  bool operator==(const ConstituentTree&) const = default;

 private:
  std::vector<Constituent> nodes_;
  std::vector<int> open_;
};

// A label without function tags and indices: "NP" of "NP-SBJ-1" and "NP=2". What begins with a hyphen
// ("-LRB-", "-NONE-") has none.
std::string_view bare_category(std::string_view label);

// Whether a label has this function tag: "SBJ" in "NP-SBJ-1". Indices are no tags.
bool has_function(std::string_view label, std::string_view function);

}  // namespace copse
