#include "copse/inference/factorization.h"

#include <array>
#include <utility>

namespace copse {
namespace {

constexpr std::array<std::pair<std::string_view, Factorization>, kFactorizationCount> kFactorizationNames = {{
    {"first", Factorization::first},
    {"sibling", Factorization::sibling},
    {"grandchild", Factorization::grandchild},
    {"grandsibling", Factorization::grandsibling},
    {"outermost", Factorization::outermost},
    {"trisibling", Factorization::trisibling},
    {"grandtrisibling", Factorization::grandtrisibling},
}};
constexpr std::array<std::pair<std::string_view, PartKind>, kPartKinds> kPartKindNames = {{
    {"arc", PartKind::arc},
    {"sibling", PartKind::sibling},
    {"grandchild", PartKind::grandchild},
    {"grandsibling", PartKind::grandsibling},
    {"outermost", PartKind::outermost},
    {"trisibling", PartKind::trisibling},
    {"grandtrisibling", PartKind::grandtrisibling},
}};
constexpr std::array<std::pair<std::string_view, RootMode>, 2> kRootModes = {{
    {"multi", RootMode::multi},
    {"single", RootMode::single},
}};
constexpr std::array<std::pair<std::string_view, TreeKind>, 2> kTreeKinds = {{
    {"projective", TreeKind::projective},
    {"nonprojective", TreeKind::nonprojective},
}};

template <class Table, class Value>
std::string_view name_of(const Table& table, Value value) {
  for (const auto& [text, entry] : table) {
    if (entry == value) return text;
  }
  return {};
}

template <class Table>
auto value_of(const Table& table, std::string_view text)
    -> std::optional<typename Table::value_type::second_type> {
  for (const auto& [name, entry] : table) {
    if (name == text) return entry;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Factorization factorization) { return name_of(kFactorizationNames, factorization); }
std::string_view name(PartKind kind) { return name_of(kPartKindNames, kind); }
std::string_view name(RootMode root) { return name_of(kRootModes, root); }
std::string_view name(TreeKind kind) { return name_of(kTreeKinds, kind); }
std::optional<Factorization> parse_factorization(std::string_view name) {
  return value_of(kFactorizationNames, name);
}
std::optional<RootMode> parse_root_mode(std::string_view name) { return value_of(kRootModes, name); }
std::optional<TreeKind> parse_tree_kind(std::string_view name) { return value_of(kTreeKinds, name); }

}  // namespace copse
