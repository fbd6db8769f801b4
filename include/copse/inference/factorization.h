#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace copse {

// Which parts a tree is scored by. Every factorization contains the parts of the ones it encloses: a
// grand-sibling model has arc, sibling, grandchild and grand-sibling potentials.
enum class Factorization { first, sibling, grandchild, grandsibling };

// The kinds of parts. Each part ends in an arc, that from its head to its modifier, and has more words
// beside.
enum class PartKind : std::uint8_t {
  arc,           // head, modifier
  sibling,       // head, sibling, modifier
  grandchild,    // grandparent, head, modifier
  grandsibling,  // grandparent, head, sibling, modifier
};
inline constexpr int kPartKinds = 4;
inline constexpr std::array<PartKind, kPartKinds> kAllPartKinds = {
    PartKind::arc, PartKind::sibling, PartKind::grandchild, PartKind::grandsibling};

namespace internal {

struct PartKindList {
  int size;
  std::array<PartKind, kPartKinds> kinds;
};

// By factorization. A new one needs a row here, and what PartIndex and the recursions do not know yet.
inline constexpr std::array<PartKindList, 4> kPartKindsOf = {{
    {1, {PartKind::arc}},
    {2, {PartKind::arc, PartKind::sibling}},
    {2, {PartKind::arc, PartKind::grandchild}},
    {4, {PartKind::arc, PartKind::sibling, PartKind::grandchild, PartKind::grandsibling}},
}};

}  // namespace internal

// The kinds of parts that a factorization contains. The last one has the words of all others: every arc of a
// tree ends exactly one of these largest parts.
constexpr std::span<const PartKind> part_kinds(Factorization factorization) {
  const internal::PartKindList& list = internal::kPartKindsOf[static_cast<std::size_t>(factorization)];
  return std::span(list.kinds).first(static_cast<std::size_t>(list.size));
}
constexpr PartKind largest_kind(Factorization factorization) { return part_kinds(factorization).back(); }
constexpr bool contains(Factorization factorization, PartKind kind) {
  for (const PartKind own : part_kinds(factorization)) {
    if (own == kind) return true;
  }
  return false;
}

// The words that a kind of parts has beside head and modifier.
constexpr bool has_sibling(PartKind kind) {
  return kind == PartKind::sibling || kind == PartKind::grandsibling;
}
constexpr bool has_grandparent(PartKind kind) {
  return kind == PartKind::grandchild || kind == PartKind::grandsibling;
}
namespace internal {

// A bit for each factorization whose largest parts have a property: inner loops ask for these.
constexpr unsigned factorizations_with(bool (*property)(PartKind)) {
  unsigned bits = 0;
  for (unsigned f = 0; f < kPartKindsOf.size(); ++f) {
    if (property(largest_kind(static_cast<Factorization>(f)))) bits |= 1U << f;
  }
  return bits;
}
inline constexpr unsigned kWithSiblings = factorizations_with(&has_sibling);
inline constexpr unsigned kWithGrandparents = factorizations_with(&has_grandparent);

}  // namespace internal

// Whether any part of a factorization has them.
constexpr bool has_siblings(Factorization factorization) {
  return (internal::kWithSiblings >> static_cast<unsigned>(factorization) & 1U) != 0;
}
constexpr bool has_grandparents(Factorization factorization) {
  return (internal::kWithGrandparents >> static_cast<unsigned>(factorization) & 1U) != 0;
}

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

// The same words in the command line, in Python and in files.
std::string_view name(Factorization factorization);
std::string_view name(PartKind kind);
std::string_view name(RootMode root);
std::string_view name(TreeKind kind);
std::optional<Factorization> parse_factorization(std::string_view name);
std::optional<RootMode> parse_root_mode(std::string_view name);
std::optional<TreeKind> parse_tree_kind(std::string_view name);

}  // namespace copse
