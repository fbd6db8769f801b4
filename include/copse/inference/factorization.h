#pragma once

#include <optional>
#include <string_view>

namespace copse {

// Which parts a tree is scored by. Every factorization contains the parts of the ones it encloses: a
// grand-sibling model has arc, sibling, grandchild and grand-sibling potentials.
enum class Factorization { first, sibling, grandchild, grandsibling };

// May several words depend on the root (the paper's trees), or exactly one (Universal Dependencies)?
enum class RootMode { multi, single };

// Do all trees count, or only those whose arcs do not cross?
enum class TreeKind { projective, nonprojective };

// The trees that a sentence may have. A root mode alone means projective ones.
struct TreeSpace {
  RootMode root = RootMode::multi;
  TreeKind kind = TreeKind::projective;

  constexpr TreeSpace(RootMode root_mode, TreeKind tree_kind = TreeKind::projective)  // NOLINT: implicit
      : root(root_mode), kind(tree_kind) {}
  friend bool operator==(const TreeSpace&, const TreeSpace&) = default;
};

constexpr bool has_siblings(Factorization f) {
  return f == Factorization::sibling || f == Factorization::grandsibling;
}
constexpr bool has_grandparents(Factorization f) {
  return f == Factorization::grandchild || f == Factorization::grandsibling;
}

// The same words in the command line, in Python and in files.
std::string_view name(Factorization factorization);
std::string_view name(RootMode root);
std::string_view name(TreeKind kind);
std::optional<Factorization> parse_factorization(std::string_view name);
std::optional<RootMode> parse_root_mode(std::string_view name);
std::optional<TreeKind> parse_tree_kind(std::string_view name);

}  // namespace copse
