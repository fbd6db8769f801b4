#include "demo_model.h"

#include <array>

namespace copse {
namespace {

enum Word : int { kRoot, kAnn, kSketched, kThe, kFox, kWith, kA, kFeather, kYesterday };

const std::array<std::string, 9> kForms = {"root", "Ann", "sketched", "the",      "fox",
                                           "with", "a",   "feather",  "yesterday"};

constexpr DemoPart arc(int head, int modifier, double potential) {
  return {.head = head, .modifier = modifier, .potential = potential};
}
constexpr DemoPart siblings(int head, int sibling, int modifier, double potential) {
  return {.head = head, .sibling = sibling, .modifier = modifier, .potential = potential};
}
constexpr DemoPart grandchild(int grandparent, int head, int modifier, double potential) {
  return {.grandparent = grandparent, .head = head, .modifier = modifier, .potential = potential};
}
constexpr DemoPart grandsiblings(int grandparent, int head, int sibling, int modifier, double potential) {
  return {grandparent, head, sibling, modifier, potential};
}

// By arcs alone the fox has the feather. But a verb likes an instrument beside its object, and one can sketch
// with a feather: the larger parts take the other side. In the best tree they win; yet if the fox has the
// feather, "yesterday" has one more place to go, and all these trees together win against the best.
constexpr std::array kParts = {
    arc(kRoot, kSketched, 3.0),
    arc(kSketched, kAnn, 2.5),
    arc(kSketched, kFox, 2.5),
    arc(kFox, kThe, 2.5),
    arc(kSketched, kWith, 0.8),
    arc(kFox, kWith, 1.7),
    arc(kWith, kFeather, 2.5),
    arc(kFeather, kA, 2.5),
    arc(kSketched, kYesterday, 1.4),
    arc(kFeather, kYesterday, 0.4),
    arc(kFox, kYesterday, 0.9),
    siblings(kSketched, kFox, kWith, 0.5),
    grandchild(kSketched, kWith, kFeather, 0.4),
    grandchild(kWith, kFeather, kYesterday, -0.5),
    grandsiblings(kRoot, kSketched, kWith, kYesterday, 0.3),
};

// Where the part's potential belongs; none if the factorization has no parts of this kind.
double* place_of(const DemoPart& part, const PartIndex& index, Potentials& potentials) {
  const bool has_sibling = part.sibling != DemoPart::kUnset;
  const bool has_grandparent = part.grandparent != DemoPart::kUnset;
  const PartKind kind = has_sibling ? (has_grandparent ? PartKind::grandsibling : PartKind::sibling)
                                    : (has_grandparent ? PartKind::grandchild : PartKind::arc);
  const PartIndex::Position position =
      index.find(kind, {part.grandparent, part.head, part.sibling, part.modifier});
  return position == PartIndex::kNone ? nullptr : &potentials[kind][static_cast<size_t>(position)];
}

}  // namespace

std::span<const std::string> DemoModel::forms() const { return kForms; }

int DemoModel::ambiguous_word() const { return kWith; }

std::span<const DemoPart> DemoModel::parts() const { return kParts; }

Potentials DemoModel::potentials(const PartIndex& index) const {
  Potentials potentials;
  potentials.assign(index);
  potentials.arc.assign(potentials.arc.size(), kOtherArc);
  for (const DemoPart& part : kParts) {
    double* place = place_of(part, index, potentials);
    if (place != nullptr) *place = part.potential;
  }
  return potentials;
}

}  // namespace copse
