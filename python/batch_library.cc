#include "batch_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "copse/batch/batch_distribution.h"
#include "copse/error.h"
#include "dense_copy.h"
#include "full_layout.h"
#include "parallel/task_pool.h"

namespace copse::python {
namespace {

// The kinds of parts that tensors have.
constexpr auto kTensorKinds = [] {
  std::array<PartKind, COPSE_PART_KINDS> kinds{};
  std::copy_n(kAllPartKinds.begin(), kinds.size(), kinds.begin());
  return kinds;
}();
static_assert(std::all_of(kTensorKinds.begin(), kTensorKinds.end(), is_in_full_layout));

// Tensors lie on any device.
bool has_tensors(Factorization factorization) {
  const std::span<const PartKind> kinds = part_kinds(factorization);
  return std::all_of(kinds.begin(), kinds.end(), [](PartKind kind) { return kind <= kTensorKinds.back(); }) &&
         BatchDistribution::supports(Device::cuda, factorization);
}

// A list for copse_batch_kinds() and copse_batch_factorizations(): "name:text name:text".
void append_entry(std::string& list, std::string_view name, std::string_view text) {
  fmt::format_to(std::back_inserter(list), "{}{}:{}", list.empty() ? "" : " ", name, text);
}

// Short, so that it is there even if memory is not.
thread_local std::string last_error;

// An exception must not leave a function of C.
template <class F>
int guarded(F&& f) noexcept {
  try {
    f();
    return COPSE_OK;
  } catch (const std::bad_alloc&) {
    last_error = "out of memory";
    return COPSE_NO_MEMORY;
  } catch (const std::logic_error& e) {
    last_error = e.what();
    return COPSE_BAD_ARGUMENT;
  } catch (const std::exception& e) {
    last_error = e.what();
    return COPSE_FAILED;
  }
}

Device device_named(const char* text) {
  const std::optional<Device> device = parse_device(text);
  if (!device) throw std::invalid_argument(fmt::format("no device '{}'; there are cpu and cuda", text));
  return *device;
}

struct Workspace {
  Workspace(Device device, int threads)
      : batch(BatchOptions{.device = device, .threads = threads}),
        pool(device == Device::cuda ? 1
             : threads > 0          ? threads
                                    : TaskPool::default_threads()) {}

  BatchDistribution batch;
  TaskPool pool;  // for copies on the CPU
};

Workspace& workspace_at(void* address) { return *static_cast<Workspace*>(address); }

template <class Number>
void compute(BatchDistribution& batch, const CopseQuestions& questions) {
  PartArrays<const Number> potentials;
  BatchAnswers<Number> answers;
  for (const PartKind kind : kTensorKinds) {
    const auto at = static_cast<std::size_t>(kind);
    potentials[kind] = static_cast<const Number*>(questions.potentials[at]);
    answers.marginals[kind] = static_cast<Number*>(questions.marginals[at]);
    if (potentials[kind] == nullptr && contains(batch.factorization(), kind)) {
      throw std::invalid_argument(fmt::format("{} potentials are missing", name(kind)));
    }
  }
  answers.log_partition = static_cast<Number*>(questions.log_partition);
  answers.entropy = static_cast<Number*>(questions.entropy);
  answers.best_heads = questions.best_heads;
  answers.samples = questions.samples;
  answers.seed = questions.seed;
  answers.sampled_heads = questions.sampled_heads;
  batch.compute(potentials, answers, questions.stream);
}

template <class Dense, class Packed>
void copy(Workspace& workspace, const CopseDenseCopy& given) {
  const DenseCopy<Dense, Packed> copy{
      .direction = given.scatter != 0 ? Direction::scatter : Direction::gather,
      .kind = static_cast<PartKind>(given.kind),
      .batch = {given.sentences, given.arcs, given.words, given.arc_begins, given.part_begins},
      .strides = {given.strides[0], given.strides[1], given.strides[2], given.strides[3], given.strides[4]},
      .dense = static_cast<Dense*>(given.dense),
      .packed = static_cast<Packed*>(given.packed),
      .scale = static_cast<const Dense*>(given.scale)};
#ifdef COPSE_CUDA
  if (workspace.batch.device() == Device::cuda) return copy_on_cuda(copy, given.stream);
#endif
  copy_on_cpu(copy, workspace.pool);
}

}  // namespace
}  // namespace copse::python

using namespace copse;
using namespace copse::python;

