#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "batch/cuda/cuda_back_end.h"

#include "batch/cuda/batch_pieces.h"
#include "batch/cuda/cuda_factorizations.h"
#include "batch/cuda/cuda_memory.h"
#include "batch/cuda/length_streams.h"
#include "batch/cuda/make_jobs.h"

namespace copse {
namespace {

// Calls f.operator()<siblings, grandparents>().
template <class F>
void with_factorization(Factorization factorization, F&& f) {
  switch (factorization) {
    case Factorization::first:
      return f.template operator()<false, false>();
    case Factorization::sibling:
      return f.template operator()<true, false>();
    case Factorization::grandchild:
      return f.template operator()<false, true>();
    case Factorization::grandsibling:
      return f.template operator()<true, true>();
    default:
      break;  // BatchDistribution refuses the others
  }
}

class CudaBackEnd : public BatchBackEnd {
 public:
  CudaBackEnd(const BatchOptions& options, const CudaTuning& tuning)
      : arithmetic_(options.arithmetic), tuning_(tuning), cpu_(make_cpu_back_end(options)) {
    int device = 0;
    check_cuda(cudaGetDevice(&device), "the current device");
    check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device), "its size");
    int shared = 0;
    check_cuda(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
               "its memory");
    most_shared_ = static_cast<std::size_t>(shared) - 1024;
  }

  bool has(Factorization factorization) const override { return is_cuda_factorization(factorization); }

  void compute(const Batch& batch, const PartArrays<const float>& potentials,
               const BatchAnswers<float>& answers, void* stream) override {
    compute_there(batch, potentials, answers, static_cast<cudaStream_t>(stream));
  }
  void compute(const Batch& batch, const PartArrays<const double>& potentials,
               const BatchAnswers<double>& answers, void* stream) override {
    compute_there(batch, potentials, answers, static_cast<cudaStream_t>(stream));
  }
  void compute_on_host(const Batch& batch, const PartArrays<const float>& potentials,
                       const BatchAnswers<float>& answers) override {
    compute_here(batch, potentials, answers);
  }
  void compute_on_host(const Batch& batch, const PartArrays<const double>& potentials,
                       const BatchAnswers<double>& answers) override {
    compute_here(batch, potentials, answers);
  }

 private:
  struct DeviceTables {
    DeviceBuffer memory;
    ChartTables tables{};
    bool fits = false;  // into numbers of four bytes
  };
  struct PlannedClass {
    int length_class;
    int first_job;
    int last_job;
    std::int64_t values;  // of the charts of its largest sentence
    std::int64_t adjoints;
    int longest;
  };

  template <class Number>
  void compute_there(const Batch& batch, const PartArrays<const Number>& potentials,
                     const BatchAnswers<Number>& answers, cudaStream_t stream) {
    if (batch.sentences.empty()) return;
    streams_.begin(stream);
    plan(batch, stream);
    if (batch.trees.kind == TreeKind::nonprojective) {
      on_cpu(batch, all_of(batch), potentials, answers, stream);
    } else {
      if (!jobs_.empty()) launch_all(batch, potentials, answers, stream);
      if (!too_large_.empty()) on_cpu(batch, too_large_, potentials, answers, stream);
    }
    streams_.end(stream);
  }

