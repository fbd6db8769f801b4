#include "tree_crf.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace copse::python {
namespace {

std::vector<py::ssize_t> shape_of(PartKind kind, int words) {
  return std::vector<py::ssize_t>(static_cast<std::size_t>(dimensions(kind)), words + 1);
}

void check_shape(const DenseArray& array, PartKind kind, int words) {
  bool right = array.ndim() == dimensions(kind);
  for (py::ssize_t i = 0; right && i < array.ndim(); ++i) right = array.shape(i) == words + 1;
  if (!right) {
    throw py::value_error(fmt::format("{} must have {} dimensions of size {} (the words and the root)",
                                      name(kind), dimensions(kind), words + 1));
  }
}

// Of all factorizations, as a sentence has them.
std::string all_names() {
  std::string names;
  for (const Factorization factorization : kAllFactorizations) {
    const bool is_last = factorization == kAllFactorizations.back();
    names += fmt::format("{}{}", names.empty() ? "" : is_last ? " and " : ", ", name(factorization));
  }
  return names;
}

}  // namespace

HeadArray head_array(const std::vector<int>& heads) {
  HeadArray result(static_cast<py::ssize_t>(heads.size()));
  std::copy(heads.begin(), heads.end(), result.mutable_data());
  return result;
}

DenseMarginals DenseMarginals::allocate(Factorization factorization, int words) {
  DenseMarginals result;
  for (const PartKind kind : kAllPartKinds) {
    if (!contains(factorization, kind)) continue;
    DenseArray array(shape_of(kind, words));
    std::fill_n(array.mutable_data(), array.size(), 0.0);
    result.arrays[static_cast<std::size_t>(kind)] = std::move(array);
  }
  return result;
}

std::array<double*, kPartKinds> DenseMarginals::data() {
  std::array<double*, kPartKinds> pointers{};
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i]) pointers[i] = arrays[i]->mutable_data();
  }
  return pointers;
}

void DenseMarginals::fill(const PartIndex& parts, const Marginals& marginals,
                          const std::array<double*, kPartKinds>& data) const {
  for (const PartKind kind : kAllPartKinds) {
    double* to = data[static_cast<std::size_t>(kind)];
    if (to != nullptr) write_dense(parts, kind, marginals[kind], to);
  }
}

py::object DenseMarginals::get(PartKind kind) const {
  const auto& array = arrays[static_cast<std::size_t>(kind)];
  return array ? py::object(*array) : py::none();
}

template <class F>
auto TreeCRF::ask(F&& f) {
  const py::gil_scoped_release unlocked;
  const std::lock_guard<std::mutex> guard(workspace_->mutex);
  if (!workspace_->loaded) {
    load_into(workspace_->distribution);
    workspace_->loaded = true;
  }
  return f(workspace_->distribution);
}

TreeCRF::TreeCRF(const std::string& factorization, const DenseArrays& given,
                 const std::optional<CandidateArray>& candidates, const std::string& root,
                 const std::string& kind_of_trees)
    : trees_(RootMode::multi), workspace_(std::make_unique<Workspace>()) {
  const std::optional<Factorization> parsed = parse_factorization(factorization);
  if (!parsed) {
    throw py::value_error(fmt::format("no factorization '{}'; there are {}", factorization, all_names()));
  }
  const std::optional<RootMode> root_mode = parse_root_mode(root);
  if (!root_mode) throw py::value_error(fmt::format("root must be 'multi' or 'single', not '{}'", root));
  const std::optional<TreeKind> tree_kind = parse_tree_kind(kind_of_trees);
  if (!tree_kind) {
    throw py::value_error(
        fmt::format("trees must be 'projective' or 'nonprojective', not '{}'", kind_of_trees));
  }
  if (*tree_kind == TreeKind::nonprojective && *parsed != Factorization::first) {
    throw py::value_error("nonprojective trees need the factorization 'first'");
  }
  trees_ = {*root_mode, *tree_kind};
  const DenseArray& arc = given.front().value();
  if (arc.ndim() != 2 || arc.shape(0) < 1) {
    throw py::value_error("arc must have two dimensions of size n + 1, indexed [head, modifier]");
  }
  constexpr py::ssize_t kMostWords = 60000;
  if (arc.shape(0) > kMostWords + 1) {
    throw py::value_error(
        fmt::format("a sentence has at most {} words, not {}", kMostWords, arc.shape(0) - 1));
  }
  const int words = static_cast<int>(arc.shape(0)) - 1;

  auto problem = std::make_shared<Problem>();
  if (candidates) {
    if (candidates->ndim() != 2 || candidates->shape(0) != words + 1 || candidates->shape(1) != words + 1) {
      throw py::value_error(fmt::format("candidates must be a boolean array of {0} by {0}", words + 1));
    }
    const auto allowed = candidates->unchecked<2>();
    std::vector<Arc> arcs;
    for (int head = 0; head <= words; ++head) {
      for (int modifier = 1; modifier <= words; ++modifier) {
        if (head != modifier && allowed(head, modifier)) arcs.push_back({head, modifier});
      }
    }
    problem->arcs.assign(words, arcs);
  } else {
    problem->arcs.assign_all(words);
  }
  problem->parts.assign(problem->arcs, *parsed);
  problem->potentials.assign(problem->parts);

  for (const PartKind kind : kAllPartKinds) {
    const OptionalArray& array = given[static_cast<std::size_t>(kind)];
    if (!array) continue;
    if (!contains(*parsed, kind)) {
      throw py::value_error(fmt::format("a {} model has no {} potentials", factorization, name(kind)));
    }
    check_shape(*array, kind, words);
    read_dense(problem->parts, kind, array->data(), problem->potentials[kind]);
  }
  problem_ = std::move(problem);
  // Finds potentials that are no numbers now, and not at the first question.
  ask([](TreeDistribution&) { return 0; });
}

