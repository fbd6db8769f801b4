#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "dense.h"

namespace copse::python {

namespace py = pybind11;

using DenseArray = py::array_t<double, py::array::c_style | py::array::forcecast>;
using OptionalArray = std::optional<DenseArray>;
using DenseArrays = std::array<OptionalArray, kPartKinds>;  // by kind of parts
using CandidateArray = py::array_t<bool, py::array::c_style | py::array::forcecast>;
using HeadArray = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

// Arrays of the shapes of the potentials; those that the factorization lacks are None.
struct DenseMarginals {
  DenseArrays arrays;

  static DenseMarginals allocate(Factorization factorization, int words);
  // Holds no lock: may be called without the interpreter's.
  void fill(const PartIndex& parts, const Marginals& marginals,
            const std::array<double*, kPartKinds>& data) const;
  std::array<double*, kPartKinds> data();
  py::object get(PartKind kind) const;
};

// The potentials of one sentence and the questions about them. What a question needs is computed once.
class TreeCRF {
 public:
  // Potentials of arcs must be among those that are given.
  TreeCRF(const std::string& factorization, const DenseArrays& given,
          const std::optional<CandidateArray>& candidates, const std::string& root,
          const std::string& kind_of_trees);

  int words() const { return problem_->parts.words(); }
  Factorization factorization() const { return problem_->parts.factorization(); }
  TreeSpace trees() const { return trees_; }
  const PartIndex& parts() const { return problem_->parts; }

  double log_partition();
  double entropy();
  DenseMarginals marginals();
  HeadArray argmax();
  HeadArray mbr();
  std::vector<std::pair<HeadArray, double>> kbest(int k);
  HeadArray sample(int count, std::uint64_t seed);
  double log_prob(const HeadArray& heads);
  double score(const HeadArray& heads);
  // The same potentials under constraints.
  TreeCRF constrained(const std::optional<HeadArray>& heads,
                      const std::vector<std::pair<int, int>>& forbidden) const;

  // Lets a workspace of the caller answer; needs no lock.
  void load_into(TreeDistribution& distribution) const {
    distribution.assign(problem_->parts, problem_->potentials, trees_, constraints_);
  }

 private:
  struct Problem {
    ArcSet arcs;
    PartIndex parts;
    Potentials potentials;
  };

  TreeCRF(std::shared_ptr<const Problem> problem, TreeSpace space, Constraints constraints);
  // Runs f(distribution) without the interpreter's lock, one thread at a time.
  template <class F>
  auto ask(F&& f);
  std::vector<int> checked_heads(const HeadArray& heads) const;

  std::shared_ptr<const Problem> problem_;
  TreeSpace trees_;
  Constraints constraints_;
  struct Workspace {
    std::mutex mutex;
    TreeDistribution distribution;
    bool loaded = false;
  };
  std::unique_ptr<Workspace> workspace_;
};

HeadArray head_array(const std::vector<int>& heads);

}  // namespace copse::python
