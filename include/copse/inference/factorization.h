#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace copse {

// Which parts a tree is scored by. Every factorization contains the parts of the ones it encloses: a
// grand-sibling model has arc, sibling, grandchild and grand-sibling potentials.
enum class Factorization {
  first,
  sibling,
  grandchild,
  grandsibling,
  outermost,        // siblings, and of the grandchildren the outermost on each side (Carreras 2007)
  trisibling,       // grand-siblings and tri-siblings (after Koo and Collins 2010, model 2)
  grandtrisibling,  // fourth order (Ma and Zhao 2012)
};
inline constexpr int kFactorizationCount = 7;
inline constexpr std::array<Factorization, kFactorizationCount> kAllFactorizations = {
    Factorization::first,          Factorization::sibling,   Factorization::grandchild,
    Factorization::grandsibling,   Factorization::outermost, Factorization::trisibling,
    Factorization::grandtrisibling};

// The kinds of parts. Each part ends in an arc, that from its head to its modifier, and has more words
// beside.
enum class PartKind : std::uint8_t {
  arc,              // head, modifier
  sibling,          // head, sibling, modifier
  grandchild,       // grandparent, head, modifier
  grandsibling,     // grandparent, head, sibling, modifier
  outermost,        // grandparent, head, modifier; trees have it for the outermost modifier of a side only
  trisibling,       // head, second sibling, sibling, modifier
  grandtrisibling,  // grandparent, head, second sibling, sibling, modifier
};
inline constexpr int kPartKinds = 7;
inline constexpr std::array<PartKind, kPartKinds> kAllPartKinds = {
    PartKind::arc,       PartKind::sibling,    PartKind::grandchild,     PartKind::grandsibling,
    PartKind::outermost, PartKind::trisibling, PartKind::grandtrisibling};

namespace internal {

struct PartKindList {
  int size;
  std::array<PartKind, kPartKinds> kinds;
};

// By factorization. A new one needs a row here, and what PartIndex and the recursions do not know yet.
inline constexpr std::array<PartKindList, kFactorizationCount> kPartKindsOf = {{
    {1, {PartKind::arc}},
    {2, {PartKind::arc, PartKind::sibling}},
    {2, {PartKind::arc, PartKind::grandchild}},
    {4, {PartKind::arc, PartKind::sibling, PartKind::grandchild, PartKind::grandsibling}},
    {3, {PartKind::arc, PartKind::sibling, PartKind::outermost}},
    {5,
     {PartKind::arc, PartKind::sibling, PartKind::grandchild, PartKind::grandsibling, PartKind::trisibling}},
    {6,
     {PartKind::arc, PartKind::sibling, PartKind::grandchild, PartKind::grandsibling, PartKind::trisibling,
      PartKind::grandtrisibling}},
}};

}  // namespace internal

// The kinds of parts that a factorization contains.
constexpr std::span<const PartKind> part_kinds(Factorization factorization) {
  const internal::PartKindList& list = internal::kPartKindsOf[static_cast<std::size_t>(factorization)];
  return std::span(list.kinds).first(static_cast<std::size_t>(list.size));
}
namespace internal {

// A bit for each kind: inner loops ask for these.
constexpr std::array<unsigned, kFactorizationCount> kinds_as_bits() {
  std::array<unsigned, kFactorizationCount> bits{};
  for (std::size_t f = 0; f < bits.size(); ++f) {
    for (const PartKind kind : part_kinds(static_cast<Factorization>(f))) {
      bits[f] |= 1U << static_cast<unsigned>(kind);
    }
  }
  return bits;
}
inline constexpr std::array<unsigned, kFactorizationCount> kKindBits = kinds_as_bits();

}  // namespace internal

constexpr bool contains(Factorization factorization, PartKind kind) {
  return (internal::kKindBits[static_cast<std::size_t>(factorization)] >> static_cast<unsigned>(kind) & 1U) !=
         0;
}

// The words that a kind of parts has beside head and modifier.
constexpr bool has_second_sibling(PartKind kind) {
  return kind == PartKind::trisibling || kind == PartKind::grandtrisibling;
}
constexpr bool has_sibling(PartKind kind) {
  return kind == PartKind::sibling || kind == PartKind::grandsibling || has_second_sibling(kind);
}
constexpr bool has_grandparent(PartKind kind) {
  return kind == PartKind::grandchild || kind == PartKind::grandsibling || kind == PartKind::outermost ||
         kind == PartKind::grandtrisibling;
}
namespace internal {

// A bit for each factorization some of whose parts have a property: inner loops ask for these.
constexpr unsigned factorizations_with(bool (*property)(PartKind)) {
  unsigned bits = 0;
  for (unsigned f = 0; f < kPartKindsOf.size(); ++f) {
    for (const PartKind kind : part_kinds(static_cast<Factorization>(f))) {
      if (property(kind)) bits |= 1U << f;
    }
  }
  return bits;
}
inline constexpr unsigned kWithSiblings = factorizations_with(&has_sibling);
inline constexpr unsigned kWithSecondSiblings = factorizations_with(&has_second_sibling);
inline constexpr unsigned kWithGrandparents = factorizations_with(&has_grandparent);

}  // namespace internal

// Whether any part of a factorization has them.
constexpr bool has_siblings(Factorization factorization) {
  return (internal::kWithSiblings >> static_cast<unsigned>(factorization) & 1U) != 0;
}
constexpr bool has_second_siblings(Factorization factorization) {
  return (internal::kWithSecondSiblings >> static_cast<unsigned>(factorization) & 1U) != 0;
}
constexpr bool has_grandparents(Factorization factorization) {
  return (internal::kWithGrandparents >> static_cast<unsigned>(factorization) & 1U) != 0;
}

// The kind of parts that the labels of joint models belong to. Every arc of a tree ends exactly one of them,
// and they have the words of all kinds before them: the label of an arc may depend on its grandparent and its
// inner sibling, not on second siblings, nor on whether it is outermost.
constexpr PartKind labelled_kind(Factorization factorization) {
  constexpr PartKind kLast = PartKind::grandsibling;
  PartKind kind = PartKind::arc;
  for (const PartKind other : part_kinds(factorization)) kind = other <= kLast ? other : kind;
  return kind;
}

// Calls f.operator()<kind>(): for what is compiled for each kind of parts.
template <class F>
constexpr void with_part_kind(PartKind kind, F&& f) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((kind == kAllPartKinds[k] ? f.template operator()<kAllPartKinds[k]>() : void()), ...);
  }
  (std::make_index_sequence<kPartKinds>());
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
