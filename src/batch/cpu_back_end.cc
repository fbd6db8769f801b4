#include <algorithm>
#include <limits>
#include <random>
#include <stdexcept>

#include "batch/batch_back_end.h"
#include "batch/sample_key.h"
#include "parallel/task_pool.h"

namespace copse {
namespace {

// A TreeDistribution for each thread, sentence after sentence.
class CpuBackEnd : public BatchBackEnd {
 public:
  explicit CpuBackEnd(const BatchOptions& options)
      : arithmetic_(options.arithmetic),
        pool_(options.threads > 0 ? options.threads : TaskPool::default_threads()),
        workers_(static_cast<std::size_t>(pool_.threads())) {}

  bool has(Factorization /*factorization*/) const override { return true; }
  void compute(const Batch& batch, const PartArrays<const float>& potentials,
               const BatchAnswers<float>& answers, void* /*stream*/) override {
    compute_all(batch, potentials, answers);
  }
  void compute(const Batch& batch, const PartArrays<const double>& potentials,
               const BatchAnswers<double>& answers, void* /*stream*/) override {
    compute_all(batch, potentials, answers);
  }
  void compute_on_host(const Batch& batch, const PartArrays<const float>& potentials,
                       const BatchAnswers<float>& answers) override {
    compute_all(batch, potentials, answers);
  }
  void compute_on_host(const Batch& batch, const PartArrays<const double>& potentials,
                       const BatchAnswers<double>& answers) override {
    compute_all(batch, potentials, answers);
  }

 private:
  struct Worker {
    TreeDistribution distribution;
    Potentials potentials;
    std::vector<int> heads;
  };

  template <class Number>
  void compute_all(const Batch& batch, const PartArrays<const Number>& potentials,
                   const BatchAnswers<Number>& answers) {
    pool_.for_each(batch.longest_first.size(), [&](std::size_t index, int worker) {
      compute_one(batch, potentials, answers, batch.longest_first[index],
                  workers_[static_cast<std::size_t>(worker)]);
    });
  }

  template <class Number>
  void compute_one(const Batch& batch, const PartArrays<const Number>& potentials,
                   const BatchAnswers<Number>& answers, int sentence, Worker& worker) const {
    const PartIndex& parts = *batch.sentences[sentence].parts;
    for (const PartKind kind : kAllPartKinds) {
      const Number* from = potentials[kind];
      if (parts.count(kind) == 0) {
        worker.potentials[kind].clear();
        continue;
      }
      from += batch.begins[static_cast<std::size_t>(kind)][sentence];
      worker.potentials[kind].assign(from, from + parts.count(kind));
    }
    SentenceStatus status = SentenceStatus::fine;
    try {
      worker.distribution.assign(parts, worker.potentials, batch.trees, {}, arithmetic_);
      answer(batch, answers, sentence, worker);
    } catch (const InfeasibleError&) {
      status = SentenceStatus::infeasible;
    } catch (const std::invalid_argument&) {
      status = SentenceStatus::bad_potential;
    }
    if (status != SentenceStatus::fine) answer_nothing(batch, answers, sentence, status);
    if (answers.status != nullptr) answers.status[sentence] = status;
  }

  template <class Number>
  static void answer(const Batch& batch, const BatchAnswers<Number>& answers, int sentence, Worker& worker) {
    TreeDistribution& distribution = worker.distribution;
    const PartIndex& parts = *batch.sentences[sentence].parts;
    // Asked in any case: the status must not depend on the questions.
    const double log_partition = distribution.log_partition();
    if (answers.log_partition != nullptr)
      answers.log_partition[sentence] = static_cast<Number>(log_partition);
    for (const PartKind kind : part_kinds(batch.factorization)) {
      if (answers.marginals[kind] == nullptr) continue;
      const std::vector<double>& from = distribution.marginals()[kind];
      Number* to = answers.marginals[kind] + batch.begins[static_cast<std::size_t>(kind)][sentence];
      for (std::size_t part = 0; part < from.size(); ++part) to[part] = static_cast<Number>(from[part]);
    }
    if (answers.entropy != nullptr) answers.entropy[sentence] = static_cast<Number>(distribution.entropy());
    worker.heads.resize(static_cast<std::size_t>(parts.words()) + 1);
    if (answers.best_heads != nullptr || answers.best_score != nullptr) {
      const double score = distribution.best_tree(worker.heads);
      if (answers.best_score != nullptr) answers.best_score[sentence] = static_cast<Number>(score);
      if (answers.best_heads != nullptr) {
        std::copy(worker.heads.begin(), worker.heads.end(),
                  answers.best_heads + batch.heads_begins[sentence]);
      }
    }
    for (int sample = 0; answers.sampled_heads != nullptr && sample < answers.samples; ++sample) {
      std::mt19937_64 random(sample_key(answers.seed,
                                        static_cast<std::uint64_t>(batch.first_sentence + sentence),
                                        static_cast<std::uint64_t>(sample)));
      distribution.sample(random, worker.heads);
      std::copy(worker.heads.begin(), worker.heads.end(),
                answers.sampled_heads + sample * batch.heads_begins.back() + batch.heads_begins[sentence]);
    }
  }

  template <class Number>
  static void answer_nothing(const Batch& batch, const BatchAnswers<Number>& answers, int sentence,
                             SentenceStatus status) {
    const PartIndex& parts = *batch.sentences[sentence].parts;
    const Number no_score = status == SentenceStatus::infeasible ? -std::numeric_limits<Number>::infinity()
                                                                 : std::numeric_limits<Number>::quiet_NaN();
    if (answers.log_partition != nullptr) answers.log_partition[sentence] = no_score;
    if (answers.best_score != nullptr) answers.best_score[sentence] = no_score;
    if (answers.entropy != nullptr) answers.entropy[sentence] = 0;
    for (const PartKind kind : part_kinds(batch.factorization)) {
      if (answers.marginals[kind] == nullptr) continue;
      std::fill_n(answers.marginals[kind] + batch.begins[static_cast<std::size_t>(kind)][sentence],
                  parts.count(kind), Number{0});
    }
    const auto no_heads = [&](std::int32_t* heads) {
      std::fill_n(heads + batch.heads_begins[sentence] + 1, parts.words(), -1);
      heads[batch.heads_begins[sentence]] = 0;
    };
    if (answers.best_heads != nullptr) no_heads(answers.best_heads);
    for (int sample = 0; answers.sampled_heads != nullptr && sample < answers.samples; ++sample) {
      no_heads(answers.sampled_heads + sample * batch.heads_begins.back());
    }
  }

  Arithmetic arithmetic_;
  TaskPool pool_;
  std::vector<Worker> workers_;
};

}  // namespace

std::unique_ptr<BatchBackEnd> make_cpu_back_end(const BatchOptions& options) {
  return std::make_unique<CpuBackEnd>(options);
}

}  // namespace copse
