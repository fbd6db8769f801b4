#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/inference/factorization.h"

namespace copse {

// What a template reads of a word.
enum class Attribute : std::uint8_t {
  form,
  fine_tag,
  coarse_tag,
  lemma,
  feats,
  suffix,
  prefix,
  shape,
  refined_tag,  // the coarse tag with the most telling feature of FEATS; see Morphology
  feature,      // one of the features of FEATS
};
inline constexpr int kAttributes = 10;

// Where it reads: the words of a part, g, h, s, m and t; and b, a word between h and m.
enum class Place : std::uint8_t { grandparent, head, sibling, modifier, between, second_sibling };
inline constexpr int kPlaces = 6;

// The words that a template depends on. A template is evaluated once for every distinct tuple of these words
// in a sentence, however many parts contain it.
enum class Scope : std::uint8_t {
  head,                 // h, direction and distance
  modifier,             // m, direction and distance
  arc,                  // h m, and the words between them
  sibling,              // h s m
  sibling_pair,         //   s m
  grandchild,           // g h m
  grandchild_pair,      // g   m
  grandsibling,         // g h s m
  grandsibling_pair,    // g   s
  grandsibling_triple,  // g   s m
  outermost,            // g h m, of outermost modifiers
  outermost_pair,       // g   m, the same
  trisibling,           // h t s m
  trisibling_pair,      //   t   m
  trisibling_triple,    //   t s m
  grandtrisibling,      // g h t s m
};
inline constexpr int kScopes = 16;

namespace internal {
inline constexpr std::array kScopesOfArcs = {Scope::head, Scope::modifier, Scope::arc};
inline constexpr std::array kScopesOfSiblings = {Scope::sibling, Scope::sibling_pair};
inline constexpr std::array kScopesOfGrandchildren = {Scope::grandchild, Scope::grandchild_pair};
inline constexpr std::array kScopesOfGrandsiblings = {Scope::grandsibling, Scope::grandsibling_pair,
                                                      Scope::grandsibling_triple};
inline constexpr std::array kScopesOfOutermost = {Scope::outermost, Scope::outermost_pair};
inline constexpr std::array kScopesOfTrisiblings = {Scope::trisibling, Scope::trisibling_pair,
                                                    Scope::trisibling_triple};
inline constexpr std::array kScopesOfGrandtrisiblings = {Scope::grandtrisibling};
}  // namespace internal

// The scopes of a kind of parts: each part contains one tuple of each.
constexpr std::span<const Scope> scopes_of(PartKind kind) {
  switch (kind) {
    case PartKind::arc:
      return internal::kScopesOfArcs;
    case PartKind::sibling:
      return internal::kScopesOfSiblings;
    case PartKind::grandchild:
      return internal::kScopesOfGrandchildren;
    case PartKind::grandsibling:
      return internal::kScopesOfGrandsiblings;
    case PartKind::outermost:
      return internal::kScopesOfOutermost;
    case PartKind::trisibling:
      return internal::kScopesOfTrisiblings;
    case PartKind::grandtrisibling:
      return internal::kScopesOfGrandtrisiblings;
  }
  return {};
}
// The scope that has a tuple of its own for every part of the kind.
constexpr Scope own_scope(PartKind kind) {
  return kind == PartKind::arc ? Scope::arc : scopes_of(kind).front();
}

struct Atom {
  Attribute attribute;
  Place place;
  int offset;  // -2..2: a neighbour of the word
};

// When a template fires.
enum class Firing : std::uint8_t {
  always,
  between,        // once for every distinct word type or tag between h and m
  coordination,   // when s is a coordinating conjunction
  feature_pairs,  // once for every feature of h with every feature of m
  agreement,      // with the keys of FEATS that h and m have, and whether their values are the same
};

struct FeatureTemplate {
  Scope scope;
  Firing firing;
  std::vector<Atom> atoms;
  std::uint64_t identity;  // a hash of what the template says; survives changes of the set
};

// Which features to use. The same names in the command line and in model files.
// `pruner` and `labels` are those of the models beside the parser's own.
enum class FeatureSet : std::uint8_t { paper, rich, pruner, labels };
std::string_view name(FeatureSet set);
std::optional<FeatureSet> parse_feature_set(std::string_view name);

// Which attributes a treebank has, of those that not all have.
struct AvailableAttributes {
  bool coarse_tags = true;
  bool lemmas = true;
  bool feats = true;
  bool single_feats = false;  // feature by feature, and refined tags
};

// The templates of a model. Every template with a tag is there twice, with the fine and with the coarse tag,
// and those of `rich` and `pruner` a third time with the refined one if features are read one by one.
// Those that read what is not available are left out.
class TemplateSet {
 public:
  TemplateSet(FeatureSet set, Factorization factorization, AvailableAttributes available);

  std::span<const FeatureTemplate> templates() const { return templates_; }

 private:
  std::vector<FeatureTemplate> templates_;
};

// A template in the notation of the tables in docs/features.md, such as "Ph Pm Ph+1 Pm-1". Throws
// std::invalid_argument for anything else.
std::vector<Atom> parse_atoms(std::string_view text);

}  // namespace copse
