#pragma once

#include <gtest/gtest.h>

#include <array>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>

#include "copse/inference/tree_distribution.h"
#include "inference/random_cases.h"

namespace copse::testing {

inline constexpr std::array kArithmetics{Arithmetic::automatic, Arithmetic::linear, Arithmetic::log};

inline const char* to_string(Arithmetic arithmetic) {
  constexpr std::array names{"automatic", "linear", "log"};
  return names[static_cast<std::size_t>(arithmetic)];
}

// What the library is given for one sentence. The part index refers to the arc set: no copies.
struct LibraryInput {
  LibraryInput() = default;
  explicit LibraryInput(const TreeModel& model) { assign(model); }
  LibraryInput(const LibraryInput&) = delete;
  LibraryInput& operator=(const LibraryInput&) = delete;

  void assign(const TreeModel& model) {
    assign_candidates(model.words, model.factorization, model.root, model.candidates);
    trees = model.kind;
    constraints = model.constraints;
    for (Order order : orders_of(model.factorization)) {
      for_each_conceivable_part(order, model.words, [&](const Part& part) {
        const PartIndex::Position found = position(parts, order, part);
        if (found != PartIndex::kNone) values_of(potentials, order)[found] = model.potentials.at(order, part);
      });
    }
  }

  // For sentences too long for tables over words: potentials are drawn in the order of the library's arrays.
  void assign_random(Generator& random, int words, Factorization factorization, RootMode root_mode,
                     std::span<const Arc> candidates, PotentialKind kind) {
    assign_candidates(words, factorization, root_mode, candidates);
    for (Order order : orders_of(factorization)) {
      for (double& potential : values_of(potentials, order)) potential = draw_potential(random, kind);
    }
  }

  // All potentials zero, no constraints.
  void assign_candidates(int words, Factorization factorization, RootMode root_mode,
                         std::span<const Arc> candidates) {
    arcs.assign(words, candidates);
    parts.assign(arcs, factorization);
    potentials.assign(parts);
    constraints = {};
    root = root_mode;
    trees = TreeKind::projective;
  }

  void give_to(TreeDistribution& distribution, Arithmetic arithmetic = Arithmetic::automatic) const {
    distribution.assign(parts, potentials, {root, trees}, constraints, arithmetic);
  }

  int words() const { return arcs.words(); }

  ArcSet arcs;
  PartIndex parts;
  Potentials potentials;
  Constraints constraints;
  RootMode root = RootMode::multi;
  TreeKind trees = TreeKind::projective;
};

// Runs check(distribution) under every arithmetic, always with the same workspace. Linear arithmetic may
// refuse extreme magnitudes, and nothing else.
template <typename Check>
void under_every_arithmetic(const LibraryInput& input, bool may_refuse, Check check) {
  static TreeDistribution distribution;
  for (Arithmetic arithmetic : kArithmetics) {
    SCOPED_TRACE(std::string("arithmetic ") + to_string(arithmetic));
    try {
      input.give_to(distribution, arithmetic);
      check(distribution);
    } catch (const std::range_error& error) {
      EXPECT_TRUE(may_refuse && arithmetic == Arithmetic::linear) << "refused: " << error.what();
      ++case_counts().refused_by_linear;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "unexpected error: " << error.what();
    }
  }
}

}  // namespace copse::testing
