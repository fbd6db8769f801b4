#include "features/template_set.h"

#include <algorithm>
#include <stdexcept>

#include "features/hashing.h"

namespace copse {
namespace {

// Attributes in the notation: L form, P tag (fine and coarse in turn), M lemma, F feats, S suffix, X prefix,
// H shape; C stands for a coarse tag alone, V for one of the features of FEATS.
constexpr std::array<std::pair<char, Attribute>, 9> kAttributeLetters = {{{'L', Attribute::form},
                                                                          {'P', Attribute::fine_tag},
                                                                          {'C', Attribute::coarse_tag},
                                                                          {'M', Attribute::lemma},
                                                                          {'F', Attribute::feats},
                                                                          {'S', Attribute::suffix},
                                                                          {'X', Attribute::prefix},
                                                                          {'H', Attribute::shape},
                                                                          {'V', Attribute::feature}}};
constexpr std::string_view kPlaceLetters = "ghsmbt";  // in the order of Place

// A row of templates: in which models they are, where they are evaluated, and what they read.
struct TemplateRow {
  PartKind part;  // models that have such parts
  Scope scope;
  Firing firing;
  std::string_view templates;  // separated by commas
};

constexpr auto kArc = PartKind::arc;
constexpr auto kSibling = PartKind::sibling;
constexpr auto kGrandchild = PartKind::grandchild;
constexpr auto kGrandsibling = PartKind::grandsibling;
constexpr auto kOutermost = PartKind::outermost;
constexpr auto kTrisibling = PartKind::trisibling;
constexpr auto kGrandtrisibling = PartKind::grandtrisibling;

// The table of the paper, and what it leads to in the parts that the paper does not have: outermost
// grandchildren read what grandchildren do, and larger parts, like its grand-siblings, tags of all words with
// at most one form among them. Two rows of the grand-sibling block break the block's own symmetry (they print
// L(g)L(h)P(s)L(m), and g+1 with s-1 and m-1); they are read as their neighbours suggest.
constexpr TemplateRow kPaper[] = {
    {kArc, Scope::head, Firing::always, "Lh Ph, Lh, Ph"},
    {kArc, Scope::modifier, Firing::always, "Lm Pm, Lm, Pm"},
    {kArc, Scope::arc, Firing::always,
     "Lh Ph Lm Pm, Lh Ph Pm, Ph Lm Pm, Lh Ph Lm, Lh Lm Pm, Lh Lm, Ph Pm,"
     "Ph Pm Ph+1 Pm-1, Ph Pm Ph-1 Pm-1, Ph Pm Ph+1 Pm+1, Ph Pm Ph-1 Pm+1"},
    {kArc, Scope::arc, Firing::between, "Lh Lb Lm, Ph Pb Pm"},
    {kSibling, Scope::sibling, Firing::always, "Lh Ls Lm, Ph Ps Pm, Lh Ph Ps Pm, Ph Ls Ps Pm, Ph Ps Lm Pm"},
    {kSibling, Scope::sibling_pair, Firing::always, "Ls Lm, Ps Pm, Ls Pm, Ps Lm"},
    {kGrandchild, Scope::grandchild, Firing::always,
     "Lg Lh Lm, Pg Ph Pm, Lg Pg Ph Pm, Pg Lh Ph Pm, Pg Ph Lm Pm"},
    {kGrandchild, Scope::grandchild_pair, Firing::always, "Lg Lm, Pg Pm, Lg Pm, Pg Lm"},
    {kGrandsibling, Scope::grandsibling, Firing::always,
     "Lg Ph Ps Pm, Pg Lh Ps Pm, Pg Ph Ls Pm, Pg Ph Ps Lm, Lg Lh Ps Pm, Lg Ph Ls Pm, Lg Ph Ps Lm,"
     "Pg Lh Ls Pm, Pg Lh Ps Lm, Pg Ph Ls Lm, Pg Ph Ps Pm,"
     "Pg Ph Ps Pm Pg+1 Ph+1 Pm+1, Pg Ph Ps Pm Pg-1 Ph-1 Pm-1, Pg Ph Ps Pm Pg+1 Ph+1,"
     "Pg Ph Ps Pm Pg-1 Ph-1"},
    {kGrandsibling, Scope::grandsibling_triple, Firing::always,
     "Pg Ps Pm Pg+1 Ps+1 Pm+1, Pg Ps Pm Pg-1 Ps-1 Pm-1,"
     "Lg Ps Pm, Pg Ls Pm, Pg Ps Lm, Lg Ls Pm, Lg Ps Lm, Pg Ls Lm, Pg Ps Pm"},
    {kGrandsibling, Scope::grandsibling_pair, Firing::always, "Pg Ps Pg+1 Ps+1, Pg Ps Pg-1 Ps-1"},
    {kGrandsibling, Scope::grandchild_pair, Firing::always, "Pg Pm Pg+1 Pm+1, Pg Pm Pg-1 Pm-1"},
    {kGrandsibling, Scope::sibling_pair, Firing::always, "Ps Pm Ps+1 Pm+1, Ps Pm Ps-1 Pm-1"},
    {kGrandsibling, Scope::grandsibling, Firing::coordination,
     "Lg Ph, Pg Ph, Pg Lh, Lg Pm, Pg Pm, Pg Lm, Lh Pm, Ph Lm, Ph Pm, Lg Lh Lm, Lg Ph Pm, Pg Lh Pm,"
     "Pg Ph Lm, Lg Lh Pm, Lg Ph Lm, Pg Lh Lm, Pg Ph Pm"},
    {kOutermost, Scope::outermost, Firing::always,
     "Lg Lh Lm, Pg Ph Pm, Lg Pg Ph Pm, Pg Lh Ph Pm, Pg Ph Lm Pm"},
    {kOutermost, Scope::outermost_pair, Firing::always, "Lg Lm, Pg Pm, Lg Pm, Pg Lm"},
    {kTrisibling, Scope::trisibling, Firing::always,
     "Ph Pt Ps Pm, Lh Pt Ps Pm, Ph Lt Ps Pm, Ph Pt Ls Pm, Ph Pt Ps Lm"},
    {kTrisibling, Scope::trisibling_triple, Firing::always,
     "Pt Ps Pm, Lt Ps Pm, Pt Ls Pm, Pt Ps Lm, Pt Ps Pm Pt+1 Ps+1 Pm+1, Pt Ps Pm Pt-1 Ps-1 Pm-1"},
    {kTrisibling, Scope::trisibling_pair, Firing::always, "Lt Lm, Pt Pm, Lt Pm, Pt Lm"},
    {kGrandtrisibling, Scope::grandtrisibling, Firing::always,
     "Pg Ph Pt Ps Pm, Lg Ph Pt Ps Pm, Pg Lh Pt Ps Pm, Pg Ph Lt Ps Pm, Pg Ph Pt Ls Pm, Pg Ph Pt Ps Lm"},
};

// What `rich` has beside the table of the paper.
constexpr TemplateRow kRich[] = {
    {kArc, Scope::head, Firing::always, "Ph-1 Ph Ph+1, Sh Ph, Hh Ph"},
    {kArc, Scope::modifier, Firing::always, "Pm-1 Pm Pm+1, Sm Pm, Hm Pm"},
    {kArc, Scope::arc, Firing::always,
     "Mh Mm, Mh Pm, Ph Mm, Sh Pm, Ph Sm, Fh Fm, Ph Fh Pm Fm, Ph Pm-1 Pm Pm+1, Ph-1 Ph Ph+1 Pm,"
     "Lh Pm-1 Pm Pm+1, Ph-1 Ph Ph+1 Lm, Lh Ph+1 Pm, Lh Ph-1 Pm, Ph Lm Pm+1, Ph Lm Pm-1,"
     "Ph-1 Ph Ph+1 Pm-1 Pm Pm+1, Ph Pm Pm+1 Pm+2, Ph Pm Pm-1 Pm-2"},
    {kSibling, Scope::sibling, Firing::always,
     "Lh Ls Pm, Lh Ps Lm, Ph Ls Lm, Ph Ps Pm Pm+1, Ph Ps Pm Ps+1, Ph Ps Pm Pm-1, Ph Ps Pm Ph+1, Mh Ps Mm"},
    {kGrandchild, Scope::grandchild, Firing::always,
     "Lg Lh Pm, Lg Ph Lm, Pg Lh Lm, Pg Ph Pm Pm+1, Pg Ph Pm Pm-1, Pg Ph Pm Ph+1, Pg Ph Pm Ph-1,"
     "Pg Ph Pm Pg+1, Pg Ph Pm Pg-1, Mg Ph Mm, Fg Fh Fm"},
    {kOutermost, Scope::outermost, Firing::always,
     "Lg Lh Pm, Lg Ph Lm, Pg Lh Lm, Pg Ph Pm Pm+1, Pg Ph Pm Pm-1, Pg Ph Pm Ph+1, Pg Ph Pm Ph-1,"
     "Pg Ph Pm Pg+1, Pg Ph Pm Pg-1, Mg Ph Mm, Fg Fh Fm"},
};

// What `rich` has where features are read one by one.
constexpr TemplateRow kMorphology[] = {
    {kArc, Scope::arc, Firing::feature_pairs, "Vh Vm, Ch Vh Cm Vm"},
    {kArc, Scope::arc, Firing::agreement, "Ch Cm"},
};

// Enough to tell hopeless arcs from others, at a third of the cost.
constexpr TemplateRow kPruner[] = {
    {kArc, Scope::head, Firing::always, "Lh, Ph"},
    {kArc, Scope::modifier, Firing::always, "Lm, Pm"},
    {kArc, Scope::arc, Firing::always,
     "Lh Pm, Ph Lm, Lh Lm, Ph Pm, Ph Pm Ph+1 Pm-1, Ph Pm Ph-1 Pm-1, Ph Pm Ph+1 Pm+1, Ph Pm Ph-1 Pm+1"},
    {kArc, Scope::arc, Firing::between, "Ph Pb Pm"},
};

// What tells labels apart. Each feature has a weight for every label that it was seen with; a few of them say
// as much as all of `rich`.
constexpr TemplateRow kLabels[] = {
    {kArc, Scope::head, Firing::always, "Lh, Ph"},
    {kArc, Scope::modifier, Firing::always, "Lm, Pm, Sm, Pm-1 Pm Pm+1"},
    {kArc, Scope::arc, Firing::always,
     "Ph Pm, Lh Pm, Ph Lm, Lh Lm, Mh Mm, Mh Pm, Ph Mm, Ph Sm, Sh Pm, Fh Fm, Ph Fh Pm Fm, Ph Pm-1 Pm Pm+1,"
     "Ph Pm Ph+1 Pm-1, Ph Lm Pm+1, Ph Lm Pm-1"},
    {kSibling, Scope::sibling, Firing::always, "Ph Ps Pm, Lh Ps Pm, Ph Ls Pm, Ph Ps Lm, Ps Lm, Ls Pm, Ls Lm"},
    {kGrandchild, Scope::grandchild, Firing::always,
     "Pg Ph Pm, Lg Ph Pm, Pg Lh Pm, Pg Ph Lm, Lg Pm, Pg Lm, Lg Lm"},
    {kGrandsibling, Scope::grandsibling, Firing::always, "Pg Ph Ps Pm, Pg Ph Ps Lm"},
};

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Calls use(piece) for the pieces between separators, without surrounding spaces.
template <class Use>
void split(std::string_view text, char separator, Use use) {
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (const auto piece = trimmed(text.substr(0, end)); !piece.empty()) use(piece);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Atom parse_atom(std::string_view text) {
  const auto fail = [&] { throw std::invalid_argument("not an atom of a template: " + std::string(text)); };
  if (text.size() != 2 && text.size() != 4) fail();
  const auto* letter = std::find_if(kAttributeLetters.begin(), kAttributeLetters.end(),
                                    [&](const auto& entry) { return entry.first == text[0]; });
  const auto place = kPlaceLetters.find(text[1]);
  if (letter == kAttributeLetters.end() || place == std::string_view::npos) fail();
  Atom atom{letter->second, static_cast<Place>(place), 0};
  if (text.size() == 4) {
    const int distance = text[3] - '0';
    if ((text[2] != '+' && text[2] != '-') || distance < 1 || distance > 2) fail();
    atom.offset = text[2] == '+' ? distance : -distance;
  }
  return atom;
}

std::uint64_t identity(Scope scope, Firing firing, std::span<const Atom> atoms) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(scope) * 16 + static_cast<std::uint64_t>(firing) + 1);
  for (const Atom& atom : atoms) {
    hash = mix(hash + static_cast<std::uint64_t>(atom.attribute) * 256 +
               static_cast<std::uint64_t>(atom.place) * 16 + static_cast<std::uint64_t>(atom.offset + 8));
  }
  return hash;
}

bool reads(std::span<const Atom> atoms, Attribute attribute) {
  return std::any_of(atoms.begin(), atoms.end(),
                     [&](const Atom& atom) { return atom.attribute == attribute; });
}

bool are_available(std::span<const Atom> atoms, const AvailableAttributes& available) {
  return (available.coarse_tags || !reads(atoms, Attribute::coarse_tag)) &&
         (available.lemmas || !reads(atoms, Attribute::lemma)) &&
         (available.feats || !reads(atoms, Attribute::feats));
}

std::vector<Atom> exchanged(std::vector<Atom> atoms, Attribute from, Attribute to) {
  for (Atom& atom : atoms) {
    if (atom.attribute == from) atom.attribute = to;
  }
  return atoms;
}

void add_rows(std::span<const TemplateRow> rows, Factorization factorization,
              const AvailableAttributes& available, std::vector<FeatureTemplate>& templates) {
  for (const TemplateRow& row : rows) {
    if (!contains(factorization, row.part)) continue;
    const auto add = [&](std::span<const Atom> atoms) {
      if (!are_available(atoms, available)) return;
      templates.push_back(
          {row.scope, row.firing, {atoms.begin(), atoms.end()}, identity(row.scope, row.firing, atoms)});
    };
    split(row.templates, ',', [&](std::string_view text) {
      const std::vector<Atom> atoms = parse_atoms(text);
      add(atoms);
      if (!reads(atoms, Attribute::fine_tag)) return;
      add(exchanged(atoms, Attribute::fine_tag, Attribute::coarse_tag));
      if (available.single_feats) add(exchanged(atoms, Attribute::fine_tag, Attribute::refined_tag));
    });
  }
}

constexpr std::array<std::string_view, 4> kSetNames = {"paper", "rich", "pruner", "labels"};

}  // namespace

