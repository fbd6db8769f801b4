#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "module_documents.h"
#include "module_training.h"
#include "tree_crf.h"

namespace copse::python {
namespace {

// What batch() can compute for every sentence.
struct Wanted {
  bool log_partition = false;
  bool entropy = false;
  bool marginals = false;
  bool argmax = false;
  bool mbr = false;

  explicit Wanted(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      bool* flag = name == "log_partition" ? &log_partition
                   : name == "entropy"     ? &entropy
                   : name == "marginals"   ? &marginals
                   : name == "argmax"      ? &argmax
                   : name == "mbr"         ? &mbr
                                           : nullptr;
      if (flag == nullptr) {
        throw py::value_error(fmt::format(
            "batch cannot compute '{}'; it can compute log_partition, entropy, marginals, argmax and mbr",
            name));
      }
      *flag = true;
    }
  }
};

struct Answer {
  double log_partition = 0.0;
  double entropy = 0.0;
  std::vector<int> argmax;
  std::vector<int> mbr;
};

void answer(const TreeCRF& crf, const Wanted& wanted, TreeDistribution& distribution,
            const DenseMarginals& dense, const std::array<double*, kPartKinds>& data, Answer& out) {
  crf.load_into(distribution);
  const std::size_t size = static_cast<std::size_t>(crf.words()) + 1;
  if (wanted.log_partition) out.log_partition = distribution.log_partition();
  if (wanted.entropy) out.entropy = distribution.entropy();
  if (wanted.marginals) dense.fill(crf.parts(), distribution.marginals(), data);
  if (wanted.argmax) {
    out.argmax.resize(size);
    distribution.best_tree(out.argmax);
  }
  if (wanted.mbr) {
    out.mbr.resize(size);
    distribution.min_risk_tree(out.mbr);
  }
}

py::dict batch(const std::vector<const TreeCRF*>& crfs, const std::vector<std::string>& compute,
               int threads) {
  const Wanted wanted(compute);
  if (threads < 0) throw py::value_error("threads must not be negative");
  if (threads == 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  threads = std::min(threads, std::max(1, static_cast<int>(crfs.size())));

  std::vector<Answer> answers(crfs.size());
  std::vector<DenseMarginals> marginals(wanted.marginals ? crfs.size() : 0);
  std::vector<std::array<double*, kPartKinds>> data(crfs.size());
  for (std::size_t i = 0; i < marginals.size(); ++i) {
    marginals[i] = DenseMarginals::allocate(crfs[i]->factorization(), crfs[i]->words());
    data[i] = marginals[i].data();
  }
  {
    const py::gil_scoped_release unlocked;
    std::atomic<std::size_t> next{0};
    std::mutex failure_mutex;
    std::exception_ptr failure;
    const auto work = [&] {
      TreeDistribution distribution;
      static const DenseMarginals kNone;
      for (std::size_t i = next++; i < crfs.size(); i = next++) {
        try {
          answer(*crfs[i], wanted, distribution, wanted.marginals ? marginals[i] : kNone, data[i],
                 answers[i]);
        } catch (...) {
          const std::lock_guard<std::mutex> guard(failure_mutex);
          if (!failure) failure = std::current_exception();
          next = crfs.size();
        }
      }
    };
    std::vector<std::thread> pool;
    pool.reserve(static_cast<std::size_t>(threads));
    try {
      for (int t = 1; t < threads; ++t) pool.emplace_back(work);
    } catch (const std::system_error&) {
      // The system gives no more threads: those that there are do the work.
    }
    work();
    for (std::thread& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
  }

  py::dict result;
  const auto numbers = [&](double Answer::*field) {
    DenseArray array(static_cast<py::ssize_t>(answers.size()));
    for (std::size_t i = 0; i < answers.size(); ++i)
      array.mutable_at(static_cast<py::ssize_t>(i)) = answers[i].*field;
    return array;
  };
  const auto trees = [&](std::vector<int> Answer::*field) {
    py::list list;
    for (const Answer& a : answers) list.append(head_array(a.*field));
    return list;
  };
  if (wanted.log_partition) result["log_partition"] = numbers(&Answer::log_partition);
  if (wanted.entropy) result["entropy"] = numbers(&Answer::entropy);
  if (wanted.argmax) result["argmax"] = trees(&Answer::argmax);
  if (wanted.mbr) result["mbr"] = trees(&Answer::mbr);
  if (wanted.marginals) result["marginals"] = marginals;
  return result;
}

py::object marginals_by_name(const DenseMarginals& marginals, const std::string& wanted) {
  for (const PartKind kind : kAllPartKinds) {
    if (name(kind) == wanted && marginals.arrays[static_cast<std::size_t>(kind)]) return marginals.get(kind);
  }
  throw py::key_error(wanted);
}

std::vector<std::string> marginal_names(const DenseMarginals& marginals) {
  std::vector<std::string> names;
  for (const PartKind kind : kAllPartKinds) {
    if (marginals.arrays[static_cast<std::size_t>(kind)]) names.emplace_back(name(kind));
  }
  return names;
}

// The potentials of a TreeCRF, given in the order of the kinds of parts or by their names.
DenseArrays potentials_of(const py::args& in_order, const py::kwargs& by_name) {
  DenseArrays arrays;
  if (in_order.size() > arrays.size())
    throw py::type_error(fmt::format("TreeCRF takes potentials of at most {} kinds of parts", arrays.size()));
  std::size_t known = 0;
  for (const PartKind kind : kAllPartKinds) {
    const auto place = static_cast<std::size_t>(kind);
    const std::string key(name(kind));
    const bool is_in_order = place < in_order.size();
    const bool is_by_name = by_name.contains(key);
    if (is_in_order && is_by_name) throw py::type_error(fmt::format("TreeCRF got '{}' twice", key));
    if (!is_in_order && !is_by_name) continue;
    known += is_by_name ? 1 : 0;
    const py::object given = is_in_order ? py::object(in_order[place]) : py::object(by_name[key.c_str()]);
    if (given.is_none()) continue;
    DenseArray array = DenseArray::ensure(given);
    if (!array) {
      PyErr_Clear();
      throw py::type_error(fmt::format("'{}' must be an array of numbers", key));
    }
    arrays[place] = std::move(array);
  }
  if (known < by_name.size()) {
    for (const auto& [key, value] : by_name) {
      const bool is_known = std::ranges::any_of(
          kAllPartKinds, [&](PartKind kind) { return name(kind) == key.cast<std::string>(); });
      if (!is_known)
        throw py::type_error(fmt::format("TreeCRF has no argument '{}'", key.cast<std::string>()));
    }
  }
  if (!arrays[static_cast<std::size_t>(PartKind::arc)]) throw py::type_error("TreeCRF needs potentials: arc");
  return arrays;
}

}  // namespace

PYBIND11_MODULE(_copse, m) {
  m.doc() =
      "Exact inference over all dependency trees of a sentence.\n\n"
      "The probability of a tree is proportional to the exponential of the sum of the potentials of its "
      "parts.\n"
      "Index 0 is the root, words are 1..n, so every array has n + 1 entries in each dimension.";
  m.attr("__version__") = COPSE_VERSION;
  const auto& data_error = py::register_exception<DataError>(m, "DataError", PyExc_ValueError);
  py::register_exception<InfeasibleError>(m, "InfeasibleError", data_error);
  add_documents(m);
  add_training(m);

  py::class_<DenseMarginals> marginals(
      m, "Marginals",
      "Probabilities of all parts, in arrays of the shapes of the potentials; None for "
      "orders that the factorization does not have. Also usable like a dict.");
  for (const PartKind kind : kAllPartKinds) {
    marginals.def_property_readonly(
        name(kind).data(), [kind](const DenseMarginals& d) { return d.get(kind); },
        "Of parts of this order, or None.");
  }
  marginals.def("__getitem__", &marginals_by_name)
      .def("keys", &marginal_names, "The orders that there are.")
      .def("__iter__", [](const DenseMarginals& d) { return py::iter(py::cast(marginal_names(d))); })
      .def("__len__", [](const DenseMarginals& d) { return marginal_names(d).size(); });

  py::class_<TreeCRF>(
      m, "TreeCRF",
      "The distribution over the trees of one sentence.\n\n"
      "factorization: 'first', 'sibling', 'grandchild', 'grandsibling', 'outermost', 'trisibling' or\n"
      "'grandtrisibling'.\n"
      "arc[head, modifier], sibling[head, sibling, modifier] (sibling == head: innermost modifier),\n"
      "grandchild[grandparent, head, modifier], grandsibling[grandparent, head, sibling, modifier] (the\n"
      "grandparent of a modifier of the root is 0): potentials in the log domain, -inf allowed. What is "
      "left\n"
      "out counts as 0.\n"
      "outermost[grandparent, head, modifier]: counts if the modifier is the outermost of its head on its "
      "side.\n"
      "trisibling[head, second, sibling, modifier] and grandtrisibling[grandparent, head, second, sibling,\n"
      "modifier]: second is the modifier next inside of the sibling, the head if there is none.\n"
      "candidates[head, modifier]: the arcs that trees may have; None: all.\n"
      "root: 'multi' (several words may depend on the root) or 'single'.\n"
      "trees: 'projective', or 'nonprojective', whose arcs may cross, for the factorization 'first'.")
      .def(py::init([](const std::string& factorization, const py::args& in_order,
                       const std::optional<CandidateArray>& candidates, const std::string& root,
                       const std::string& trees, const py::kwargs& by_name) {
             return std::make_unique<TreeCRF>(factorization, potentials_of(in_order, by_name), candidates,
                                              root, trees);
           }),
           py::arg("factorization"), py::arg("candidates") = py::none(), py::arg("root") = "multi",
           py::arg("trees") = "projective")
      .def_property_readonly("words", &TreeCRF::words, "Number of words.")
      .def_property_readonly(
          "factorization", [](const TreeCRF& crf) { return std::string(copse::name(crf.factorization())); },
          "What trees are scored by.")
      .def_property_readonly(
          "root", [](const TreeCRF& crf) { return std::string(copse::name(crf.trees().root)); },
          "'multi' or 'single'.")
      .def_property_readonly(
          "trees", [](const TreeCRF& crf) { return std::string(copse::name(crf.trees().kind)); },
          "'projective' or 'nonprojective'.")
      .def_property_readonly("log_partition", &TreeCRF::log_partition,
                             "Log of the sum over all trees of exp(score).")
      .def_property_readonly("entropy", &TreeCRF::entropy, "Entropy of the distribution, in nats.")
      .def("marginals", &TreeCRF::marginals, "Probability of every part of every order.")
      .def("argmax", &TreeCRF::argmax,
           "Heads of the best tree: n + 1 integers, the first is 0 and means nothing.")
      .def("mbr", &TreeCRF::mbr, "Heads of the tree with the highest expected number of correct arcs.")
      .def("kbest", &TreeCRF::kbest, py::arg("k"),
           "The k best trees in order, as pairs (heads, score); fewer if there are fewer.")
      .def("sample", &TreeCRF::sample, py::arg("count") = 1, py::arg("seed") = 0,
           "`count` trees drawn from the distribution, an array of shape [count, n + 1].")
      .def("log_prob", &TreeCRF::log_prob, py::arg("heads"),
           "Log-probability of a tree; -inf if it is none of the distribution.")
      .def("score", &TreeCRF::score, py::arg("heads"), "Sum of the potentials of a tree's parts.")
      .def("constrained", &TreeCRF::constrained, py::arg("heads") = py::none(),
           py::arg("forbidden") = std::vector<std::pair<int, int>>(),
           "The same potentials over those trees only in which word m has head heads[m] (-1: any head) and "
           "that\n"
           "contain none of the forbidden (head, modifier) arcs.");

  m.def("batch", &batch, py::arg("crfs"), py::arg("compute") = std::vector<std::string>{"log_partition"},
        py::arg("threads") = 0,
        "Answers for many sentences on several threads (0: one per processor), with the interpreter lock\n"
        "released. `compute` names what: 'log_partition', 'entropy' (arrays), 'argmax', 'mbr' (lists of "
        "heads),\n"
        "'marginals' (a list of Marginals). Returns a dict by these names.");
}

}  // namespace copse::python