extern "C" {

#define COPSE_EXPORT __attribute__((visibility("default")))

COPSE_EXPORT const char* copse_batch_error(void) { return last_error.c_str(); }

COPSE_EXPORT const char* copse_batch_version(void) { return COPSE_VERSION; }

COPSE_EXPORT const char* copse_batch_kinds(void) {
  static const std::string list = [] {
    std::string made;
    for (const PartKind kind : kTensorKinds) {
      append_entry(made, name(kind),
                   fmt::format("{}h{}m", has_grandparent(kind) ? "g" : "", has_sibling(kind) ? "s" : ""));
    }
    return made;
  }();
  return list.c_str();
}

COPSE_EXPORT const char* copse_batch_factorizations(void) {
  static const std::string list = [] {
    std::string made;
    for (const Factorization factorization : kAllFactorizations) {
      if (!has_tensors(factorization)) continue;
      std::string kinds;
      for (const PartKind kind : part_kinds(factorization)) {
        if (!kinds.empty()) kinds += ',';
        kinds += name(kind);
      }
      append_entry(made, name(factorization), kinds);
    }
    return made;
  }();
  return list.c_str();
}

COPSE_EXPORT const char* copse_batch_obstacle(const char* device) {
  if (guarded([&] { last_error = why_unavailable(device_named(device)); }) != COPSE_OK)
    return last_error.c_str();
  return last_error.c_str();
}

COPSE_EXPORT void* copse_batch_open(const char* device, int32_t threads) {
  Workspace* made = nullptr;
  guarded([&] { made = new Workspace(device_named(device), threads); });
  return made;
}

COPSE_EXPORT void copse_batch_close(void* workspace) { delete static_cast<Workspace*>(workspace); }

COPSE_EXPORT int copse_batch_begins(int64_t sentences, const int64_t* words, int64_t* begins) {
  return guarded([&] {
    const int64_t row = sentences + 1;
    for (int64_t kind = 0; kind < COPSE_PART_KINDS; ++kind) begins[kind * row] = 0;
    for (int64_t i = 0; i < sentences; ++i) {
      const int64_t n = words[i];
      if (n < 1) throw std::invalid_argument("a sentence needs at least one word");
      for (const PartKind kind : kTensorKinds) {
        std::int64_t* of_kind = begins + static_cast<std::int64_t>(kind) * row;
        with_part_kind(kind,
                       [&]<PartKind kKind>() { of_kind[i + 1] = of_kind[i] + parts_of_sentence<kKind>(n); });
      }
    }
  });
}

COPSE_EXPORT int copse_batch_assign(void* workspace, const char* factorization, int32_t single_root,
                                    int32_t nonprojective, int64_t sentences, const int64_t* words) {
  return guarded([&] {
    const std::optional<Factorization> parsed = parse_factorization(factorization);
    if (!parsed || !has_tensors(*parsed)) {
      throw std::invalid_argument("tensors cannot have parts of this factorization yet; TreeCRF can");
    }
    std::vector<BatchSentence> list;
    list.reserve(static_cast<std::size_t>(sentences));
    for (const int64_t n : std::span(words, static_cast<std::size_t>(sentences))) {
      list.push_back({static_cast<int>(n), nullptr});
    }
    const TreeSpace trees(single_root != 0 ? RootMode::single : RootMode::multi,
                          nonprojective != 0 ? TreeKind::nonprojective : TreeKind::projective);
    workspace_at(workspace).batch.assign(*parsed, trees, list);
  });
}

COPSE_EXPORT int copse_batch_compute(void* workspace, const CopseQuestions* questions) {
  return guarded([&] {
    BatchDistribution& batch = workspace_at(workspace).batch;
    if (questions->is_double != 0) {
      compute<double>(batch, *questions);
    } else {
      compute<float>(batch, *questions);
    }
  });
}

COPSE_EXPORT int copse_batch_copy(void* workspace, const CopseDenseCopy* given) {
  return guarded([&] {
    Workspace& at = workspace_at(workspace);
    if (given->dense_is_double == 0 && given->packed_is_double == 0) {
      copy<float, float>(at, *given);
    } else if (given->dense_is_double == 0) {
      copy<float, double>(at, *given);
    } else if (given->packed_is_double != 0) {
      copy<double, double>(at, *given);
    } else {
      throw std::invalid_argument("a dense tensor of double needs a packed array of double");
    }
  });
}

}  // extern "C"
