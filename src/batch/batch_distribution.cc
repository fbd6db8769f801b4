#include "copse/batch/batch_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "batch/batch_back_end.h"
#include "batch/cuda/cuda_factorizations.h"
#ifdef COPSE_CUDA
#include "batch/cuda/cuda_back_end.h"
#endif

namespace copse {
namespace {

// All arcs of a sentence, and their parts: the same for all sentences of that length.
struct FullSentence {
  ArcSet arcs;
  PartIndex parts;
};

std::unique_ptr<BatchBackEnd> make_back_end(const BatchOptions& options) {
  if (options.arithmetic == Arithmetic::linear) {
    throw std::invalid_argument("the arithmetic of a batch is automatic or log");
  }
  const std::string obstacle = why_unavailable(options.device);
  if (!obstacle.empty()) throw DataError(obstacle);
#ifdef COPSE_CUDA
  if (options.device == Device::cuda) return make_cuda_back_end(options);
#endif
  return make_cpu_back_end(options);
}

}  // namespace

struct BatchDistribution::Impl {
  Device device;
  std::unique_ptr<BatchBackEnd> back_end;
  Batch batch;
  std::unordered_map<int, std::unique_ptr<FullSentence>> full;  // by number of words
  Factorization factorization_of_full = Factorization::first;
  std::vector<std::unique_ptr<PartIndex>> own_parts;  // of sentences with candidates; memory to be reused

  const PartIndex& full_parts(int words) {
    std::unique_ptr<FullSentence>& found = full[words];
    if (!found) {
      auto made = std::make_unique<FullSentence>();
      made->arcs.assign_all(words);
      made->parts.assign(made->arcs, batch.factorization);
      found = std::move(made);
    }
    return found->parts;
  }
};

BatchDistribution::BatchDistribution(const BatchOptions& options)
    : BatchDistribution(options.device, make_back_end(options)) {}
BatchDistribution::BatchDistribution(Device device, std::unique_ptr<BatchBackEnd> back_end)
    : impl_(std::make_unique<Impl>()) {
  impl_->device = device;
  impl_->back_end = std::move(back_end);
  assign(Factorization::first, RootMode::multi, {});
}
BatchDistribution BatchBackEnd::make_distribution(Device device, std::unique_ptr<BatchBackEnd> back_end) {
  return {device, std::move(back_end)};
}
BatchDistribution::~BatchDistribution() = default;
BatchDistribution::BatchDistribution(BatchDistribution&&) noexcept = default;
BatchDistribution& BatchDistribution::operator=(BatchDistribution&&) noexcept = default;

bool BatchDistribution::supports(Device device, Factorization factorization) {
  return device == Device::cpu || is_cuda_factorization(factorization);
}

Device BatchDistribution::device() const { return impl_->device; }
bool BatchDistribution::has(Factorization factorization) const { return impl_->back_end->has(factorization); }

void BatchDistribution::assign(Factorization factorization, TreeSpace trees,
                               std::span<const BatchSentence> sentences) {
  if (trees.kind == TreeKind::nonprojective && factorization != Factorization::first) {
    throw std::invalid_argument("nonprojective trees have parts of first order only");
  }
  if (!has(factorization)) {
    throw std::invalid_argument(fmt::format("batches with {} parts cannot be solved on {} yet, but on {}",
                                            name(factorization), name(device()), name(Device::cpu)));
  }
  Impl& s = *impl_;
  Batch& batch = s.batch;
  ++batch.number;
  batch.sentences.clear();  // what follows may throw
  for (std::vector<Position>& begins : batch.begins) begins.assign(1, 0);
  batch.heads_begins.assign(1, 0);
  batch.factorization = factorization;
  batch.trees = trees;
  if (s.factorization_of_full != factorization) s.full.clear();
  s.factorization_of_full = factorization;

  std::vector<Batch::Sentence> made;
  made.reserve(sentences.size());
  std::size_t own = 0;
  for (const BatchSentence& sentence : sentences) {
    if (sentence.words < 1) throw std::invalid_argument("a sentence needs at least one word");
    const bool is_full = sentence.candidates == nullptr || sentence.candidates->is_full();
    if (sentence.candidates != nullptr && sentence.candidates->words() != sentence.words) {
      throw std::invalid_argument(fmt::format("candidate arcs of {} words for a sentence of {}",
                                              sentence.candidates->words(), sentence.words));
    }
    if (is_full) {
      made.push_back({&s.full_parts(sentence.words), true});
      continue;
    }
    if (s.own_parts.size() == own) s.own_parts.push_back(std::make_unique<PartIndex>());
    s.own_parts[own]->assign(*sentence.candidates, factorization);
    made.push_back({s.own_parts[own++].get(), false});
  }
  for (const Batch::Sentence& sentence : made) {
    for (const PartKind kind : kAllPartKinds) {
      std::vector<Position>& begins = batch.begins[static_cast<std::size_t>(kind)];
      begins.push_back(begins.back() + sentence.parts->count(kind));
    }
    batch.heads_begins.push_back(batch.heads_begins.back() + sentence.parts->words() + 1);
  }
  batch.longest_first.resize(made.size());
  std::iota(batch.longest_first.begin(), batch.longest_first.end(), 0);
  std::stable_sort(batch.longest_first.begin(), batch.longest_first.end(),
                   [&](int a, int b) { return made[a].parts->words() > made[b].parts->words(); });
  batch.sentences = std::move(made);
}

int BatchDistribution::sentences() const { return static_cast<int>(impl_->batch.sentences.size()); }
Factorization BatchDistribution::factorization() const { return impl_->batch.factorization; }
const PartIndex& BatchDistribution::parts(int sentence) const {
  return *impl_->batch.sentences.at(static_cast<std::size_t>(sentence)).parts;
}
BatchDistribution::Position BatchDistribution::begin(PartKind kind, int sentence) const {
  return impl_->batch.begins[static_cast<std::size_t>(kind)].at(static_cast<std::size_t>(sentence));
}
BatchDistribution::Position BatchDistribution::heads_begin(int sentence) const {
  return impl_->batch.heads_begins.at(static_cast<std::size_t>(sentence));
}

void BatchDistribution::compute(const PartArrays<const float>& potentials, const BatchAnswers<float>& answers,
                                void* stream) {
  impl_->back_end->compute(impl_->batch, potentials, answers, stream);
}
void BatchDistribution::compute(const PartArrays<const double>& potentials,
                                const BatchAnswers<double>& answers, void* stream) {
  impl_->back_end->compute(impl_->batch, potentials, answers, stream);
}
void BatchDistribution::compute_on_host(const PartArrays<const float>& potentials,
                                        const BatchAnswers<float>& answers) {
  impl_->back_end->compute_on_host(impl_->batch, potentials, answers);
}
void BatchDistribution::compute_on_host(const PartArrays<const double>& potentials,
                                        const BatchAnswers<double>& answers) {
  impl_->back_end->compute_on_host(impl_->batch, potentials, answers);
}

}  // namespace copse