  // Tables and jobs on the GPU; those of the last batch are kept if it is asked again.
  void plan(const Batch& batch, cudaStream_t stream) {
    const bool is_same = planned_ == batch.number && planned_sentence_ == batch.first_sentence &&
                         planned_size_ == batch.sentences.size();
    if (is_same) return;
    planned_ = 0;
    jobs_.clear();
    classes_.clear();
    too_large_.clear();
    if (batch.trees.kind == TreeKind::nonprojective) return;
    place_tables(batch, stream);
    const bool siblings = has_siblings(batch.factorization);
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      const ChartTables& tables = jobs_[j].tables;
      const int length_class = class_of_length(tables.words);
      if (classes_.empty() || classes_.back().length_class != length_class) {
        classes_.push_back({length_class, static_cast<int>(j), 0, 0, 0, tables.words});
      }
      PlannedClass& last = classes_.back();
      const ChartSizes sizes = chart_sizes(tables, siblings);
      last.last_job = static_cast<int>(j) + 1;
      last.values = std::max(last.values, sizes.values);
      last.adjoints = std::max(last.adjoints, sizes.adjoints);
    }
    device_jobs_.reserve(jobs_.size() * sizeof(SentenceJob));
    check_cuda(cudaMemcpyAsync(device_jobs_.data(), jobs_.data(), jobs_.size() * sizeof(SentenceJob),
                               cudaMemcpyHostToDevice, stream),
               "copying jobs");
    device_states_.reserve(2 * jobs_.size());
    planned_ = batch.number;
    planned_sentence_ = batch.first_sentence;
    planned_size_ = batch.sentences.size();
  }

  void place_tables(const Batch& batch, cudaStream_t stream) {
    // Those of candidates lie behind each other.
    table_bytes_.clear();
    std::vector<std::size_t> places;
    std::vector<ChartTableData> own;
    for (const int s : batch.longest_first) {
      const Batch::Sentence& sentence = batch.sentences[static_cast<std::size_t>(s)];
      if (sentence.is_full) {
        const DeviceTables& full = full_tables(*sentence.parts);
        if (full.fits) {
          jobs_.push_back(make_job(batch, s, full.tables));
          places.push_back(kNoPlace);
        } else {
          too_large_.push_back(s);
        }
        continue;
      }
      ChartTableData data;
      if (!data.assign(*sentence.parts)) {
        too_large_.push_back(s);
        continue;
      }
      jobs_.push_back(make_job(batch, s, {}));
      places.push_back(table_bytes_.size());
      table_bytes_.insert(table_bytes_.end(), data.bytes().begin(), data.bytes().end());
      own.push_back(std::move(data));
    }
    if (own.empty()) return;
    device_tables_.reserve(table_bytes_.size());
    check_cuda(cudaMemcpyAsync(device_tables_.data(), table_bytes_.data(), table_bytes_.size(),
                               cudaMemcpyHostToDevice, stream),
               "copying tables");
    std::size_t next = 0;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (places[j] != kNoPlace) jobs_[j].tables = own[next++].at(device_tables_.data() + places[j]);
    }
  }

  const DeviceTables& full_tables(const PartIndex& parts) {
    DeviceTables& found = full_[{parts.factorization(), parts.words()}];
    if (found.memory.bytes() > 0) return found;
    ChartTableData data;
    found.fits = data.assign(parts);
    found.memory.reserve(std::max<std::size_t>(data.bytes().size(), 16));
    if (found.fits) {
      check_cuda(
          cudaMemcpy(found.memory.data(), data.bytes().data(), data.bytes().size(), cudaMemcpyHostToDevice),
          "copying tables");
      found.tables = data.at(found.memory.data());
    }
    return found;
  }

  template <class Number>
  void launch_all(const Batch& batch, const PartArrays<const Number>& potentials,
                  const BatchAnswers<Number>& answers, cudaStream_t stream) {
    auto* states = device_states_.data<JobState>();
    SolverArguments<Number> arguments =
        make_arguments(batch, potentials, answers, device_jobs_.data<const SentenceJob>(), states);
    check_cuda(cudaMemsetAsync(states, 0, 2 * jobs_.size(), stream), "clearing states");
    const bool asks_sums = arguments.wants_adjoints || answers.log_partition != nullptr ||
                           (answers.sampled_heads != nullptr && answers.samples > 0);
    const bool asks_best = answers.best_heads != nullptr || answers.best_score != nullptr;
    with_factorization(batch.factorization, [&]<bool kSiblings, bool kGrandparents>() {
      using Kernels = SolverKernels<Number, kSiblings, kGrandparents>;
      const std::vector<LaunchClass> classes = place_classes<Kernels>(kGrandparents, arguments);
      streams_.start(stream);
      for (std::size_t c = 0; c < classes.size(); ++c) {
        const LaunchShape& shape = classes[c].shape;
        const LaunchRange& range = classes[c].range;
        const cudaStream_t own = streams_.fork(c);
        const auto launch = [&](ChartArithmetic arithmetic, const SolverArguments<Number>& with) {
          check_cuda(Kernels::launch(arithmetic, with, range, shape, own), "a launch");
        };
        if (asks_sums || !asks_best) {
          if (arithmetic_ != Arithmetic::log) launch(ChartArithmetic::linear, arguments);
          // Sentences that linear arithmetic has done are skipped.
          launch(ChartArithmetic::log, arguments);
        }
        if (asks_best) {
          SolverArguments<Number> with = arguments;
          with.states = states + jobs_.size();
          launch(ChartArithmetic::maximum, with);
        }
        streams_.join(c, stream);
      }
    });
  }

  // Where each class has its charts and stacks: as many blocks as the GPU holds at once, or as its memory has
  // room for.
  template <class Kernels, class Number>
  std::vector<LaunchClass> place_classes(bool grandparents, const SolverArguments<Number>& arguments) {
    std::vector<LaunchClass> classes;
    std::size_t wanted = 0;
    for (const PlannedClass& planned : classes_) {
      LaunchClass made{};
      made.shape = shape_of_class(planned.length_class, grandparents, tuning_);
      const std::int64_t numbers = planned.values + (arguments.wants_adjoints ? planned.adjoints : 0);
      const std::size_t bytes = static_cast<std::size_t>(numbers) * sizeof(double);
      const std::size_t limit = std::min(
          most_shared_, grandparents ? tuning_.shared_bytes_with_grandparents : tuning_.shared_bytes);
      const bool is_shared = bytes <= limit;
      if (is_shared) made.shape.shared_bytes = bytes;
      int resident = 0;
      check_cuda(Kernels::resident_blocks(made.shape, resident), "occupancy");
      made.shape.blocks =
          std::min(planned.last_job - planned.first_job, multiprocessors_ * std::max(resident, 1));
      made.range.first_job = planned.first_job;
      made.range.last_job = planned.last_job;
      made.range.scratch_numbers = is_shared ? 0 : (numbers + 15) / 16 * 16;
      made.range.stack_count = std::min(made.shape.threads, std::max(arguments.samples, 1));
      made.range.stack_numbers =
          static_cast<std::int64_t>(made.range.stack_count) * (planned.longest + 2);  // descent_stack_size()
      wanted += bytes_of(made);
      classes.push_back(made);
    }
    reserve_scratch(classes, wanted);
    std::byte* next = scratch_.data();
    for (LaunchClass& made : classes) {
      const auto blocks = static_cast<std::size_t>(made.shape.blocks);
      if (made.range.scratch_numbers > 0) made.range.scratch = reinterpret_cast<double*>(next);
      next += blocks * static_cast<std::size_t>(made.range.scratch_numbers) * sizeof(double);
      made.range.stacks = reinterpret_cast<std::uint64_t*>(next);
      next += blocks * static_cast<std::size_t>(made.range.stack_numbers) * sizeof(std::uint64_t);
    }
    return classes;
  }
  static std::size_t bytes_of(const LaunchClass& made) {
    return static_cast<std::size_t>(made.shape.blocks) *
           static_cast<std::size_t>(made.range.scratch_numbers + made.range.stack_numbers) * 8;
  }
  // Fewer blocks at a time if memory does not suffice for all.
  void reserve_scratch(std::vector<LaunchClass>& classes, std::size_t wanted) {
    if (wanted <= scratch_.bytes()) return;
    std::size_t free = 0;
    std::size_t total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "its free memory");
    const double limit = tuning_.share_of_memory * static_cast<double>(free + scratch_.bytes());
    for (;;) {
      if (static_cast<double>(wanted) <= limit && scratch_.try_reserve(wanted)) return;
      bool is_smaller = false;
      wanted = 0;
      for (LaunchClass& made : classes) {
        if (made.shape.blocks > 1) {
          made.shape.blocks = (made.shape.blocks + 1) / 2;
          is_smaller = true;
        }
        wanted += bytes_of(made);
      }
      if (!is_smaller)
        return scratch_.reserve(wanted);  // one sentence of each class: all that is left to try
    }
  }

  static std::vector<int> all_of(const Batch& batch) { return batch.longest_first; }

  // What the GPU does not do: sentences too long for its tables, and nonprojective trees.
  template <class Number>
  void on_cpu(const Batch& batch, const std::vector<int>& sentences,
              const PartArrays<const Number>& potentials, const BatchAnswers<Number>& answers,
              cudaStream_t stream) {
    for (const int s : sentences) {
      Batch one = piece_of(batch, s, s + 1);
      HostArrays<Number> host(one, answers);
      for_each_array(batch, one, s, potentials, answers, host,
                     [&](void* here, const void* there, std::size_t bytes, bool is_answer) {
                       if (is_answer) return;
                       check_cuda(cudaMemcpyAsync(here, there, bytes, cudaMemcpyDeviceToHost, stream),
                                  "copying potentials");
                     });
      check_cuda(cudaStreamSynchronize(stream), "copying potentials");
      cpu_->compute_on_host(one, host.potentials, host.answers);
      for_each_array(
          batch, one, s, potentials, answers, host,
          [&](void* here, const void* there, std::size_t bytes, bool is_answer) {
            if (!is_answer) return;
            check_cuda(cudaMemcpyAsync(const_cast<void*>(there), here, bytes, cudaMemcpyHostToDevice, stream),
                       "copying answers");
          });
      check_cuda(cudaStreamSynchronize(stream), "copying answers");
    }
  }

  template <class Number>
  void compute_here(const Batch& batch, const PartArrays<const Number>& potentials,
                    const BatchAnswers<Number>& answers) {
    const int sentences = static_cast<int>(batch.sentences.size());
    for (int first = 0; first < sentences;) {
      // As many as fit, at least one.
      std::size_t free = 0;
      std::size_t total = 0;
      check_cuda(cudaMemGetInfo(&free, &total), "its free memory");
      const std::size_t limit =
          static_cast<std::size_t>(0.4 * static_cast<double>(free + piece_memory_.bytes()));
      int last = first;
      std::size_t bytes = 0;
      while (last < sentences) {
        std::size_t more = 64;
        for (std::size_t kind = 0; kind < kPartKinds; ++kind) {
          more += 2 * sizeof(Number) *
                  static_cast<std::size_t>(batch.begins[kind][last + 1] - batch.begins[kind][last]);
        }
        more += 4 * static_cast<std::size_t>(batch.heads_begins[last + 1] - batch.heads_begins[last]) *
                (1 + static_cast<std::size_t>(answers.samples));
        if (last > first && bytes + more > limit) break;
        bytes += more;
        ++last;
      }
      const Batch piece = piece_of(batch, first, last);
      PieceArrays<Number> arrays;
      constexpr std::size_t kAlignment = 256;
      piece_memory_.reserve(bytes + 32 * kAlignment);
      std::size_t used = 0;
      layout_piece(piece, answers, arrays, [&](std::size_t size) {
        std::byte* place = piece_memory_.data() + used;
        used += (size + kAlignment - 1) / kAlignment * kAlignment;
        return place;
      });
      for_each_array(batch, piece, first, potentials, answers, arrays,
                     [&](void* there, const void* here, std::size_t size, bool is_answer) {
                       if (is_answer) return;
                       check_cuda(cudaMemcpyAsync(there, here, size, cudaMemcpyHostToDevice, nullptr),
                                  "copying potentials");
                     });
      compute_there(piece, arrays.potentials, arrays.answers, nullptr);
      for_each_array(
          batch, piece, first, potentials, answers, arrays,
          [&](void* there, const void* here, std::size_t size, bool is_answer) {
            if (!is_answer) return;
            check_cuda(cudaMemcpyAsync(const_cast<void*>(here), there, size, cudaMemcpyDeviceToHost, nullptr),
                       "copying answers");
          });
      check_cuda(cudaStreamSynchronize(nullptr), "computing");
      first = last;
    }
  }

  static constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

  Arithmetic arithmetic_;
  CudaTuning tuning_;
  std::unique_ptr<BatchBackEnd> cpu_;
  int multiprocessors_ = 0;
  std::size_t most_shared_ = 0;

  std::map<std::pair<Factorization, int>, DeviceTables> full_;
  std::vector<std::byte> table_bytes_;
  DeviceBuffer device_tables_;
  std::uint64_t planned_ = 0;  // the batch that the following are of
  std::int64_t planned_sentence_ = 0;
  std::size_t planned_size_ = 0;
  std::vector<SentenceJob> jobs_;
  std::vector<PlannedClass> classes_;
  std::vector<int> too_large_;
  DeviceBuffer device_jobs_;
  DeviceBuffer device_states_;
  DeviceBuffer scratch_;
  DeviceBuffer piece_memory_;
  LengthStreams streams_;  // last: its end waits for work that uses the memory above
};

}  // namespace

std::unique_ptr<BatchBackEnd> make_cuda_back_end(const BatchOptions& options, const CudaTuning& tuning) {
  return std::make_unique<CudaBackEnd>(options, tuning);
}
std::unique_ptr<BatchBackEnd> make_cuda_back_end(const BatchOptions& options) {
  return make_cuda_back_end(options, CudaTuning{});
}

}  // namespace copse
