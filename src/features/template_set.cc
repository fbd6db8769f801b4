#include "features/template_set.h"

#include <algorithm>
#include <stdexcept>

#include "features/hashing.h"

namespace copse {
namespace {

// Attributes in the notation: L form, P tag (fine and coarse in turn), M lemma, F feats, S suffix, X prefix,
// H shape; C stands for a coarse tag alone.
constexpr std::array<std::pair<char, Attribute>, 8> kAttributeLetters = {{{'L', Attribute::form},
                                                                          {'P', Attribute::fine_tag},
                                                                          {'C', Attribute::coarse_tag},
                                                                          {'M', Attribute::lemma},
                                                                          {'F', Attribute::feats},
                                                                          {'S', Attribute::suffix},
                                                                          {'X', Attribute::prefix},
                                                                          {'H', Attribute::shape}}};
constexpr std::string_view kPlaceLetters = "gsrtb";  // in the order of Place

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

// The table of the paper. Two rows of the grand-sibling block break the block's own symmetry (they print
// L(g)L(s)P(r)L(t), and g+1 with r-1 and t-1); they are read as their neighbours suggest.
constexpr TemplateRow kPaper[] = {
    {kArc, Scope::head, Firing::always, "Ls Ps, Ls, Ps"},
    {kArc, Scope::modifier, Firing::always, "Lt Pt, Lt, Pt"},
    {kArc, Scope::arc, Firing::always,
     "Ls Ps Lt Pt, Ls Ps Pt, Ps Lt Pt, Ls Ps Lt, Ls Lt Pt, Ls Lt, Ps Pt,"
     "Ps Pt Ps+1 Pt-1, Ps Pt Ps-1 Pt-1, Ps Pt Ps+1 Pt+1, Ps Pt Ps-1 Pt+1"},
    {kArc, Scope::arc, Firing::between, "Ls Lb Lt, Ps Pb Pt"},
    {kSibling, Scope::sibling, Firing::always, "Ls Lr Lt, Ps Pr Pt, Ls Ps Pr Pt, Ps Lr Pr Pt, Ps Pr Lt Pt"},
    {kSibling, Scope::sibling_pair, Firing::always, "Lr Lt, Pr Pt, Lr Pt, Pr Lt"},
    {kGrandchild, Scope::grandchild, Firing::always,
     "Lg Ls Lt, Pg Ps Pt, Lg Pg Ps Pt, Pg Ls Ps Pt, Pg Ps Lt Pt"},
    {kGrandchild, Scope::grandchild_pair, Firing::always, "Lg Lt, Pg Pt, Lg Pt, Pg Lt"},
    {kGrandsibling, Scope::grandsibling, Firing::always,
     "Lg Ps Pr Pt, Pg Ls Pr Pt, Pg Ps Lr Pt, Pg Ps Pr Lt, Lg Ls Pr Pt, Lg Ps Lr Pt, Lg Ps Pr Lt,"
     "Pg Ls Lr Pt, Pg Ls Pr Lt, Pg Ps Lr Lt, Pg Ps Pr Pt,"
     "Pg Ps Pr Pt Pg+1 Ps+1 Pt+1, Pg Ps Pr Pt Pg-1 Ps-1 Pt-1, Pg Ps Pr Pt Pg+1 Ps+1,"
     "Pg Ps Pr Pt Pg-1 Ps-1"},
    {kGrandsibling, Scope::grandsibling_triple, Firing::always,
     "Pg Pr Pt Pg+1 Pr+1 Pt+1, Pg Pr Pt Pg-1 Pr-1 Pt-1,"
     "Lg Pr Pt, Pg Lr Pt, Pg Pr Lt, Lg Lr Pt, Lg Pr Lt, Pg Lr Lt, Pg Pr Pt"},
    {kGrandsibling, Scope::grandsibling_pair, Firing::always, "Pg Pr Pg+1 Pr+1, Pg Pr Pg-1 Pr-1"},
    {kGrandsibling, Scope::grandchild_pair, Firing::always, "Pg Pt Pg+1 Pt+1, Pg Pt Pg-1 Pt-1"},
    {kGrandsibling, Scope::sibling_pair, Firing::always, "Pr Pt Pr+1 Pt+1, Pr Pt Pr-1 Pt-1"},
    {kGrandsibling, Scope::grandsibling, Firing::coordination,
     "Lg Ps, Pg Ps, Pg Ls, Lg Pt, Pg Pt, Pg Lt, Ls Pt, Ps Lt, Ps Pt, Lg Ls Lt, Lg Ps Pt, Pg Ls Pt,"
     "Pg Ps Lt, Lg Ls Pt, Lg Ps Lt, Pg Ls Lt, Pg Ps Pt"},
};

// What `rich` has beside the table of the paper.
constexpr TemplateRow kRich[] = {
    {kArc, Scope::head, Firing::always, "Ps-1 Ps Ps+1, Ss Ps, Hs Ps"},
    {kArc, Scope::modifier, Firing::always, "Pt-1 Pt Pt+1, St Pt, Ht Pt"},
    {kArc, Scope::arc, Firing::always,
     "Ms Mt, Ms Pt, Ps Mt, Ss Pt, Ps St, Fs Ft, Ps Fs Pt Ft, Ps Pt-1 Pt Pt+1, Ps-1 Ps Ps+1 Pt,"
     "Ls Pt-1 Pt Pt+1, Ps-1 Ps Ps+1 Lt, Ls Ps+1 Pt, Ls Ps-1 Pt, Ps Lt Pt+1, Ps Lt Pt-1,"
     "Ps-1 Ps Ps+1 Pt-1 Pt Pt+1, Ps Pt Pt+1 Pt+2, Ps Pt Pt-1 Pt-2"},
    {kSibling, Scope::sibling, Firing::always,
     "Ls Lr Pt, Ls Pr Lt, Ps Lr Lt, Ps Pr Pt Pt+1, Ps Pr Pt Pr+1, Ps Pr Pt Pt-1, Ps Pr Pt Ps+1, Ms Pr Mt"},
    {kGrandchild, Scope::grandchild, Firing::always,
     "Lg Ls Pt, Lg Ps Lt, Pg Ls Lt, Pg Ps Pt Pt+1, Pg Ps Pt Pt-1, Pg Ps Pt Ps+1, Pg Ps Pt Ps-1,"
     "Pg Ps Pt Pg+1, Pg Ps Pt Pg-1, Mg Ps Mt, Fg Fs Ft"},
};

// Enough to tell hopeless arcs from others, at a third of the cost.
constexpr TemplateRow kPruner[] = {
    {kArc, Scope::head, Firing::always, "Ls, Ps"},
    {kArc, Scope::modifier, Firing::always, "Lt, Pt"},
    {kArc, Scope::arc, Firing::always,
     "Ls Pt, Ps Lt, Ls Lt, Ps Pt, Ps Pt Ps+1 Pt-1, Ps Pt Ps-1 Pt-1, Ps Pt Ps+1 Pt+1, Ps Pt Ps-1 Pt+1"},
    {kArc, Scope::arc, Firing::between, "Ps Pb Pt"},
};

// What tells labels apart. Each feature has a weight for every label that it was seen with; a few of them say
// as much as all of `rich`.
constexpr TemplateRow kLabels[] = {
    {kArc, Scope::head, Firing::always, "Ls, Ps"},
    {kArc, Scope::modifier, Firing::always, "Lt, Pt, St, Pt-1 Pt Pt+1"},
    {kArc, Scope::arc, Firing::always,
     "Ps Pt, Ls Pt, Ps Lt, Ls Lt, Ms Mt, Ms Pt, Ps Mt, Ps St, Ss Pt, Fs Ft, Ps Fs Pt Ft, Ps Pt-1 Pt Pt+1,"
     "Ps Pt Ps+1 Pt-1, Ps Lt Pt+1, Ps Lt Pt-1"},
    {kSibling, Scope::sibling, Firing::always, "Ps Pr Pt, Ls Pr Pt, Ps Lr Pt, Ps Pr Lt, Pr Lt, Lr Pt, Lr Lt"},
    {kGrandchild, Scope::grandchild, Firing::always,
     "Pg Ps Pt, Lg Ps Pt, Pg Ls Pt, Pg Ps Lt, Lg Pt, Pg Lt, Lg Lt"},
    {kGrandsibling, Scope::grandsibling, Firing::always, "Pg Ps Pr Pt, Pg Ps Pr Lt"},
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

void add_rows(std::span<const TemplateRow> rows, Factorization factorization,
              const AvailableAttributes& available, std::vector<FeatureTemplate>& templates) {
  for (const TemplateRow& row : rows) {
    if (!contains(factorization, row.part)) continue;
    const auto add = [&](const std::vector<Atom>& atoms) {
      if (!are_available(atoms, available)) return;
      templates.push_back({row.scope, row.firing, atoms, identity(row.scope, row.firing, atoms)});
    };
    split(row.templates, ',', [&](std::string_view text) {
      std::vector<Atom> atoms = parse_atoms(text);
      add(atoms);
      if (!reads(atoms, Attribute::fine_tag)) return;
      for (Atom& atom : atoms) {
        if (atom.attribute == Attribute::fine_tag) atom.attribute = Attribute::coarse_tag;
      }
      add(atoms);
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

TemplateSet::TemplateSet(FeatureSet set, Factorization factorization, const AvailableAttributes& available) {
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
      break;
    case FeatureSet::paper:
      add(kPaper);
      break;
  }
}

}  // namespace copse
