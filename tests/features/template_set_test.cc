#include "features/template_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/parts.h"

namespace copse {
namespace {

using testing::kFactorizations;

constexpr std::array kSets{FeatureSet::paper, FeatureSet::rich, FeatureSet::pruner};

// What a template reads, in words, without an order: {"fine(s)", "fine(s+1)", "form(t)"}.
using Reading = std::set<std::string>;

std::string written(const Atom& atom) {
  constexpr std::array kAttributeNames{"form",   "fine",   "coarse", "lemma",   "feats",
                                       "suffix", "prefix", "shape",  "refined", "feature"};
  constexpr std::array kPlaceNames{"g", "s", "r", "t", "b", "q"};
  std::string text = std::string(kAttributeNames[static_cast<std::size_t>(atom.attribute)]) + "(" +
                     kPlaceNames[static_cast<std::size_t>(atom.place)];
  if (atom.offset != 0) text += (atom.offset > 0 ? "+" : "-") + std::to_string(std::abs(atom.offset));
  return text + ")";
}

Reading reading_of(const std::vector<Atom>& atoms) {
  Reading reading;
  for (const Atom& atom : atoms)
    EXPECT_TRUE(reading.insert(written(atom)).second) << written(atom) << " twice";
  return reading;
}

bool reads(const Reading& reading, std::string_view attribute) {
  return std::any_of(reading.begin(), reading.end(),
                     [&](const std::string& atom) { return std::string_view(atom).starts_with(attribute); });
}

// Where a template belongs follows from the words that it reads, and from whether only the outermost
// grandchildren have it.
std::optional<Scope> scope_of(const Reading& reading, Firing firing, bool is_outermost) {
  std::string places;
  for (const char place : std::string_view("gsqrtb")) {
    const bool is_read = std::any_of(reading.begin(), reading.end(), [&](const std::string& atom) {
      return atom[atom.find('(') + 1] == place;
    });
    if (is_read) places += place;
  }
  // These are about conjuncts, which only a grand-sibling part can tell: its r is the conjunction.
  if (firing == Firing::coordination) return Scope::grandsibling;
  if (firing == Firing::between) return places == "stb" ? std::optional(Scope::arc) : std::nullopt;
  static const std::map<std::string, Scope> kScopesByPlaces = {{"s", Scope::head},
                                                               {"t", Scope::modifier},
                                                               {"st", Scope::arc},
                                                               {"srt", Scope::sibling},
                                                               {"rt", Scope::sibling_pair},
                                                               {"gst", Scope::grandchild},
                                                               {"gt", Scope::grandchild_pair},
                                                               {"gsrt", Scope::grandsibling},
                                                               {"gr", Scope::grandsibling_pair},
                                                               {"grt", Scope::grandsibling_triple},
                                                               {"sqrt", Scope::trisibling},
                                                               {"qt", Scope::trisibling_pair},
                                                               {"qrt", Scope::trisibling_triple},
                                                               {"gsqrt", Scope::grandtrisibling}};
  if (is_outermost && places == "gst") return Scope::outermost;
  if (is_outermost && places == "gt") return Scope::outermost_pair;
  const auto found = kScopesByPlaces.find(places);
  return found == kScopesByPlaces.end() ? std::nullopt : std::optional(found->second);
}

struct Described {
  Scope scope;
  Firing firing;
  Reading reading;
  auto operator<=>(const Described&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Described& described) {
  out << "scope " << static_cast<int>(described.scope) << " firing " << static_cast<int>(described.firing);
  for (const std::string& atom : described.reading) out << ' ' << atom;
  return out;
}

std::set<Described> described(const TemplateSet& set) {
  std::set<Described> result;
  for (const FeatureTemplate& feature : set.templates()) {
    const Described one{feature.scope, feature.firing, reading_of(feature.atoms)};
    EXPECT_TRUE(result.insert(one).second) << one << " twice";
  }
  return result;
}

// The table of the paper, column by column, as it is printed but for three cells: the context feature of
// dependencies that it has twice is the one with s-1 and t+1 that it lacks, L(g)L(s)P(r)L(t) is
// P(g)L(s)P(r)L(t), and the context with g+1, r-1, t-1 has g-1. Below it, what the parts have that the paper
// does not know; q is the sibling beyond r.
struct Block {
  PartKind part;  // models with such parts have these features
  Firing firing;
  std::vector<std::string> cells;
};

const std::vector<Block>& table_of_the_paper() {
  using F = PartKind;
  static const std::vector<Block> blocks = {
      // dependency features: uni-gram, bi-gram, context, in between
      {F::arc, Firing::always, {"L(s) P(s)", "L(s)", "P(s)", "L(t) P(t)", "L(t)", "P(t)"}},
      {F::arc,
       Firing::always,
       {"L(s) P(s) L(t) P(t)", "L(s) P(s) P(t)", "P(s) L(t) P(t)", "L(s) P(s) L(t)", "L(s) L(t) P(t)",
        "L(s) L(t)", "P(s) P(t)"}},
      {F::arc,
       Firing::always,
       {"P(s) P(t) P(s+1) P(t-1)", "P(s) P(t) P(s-1) P(t-1)", "P(s) P(t) P(s+1) P(t+1)",
        "P(s) P(t) P(s-1) P(t+1)"}},
      {F::arc, Firing::between, {"L(s) L(b) L(t)", "P(s) P(b) P(t)"}},
      // grandchild features: tri-gram, backed-off
      {F::grandchild,
       Firing::always,
       {"L(g) L(s) L(t)", "P(g) P(s) P(t)", "L(g) P(g) P(s) P(t)", "P(g) L(s) P(s) P(t)",
        "P(g) P(s) L(t) P(t)"}},
      {F::grandchild, Firing::always, {"L(g) L(t)", "P(g) P(t)", "L(g) P(t)", "P(g) L(t)"}},
      // sibling features: tri-gram, backed-off
      {F::sibling,
       Firing::always,
       {"L(s) L(r) L(t)", "P(s) P(r) P(t)", "L(s) P(s) P(r) P(t)", "P(s) L(r) P(r) P(t)",
        "P(s) P(r) L(t) P(t)"}},
      {F::sibling, Firing::always, {"L(r) L(t)", "P(r) P(t)", "L(r) P(t)", "P(r) L(t)"}},
      // grand-sibling features: 4-gram, context, backed-off
      {F::grandsibling,
       Firing::always,
       {"L(g) P(s) P(r) P(t)", "P(g) L(s) P(r) P(t)", "P(g) P(s) L(r) P(t)", "P(g) P(s) P(r) L(t)",
        "L(g) L(s) P(r) P(t)", "L(g) P(s) L(r) P(t)", "L(g) P(s) P(r) L(t)", "P(g) L(s) L(r) P(t)",
        "P(g) L(s) P(r) L(t)", "P(g) P(s) L(r) L(t)", "P(g) P(s) P(r) P(t)"}},
      {F::grandsibling,
       Firing::always,
       {"P(g) P(s) P(r) P(t) P(g+1) P(s+1) P(t+1)", "P(g) P(s) P(r) P(t) P(g-1) P(s-1) P(t-1)",
        "P(g) P(s) P(r) P(t) P(g+1) P(s+1)", "P(g) P(s) P(r) P(t) P(g-1) P(s-1)",
        "P(g) P(r) P(t) P(g+1) P(r+1) P(t+1)", "P(g) P(r) P(t) P(g-1) P(r-1) P(t-1)",
        "P(g) P(r) P(g+1) P(r+1)", "P(g) P(r) P(g-1) P(r-1)", "P(g) P(t) P(g+1) P(t+1)",
        "P(g) P(t) P(g-1) P(t-1)", "P(r) P(t) P(r+1) P(t+1)", "P(r) P(t) P(r-1) P(t-1)"}},
      {F::grandsibling,
       Firing::always,
       {"L(g) P(r) P(t)", "P(g) L(r) P(t)", "P(g) P(r) L(t)", "L(g) L(r) P(t)", "L(g) P(r) L(t)",
        "P(g) L(r) L(t)", "P(g) P(r) P(t)"}},
      {F::grandsibling,
       Firing::coordination,
       {"L(g) P(s)", "P(g) P(s)", "L(g) L(s) L(t)", "L(g) P(s) P(t)", "P(g) L(s)", "P(g) L(t)", "L(g) P(t)",
        "P(g) P(t)", "P(g) L(s) P(t)", "P(g) P(s) L(t)", "L(s) P(t)", "P(s) L(t)", "P(s) P(t)",
        "L(g) L(s) P(t)", "L(g) P(s) L(t)", "P(g) L(s) L(t)", "P(g) P(s) P(t)"}},
      {F::outermost,
       Firing::always,
       {"L(g) L(s) L(t)", "P(g) P(s) P(t)", "L(g) P(g) P(s) P(t)", "P(g) L(s) P(s) P(t)",
        "P(g) P(s) L(t) P(t)"}},
      {F::outermost, Firing::always, {"L(g) L(t)", "P(g) P(t)", "L(g) P(t)", "P(g) L(t)"}},
      {F::trisibling,
       Firing::always,
       {"P(s) P(q) P(r) P(t)", "L(s) P(q) P(r) P(t)", "P(s) L(q) P(r) P(t)", "P(s) P(q) L(r) P(t)",
        "P(s) P(q) P(r) L(t)"}},
      {F::trisibling,
       Firing::always,
       {"P(q) P(r) P(t)", "L(q) P(r) P(t)", "P(q) L(r) P(t)", "P(q) P(r) L(t)",
        "P(q) P(r) P(t) P(q+1) P(r+1) P(t+1)", "P(q) P(r) P(t) P(q-1) P(r-1) P(t-1)"}},
      {F::trisibling, Firing::always, {"L(q) L(t)", "P(q) P(t)", "L(q) P(t)", "P(q) L(t)"}},
      {F::grandtrisibling,
       Firing::always,
       {"P(g) P(s) P(q) P(r) P(t)", "L(g) P(s) P(q) P(r) P(t)", "P(g) L(s) P(q) P(r) P(t)",
        "P(g) P(s) L(q) P(r) P(t)", "P(g) P(s) P(q) L(r) P(t)", "P(g) P(s) P(q) P(r) L(t)"}},
  };
  return blocks;
}

// "L(s) P(s+1)" with one of the two kinds of tags for P.
Reading with_tags(const std::string& cell, const std::string& tag) {
  Reading reading;
  std::istringstream atoms(cell);
  for (std::string atom; atoms >> atom;) reading.insert((atom[0] == 'L' ? "form" : tag) + atom.substr(1));
  return reading;
}

std::set<Described> expected_paper_set(Factorization factorization, bool has_coarse_tags) {
  std::set<Described> expected;
  for (const Block& block : table_of_the_paper()) {
    if (!contains(factorization, block.part)) continue;
    for (const std::string& cell : block.cells) {
      const Reading fine = with_tags(cell, "fine");
      const std::optional<Scope> scope = scope_of(fine, block.firing, block.part == PartKind::outermost);
      EXPECT_TRUE(scope) << cell;
      EXPECT_TRUE(expected.insert({*scope, block.firing, fine}).second) << cell << " twice";
      if (has_coarse_tags) expected.insert({*scope, block.firing, with_tags(cell, "coarse")});
    }
  }
  return expected;
}

std::vector<AvailableAttributes> all_availabilities() {
  std::vector<AvailableAttributes> all;
  for (const bool coarse : {true, false}) {
    for (const bool lemmas : {true, false}) {
      for (const bool feats : {true, false}) all.push_back({coarse, lemmas, feats});
    }
  }
  return all;
}

template <class Visit>
void for_each_set(Visit visit) {
  for (const FeatureSet set : kSets) {
    for (const Factorization factorization : kFactorizations) {
      for (const AvailableAttributes& available : all_availabilities()) {
        SCOPED_TRACE(std::string(name(set)) + ", " + std::string(name(factorization)) + ", coarse " +
                     std::to_string(available.coarse_tags) + ", lemmas " + std::to_string(available.lemmas) +
                     ", feats " + std::to_string(available.feats));
        visit(TemplateSet(set, factorization, available), set, factorization, available);
      }
    }
  }
}

TEST(Notation, NamesAttributesPlacesAndNeighbours) {
  EXPECT_EQ(reading_of(parse_atoms("Ph Pm Ph+1 Pm-1")),
            (Reading{"fine(s)", "fine(t)", "fine(s+1)", "fine(t-1)"}));
  EXPECT_EQ(reading_of(parse_atoms("Lg Ph Cs Mm Fg Sh Xs Hm Lb")),
            (Reading{"form(g)", "fine(s)", "coarse(r)", "lemma(t)", "feats(g)", "suffix(s)", "prefix(r)",
                     "shape(t)", "form(b)"}));
  EXPECT_EQ(reading_of(parse_atoms("  Lh-2   Lm+2 ")), (Reading{"form(s-2)", "form(t+2)"}));
  EXPECT_EQ(parse_atoms("Ph Pm").size(), 2u);
}

TEST(Notation, RefusesAnythingElse) {
  for (const char* text : {"", "  ", "P", "Pq", "Qh", "ph", "hP", "Ph+", "Ph+0", "Ph+3", "Ph*1", "Ph1",
                           "Ph+12", "PhPm", "Ph,Pm", "Ph Q", "Ph\tPm"}) {
    EXPECT_THROW(parse_atoms(text), std::invalid_argument) << "'" << text << "'";
  }
}

TEST(PaperSet, IsTheTableOfThePaper) {
  for (const Factorization factorization : kFactorizations) {
    for (const AvailableAttributes& available : all_availabilities()) {
      SCOPED_TRACE(std::string(name(factorization)) + (available.coarse_tags ? "" : ", no coarse tags"));
      EXPECT_EQ(described(TemplateSet(FeatureSet::paper, factorization, available)),
                expected_paper_set(factorization, available.coarse_tags));
    }
  }
}

TEST(PaperSet, HasAsManyTemplatesAsTheTableHasCells) {
  // 19 for dependencies, 9 each for siblings and grandchildren, 30 for grand-siblings, 17 for coordination.
  const std::map<Factorization, int> cells = {
      {Factorization::first, 19},           {Factorization::sibling, 28},   {Factorization::grandchild, 28},
      {Factorization::grandsibling, 84},    {Factorization::outermost, 37}, {Factorization::trisibling, 99},
      {Factorization::grandtrisibling, 105}};
  for (const auto& [factorization, count] : cells) {
    const TemplateSet set(FeatureSet::paper, factorization, {false, false, false});
    EXPECT_EQ(set.templates().size(), static_cast<std::size_t>(count)) << name(factorization);
  }
}

TEST(TemplateSets, ContainEachOther) {
  for (const Factorization factorization : kFactorizations) {
    const std::set<Described> paper = described(TemplateSet(FeatureSet::paper, factorization, {}));
    const std::set<Described> rich = described(TemplateSet(FeatureSet::rich, factorization, {}));
    EXPECT_TRUE(std::includes(rich.begin(), rich.end(), paper.begin(), paper.end())) << name(factorization);
    EXPECT_GT(rich.size(), paper.size());
    for (const FeatureSet set : kSets) {
      const std::set<Described> first = described(TemplateSet(set, Factorization::first, {}));
      const std::set<Described> own = described(TemplateSet(set, factorization, {}));
      EXPECT_TRUE(std::includes(own.begin(), own.end(), first.begin(), first.end())) << name(factorization);
    }
  }
}

TEST(TemplateSets, EvaluateTemplatesWhereTheirWordsAre) {
  for_each_set([](const TemplateSet& set, FeatureSet, Factorization factorization, const auto&) {
    for (const Described& one : described(set)) {
      const bool is_outermost = one.scope == Scope::outermost || one.scope == Scope::outermost_pair;
      EXPECT_EQ(scope_of(one.reading, one.firing, is_outermost), std::optional(one.scope)) << one;
      const auto kinds = part_kinds(factorization);
      const bool is_in_a_part = std::any_of(kinds.begin(), kinds.end(), [&](PartKind kind) {
        const auto scopes = scopes_of(kind);
        return std::find(scopes.begin(), scopes.end(), one.scope) != scopes.end();
      });
      EXPECT_TRUE(is_in_a_part) << one;
    }
  });
}

TEST(TemplateSets, HaveEveryTemplateWithATagInBothKinds) {
  const auto exchanged = [](const Described& one, const std::string& from, const std::string& to) {
    Described other{one.scope, one.firing, {}};
    for (const std::string& atom : one.reading) {
      other.reading.insert(atom.starts_with(from) ? to + atom.substr(from.size()) : atom);
    }
    return other;
  };
  for_each_set([&](const TemplateSet& set, FeatureSet, Factorization, const AvailableAttributes& available) {
    const std::set<Described> all = described(set);
    for (const Described& one : all) {
      EXPECT_FALSE(reads(one.reading, "fine") && reads(one.reading, "coarse")) << one;
      if (!available.coarse_tags) {
        EXPECT_FALSE(reads(one.reading, "coarse")) << one;
        continue;
      }
      EXPECT_TRUE(all.contains(exchanged(one, "fine", "coarse"))) << one;
      EXPECT_TRUE(all.contains(exchanged(one, "coarse", "fine"))) << one;
    }
  });
}

TEST(TemplateSets, LeaveOutExactlyWhatReadsWhatIsNotAvailable) {
  for_each_set([](const TemplateSet& set, FeatureSet kind, Factorization factorization,
                  const AvailableAttributes& available) {
    std::set<Described> expected;
    for (const Described& one : described(TemplateSet(kind, factorization, {}))) {
      const bool is_left_out = (!available.coarse_tags && reads(one.reading, "coarse")) ||
                               (!available.lemmas && reads(one.reading, "lemma")) ||
                               (!available.feats && reads(one.reading, "feats"));
      if (!is_left_out) expected.insert(one);
    }
    EXPECT_EQ(described(set), expected);
  });
}

TEST(TemplateSets, HaveMoreTemplatesWhereFeaturesAreReadOneByOne) {
  for (const Factorization factorization : kFactorizations) {
    for (const FeatureSet set : {FeatureSet::paper, FeatureSet::labels}) {
      EXPECT_EQ(described(TemplateSet(set, factorization, {true, true, true, true})),
                described(TemplateSet(set, factorization, {true, true, true, false})));
    }
    for (const FeatureSet set : {FeatureSet::rich, FeatureSet::pruner}) {
      std::set<Described> expected = described(TemplateSet(set, factorization, {}));
      for (const Described& one : std::set<Described>(expected)) {
        if (!reads(one.reading, "fine")) continue;
        Described refined{one.scope, one.firing, {}};
        for (const std::string& atom : one.reading) {
          refined.reading.insert(atom.starts_with("fine") ? "refined" + atom.substr(4) : atom);
        }
        expected.insert(refined);
      }
      if (set == FeatureSet::rich) {
        expected.insert({Scope::arc, Firing::feature_pairs, {"feature(s)", "feature(t)"}});
        expected.insert(
            {Scope::arc, Firing::feature_pairs, {"coarse(s)", "feature(s)", "coarse(t)", "feature(t)"}});
        expected.insert({Scope::arc, Firing::agreement, {"coarse(s)", "coarse(t)"}});
      }
      EXPECT_EQ(described(TemplateSet(set, factorization, {true, true, true, true})), expected);
    }
  }
}

TEST(TemplateSets, KnowTheirTemplatesByIdentitiesThatSurvive) {
  std::map<std::uint64_t, Described> known;
  for_each_set([&](const TemplateSet& set, FeatureSet, Factorization, const auto&) {
    std::set<std::uint64_t> identities;
    for (const FeatureTemplate& feature : set.templates()) {
      const Described one{feature.scope, feature.firing, reading_of(feature.atoms)};
      EXPECT_TRUE(identities.insert(feature.identity).second) << one;
      // The same in all sets, and of no other template in any of them.
      EXPECT_EQ(known.try_emplace(feature.identity, one).first->second, one);
    }
  });
}

TEST(FeatureSetNames, CanBeParsed) {
  for (const FeatureSet set : kSets) EXPECT_EQ(parse_feature_set(name(set)), set);
  EXPECT_EQ(name(FeatureSet::paper), "paper");
  EXPECT_EQ(parse_feature_set("poor"), std::nullopt);
  EXPECT_EQ(parse_feature_set(""), std::nullopt);
}

}  // namespace
}  // namespace copse