std::vector<Atom> parse_atoms(std::string_view text) {
  std::vector<Atom> atoms;
  split(text, ' ', [&](std::string_view atom) { atoms.push_back(parse_atom(atom)); });
  if (atoms.empty()) throw std::invalid_argument("a template without atoms");
  return atoms;
}

std::string_view name(FeatureSet set) { return kSetNames[static_cast<std::size_t>(set)]; }

std::optional<FeatureSet> parse_feature_set(std::string_view name) {
  const auto* found = std::find(kSetNames.begin(), kSetNames.end(), name);
  if (found == kSetNames.end()) return std::nullopt;
  return static_cast<FeatureSet>(found - kSetNames.begin());
}

TemplateSet::TemplateSet(FeatureSet set, Factorization factorization, AvailableAttributes available) {
  const bool has_morphology = set == FeatureSet::rich || set == FeatureSet::pruner;
  available.single_feats = available.single_feats && has_morphology;
  const auto add = [&](std::span<const TemplateRow> rows) {
    add_rows(rows, factorization, available, templates_);
  };
  switch (set) {
    case FeatureSet::pruner:
      add(kPruner);
      break;
    case FeatureSet::labels:
      add(kLabels);
      break;
    case FeatureSet::rich:
      add(kPaper);
      add(kRich);
      if (available.single_feats) add(kMorphology);
      break;
    case FeatureSet::paper:
      add(kPaper);
      break;
  }
}

}  // namespace copse