TreeCRF::TreeCRF(std::shared_ptr<const Problem> problem, TreeSpace space, Constraints constraints)
    : problem_(std::move(problem)),
      trees_(space),
      constraints_(std::move(constraints)),
      workspace_(std::make_unique<Workspace>()) {}

std::vector<int> TreeCRF::checked_heads(const HeadArray& heads) const {
  if (heads.ndim() != 1 || heads.shape(0) != words() + 1) {
    throw py::value_error(
        fmt::format("heads must be one-dimensional with {} entries; entry 0 is ignored", words() + 1));
  }
  std::vector<int> result(static_cast<std::size_t>(words()) + 1, 0);
  for (int m = 1; m <= words(); ++m) {
    // Whatever is no position is no head either.
    const std::int64_t head = heads.at(m);
    result[m] = head >= 0 && head <= words() ? static_cast<int>(head) : -1;
  }
  return result;
}

double TreeCRF::log_partition() {
  return ask([](TreeDistribution& d) { return d.log_partition(); });
}

double TreeCRF::entropy() {
  return ask([](TreeDistribution& d) { return d.entropy(); });
}

DenseMarginals TreeCRF::marginals() {
  DenseMarginals result = DenseMarginals::allocate(factorization(), words());
  const std::array<double*, kPartKinds> data = result.data();
  ask([&](TreeDistribution& d) {
    result.fill(parts(), d.marginals(), data);
    return 0;
  });
  return result;
}

HeadArray TreeCRF::argmax() {
  std::vector<int> heads(static_cast<std::size_t>(words()) + 1);
  ask([&](TreeDistribution& d) { return d.best_tree(heads); });
  return head_array(heads);
}

HeadArray TreeCRF::mbr() {
  std::vector<int> heads(static_cast<std::size_t>(words()) + 1);
  ask([&](TreeDistribution& d) { return d.min_risk_tree(heads); });
  return head_array(heads);
}

std::vector<std::pair<HeadArray, double>> TreeCRF::kbest(int k) {
  if (k < 1) throw py::value_error("k must be at least 1");
  std::vector<ScoredTree> trees;
  ask([&](TreeDistribution& d) {
    d.k_best(k, trees);
    return 0;
  });
  std::vector<std::pair<HeadArray, double>> result;
  result.reserve(trees.size());
  for (const ScoredTree& tree : trees) result.emplace_back(head_array(tree.heads), tree.score);
  return result;
}

HeadArray TreeCRF::sample(int count, std::uint64_t seed) {
  if (count < 0) throw py::value_error("count must not be negative");
  HeadArray result({static_cast<py::ssize_t>(count), static_cast<py::ssize_t>(words() + 1)});
  std::int64_t* to = result.mutable_data();
  ask([&](TreeDistribution& d) {
    std::mt19937_64 random(seed);
    std::vector<int> heads(static_cast<std::size_t>(words()) + 1);
    for (int i = 0; i < count; ++i) {
      d.sample(random, heads);
      to = std::copy(heads.begin(), heads.end(), to);
    }
    return 0;
  });
  return result;
}

double TreeCRF::log_prob(const HeadArray& heads) {
  const std::vector<int> checked = checked_heads(heads);
  return ask([&](TreeDistribution& d) { return d.log_probability(checked); });
}

double TreeCRF::score(const HeadArray& heads) {
  const std::vector<int> checked = checked_heads(heads);
  return ask([&](TreeDistribution& d) { return d.score(checked); });
}

TreeCRF TreeCRF::constrained(const std::optional<HeadArray>& heads,
                             const std::vector<std::pair<int, int>>& forbidden) const {
  Constraints constraints = constraints_;
  if (heads) {
    if (heads->ndim() != 1 || heads->shape(0) != words() + 1) {
      throw py::value_error(fmt::format("heads must have {} entries; -1 leaves a word free", words() + 1));
    }
    constraints.heads.assign(static_cast<std::size_t>(words()) + 1, Constraints::kAnyHead);
    for (int m = 1; m <= words(); ++m) {
      const std::int64_t head = heads->at(m);
      if (head < -1 || head > words()) {
        throw py::value_error(fmt::format("word {} cannot have head {}; -1 leaves a word free", m, head));
      }
      constraints.heads[m] = static_cast<int>(head);
    }
  }
  for (const auto& [head, modifier] : forbidden) constraints.forbidden.push_back({head, modifier});
  return TreeCRF(problem_, trees_, std::move(constraints));
}

}  // namespace copse::python
