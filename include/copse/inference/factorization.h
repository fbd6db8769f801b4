#pragma once

#include <optional>
#include <string_view>

namespace copse {

// Which parts a tree is scored by. Every factorization contains the parts of the ones it encloses: a
// grand-sibling model has arc, sibling, grandchild and grand-sibling potentials.
enum class Factorization { first, sibling, grandchild, grandsibling };

// May several words depend on the root (the paper's trees), or exactly one (Universal Dependencies)?
enum class RootMode { multi, single };

constexpr bool has_siblings(Factorization f) {
  return f == Factorization::sibling || f == Factorization::grandsibling;
}
constexpr bool has_grandparents(Factorization f) {
  return f == Factorization::grandchild || f == Factorization::grandsibling;
}

// The same words in the command line, in Python and in files.
std::string_view name(Factorization factorization);
std::string_view name(RootMode root);
std::optional<Factorization> parse_factorization(std::string_view name);
std::optional<RootMode> parse_root_mode(std::string_view name);

}  // namespace copse
