// Steps of learning treebanks on a GPU. The host's threads choose candidates by the first-order model, from
// the scores of all arcs, while the GPU is busy with labels and tags; the sums over trees with larger parts
// are the GPU's again, where its exact engine has the factorization and the tree is complete (DeviceTrees).
// All other trees are summed on the host, which needs the roles of words for them.
#include "parser_training/tree_steps.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "copse/error.h"
#include "cuda/device_back_end.h"
#include "cuda/device_trees.h"
#include "cuda/heads.h"
#include "network/encoder.h"
#include "parser_training/gold_outputs.h"

namespace copse {
namespace cuda {
namespace {

// Tasks that the trees of a batch are dealt out to; what each adds to gradients is added up in their order,
// so that the number of threads does not matter.
constexpr std::size_t kTreeTasks = 32;

// A sentence of a batch, and its place in the part of the batch that it came in.
struct Member {
  std::size_t example = 0;
  std::size_t part = 0;
  std::size_t place = 0;  // of its sequence
  std::size_t row = 0;    // of its root, in its part
  std::size_t rows = 0;
};

class Event {
 public:
  Event() { check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "starting"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "marking a place"); }
  void wait() { check_cuda(cudaEventSynchronize(event_), "waiting for the GPU"); }

 private:
  cudaEvent_t event_ = nullptr;
};

class TreeSteps : public NetworkSteps {
 public:
  TreeSteps(const NetworkDescription& network, std::span<const NetworkExample> examples,
            const NetworkLossOptions& loss, std::vector<float> weights, const NetworkStepsOptions& options,
            TaskPool& pool)
      : network_(&network),
        examples_(examples),
        options_(loss),
        pool_(&pool),
        blocks_(network.shape),
        columns_(network.shape),
        products_(options.precision),
        weights_(blocks_, options.rates, products_),
        back_end_(products_),
        encoder_(network.shape, network.vectors_or_null(), back_end_),
        heads_(network.shape, blocks_, products_) {
    weights_.restore(begin_state(std::move(weights)));
    read_inputs();
    for (int thread = 0; thread < pool.threads(); ++thread) losses_.emplace_back(network.shape, loss);
    find_parts();
    if (!loss.is_local && DeviceTrees::supports(network.shape.factorization)) {
      device_trees_ = std::make_unique<DeviceTrees>(network.shape, blocks_, loss, products_);
    }
  }

  NetworkStepReport step(const NetworkStep& step) override {
    arrange(step);
    weights_.clear_gradient();
    const WeightSet<DeviceForm> weights = weights_.weights_by_layer();
    const DeviceMatrix roles = encoder_.forward(inputs_, sequences_, weights, plan_);
    const DeviceSequences& sequences = encoder_.encoder().batch().sequences;
    const DeviceArray<float>& scores_on_device = heads_.score_arcs(roles, sequences, weights_.weights());
    fetch(roles, scores_on_device);
    // The GPU has something to do while the host looks at trees.
    gold_.assign(*network_, examples_, numbers_, sequences_);
    heads_.begin_backward();
    heads_.add_label_losses(gold_.label_arcs, gold_.labels, options_.label_weight, weights_);
    if (options_.tag_weight > 0.0F) heads_.add_tag_losses(gold_.tags, options_.tag_weight, weights_);
    fetched_.wait();
    const double loss = tree_losses();
    send();
    if (device_trees_ && std::isfinite(loss)) {
      device_trees_->run(trees_on_device_, scores_on_device.data(), roles, weights_,
                         score_gradient_on_device_.data(), heads_.role_gradient());
    }
    heads_.arcs_backward(sequences, score_gradient_on_device_, weights_);
    encoder_.backward(weights, heads_.role_gradient(), weights_.gradient_by_layer());
    return weights_.update(step, loss);
  }
  const NetworkState& state() override { return weights_.state(); }
  void restore(NetworkState state) override { weights_.restore(std::move(state)); }

 private:
  cudaStream_t stream() const { return products_.stream(); }

  void read_inputs() {
    InputReader reader(network_->inputs, network_->vectors_or_null(), network_->shape);
    for (const NetworkExample& example : examples_) {
      first_rows_.push_back(all_inputs_.rows());
      reader.append(example.sentence->sentence, all_inputs_);
    }
  }

  // Roles that larger parts are scored by stand side by side, and so do the weights of these.
  void find_parts() {
    role_range_ = {columns_.size, 0};
    for (const PartKind kind : part_kinds(network_->shape.factorization)) {
      if (kind == PartKind::arc) continue;
      const RoleColumns::Part& part = columns_.part(kind);
      for (const Columns& some :
           {part.grandparent, part.head, part.second_sibling, part.sibling, part.modifier}) {
        if (some.size == 0) continue;
        role_range_.begin = std::min(role_range_.begin, some.begin);
        role_range_.size = some.end() - role_range_.begin;
      }
      for (const Block* block : blocks_.part(kind).blocks()) {
        if (block->size() == 0) continue;
        part_weights_.begin =
            part_weights_.size == 0 ? block->offset : std::min(part_weights_.begin, block->offset);
        part_weights_.size = block->offset + block->size() - part_weights_.begin;
      }
    }
    if (part_weights_.size == 0) return;
    host_weights_.resize(blocks_.dense);
    // Of these arrays only the weights of parts are ever touched.
    for (std::size_t task = 0; task < kTreeTasks; ++task) {
      weight_gradients_.push_back(std::make_unique_for_overwrite<float[]>(blocks_.dense));
    }
  }

  // Puts the sentences of all parts into one batch, the longest first. What is dropped of each is planned for
  // its part, as on processors.
  void arrange(const NetworkStep& step) {
    const auto rows_of = [&](std::size_t example) {
      return static_cast<std::size_t>(examples_[example].sentence->sentence.size()) + 1;
    };
    members_.clear();
    part_plans_.resize(step.parts.size());
    for (std::size_t part = 0; part < step.parts.size(); ++part) {
      std::vector<std::size_t> order = step.parts[part];
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return rows_of(a) > rows_of(b); });
      sequences_.clear();
      for (std::size_t place = 0; place < order.size(); ++place) {
        const std::size_t rows = rows_of(order[place]);
        members_.push_back({order[place], part, place, sequences_.rows(), rows});
        sequences_.add(rows);
      }
      Random random(step.seed + part);
      part_plans_[part].draw(network_->shape, sequences_, options_.dropout, random);
    }
    std::stable_sort(members_.begin(), members_.end(),
                     [](const Member& a, const Member& b) { return a.rows > b.rows; });
    inputs_.clear();
    sequences_.clear();
    numbers_.clear();
    plan_.clear();
    for (const Member& member : members_) {
      inputs_.append(all_inputs_, first_rows_[member.example], member.rows);
      sequences_.add(member.rows);
      numbers_.push_back(member.example);
      plan_.append(part_plans_[member.part], member.place, member.row, member.rows);
    }
    while (trees_.size() < members_.size()) trees_.push_back(std::make_unique<DeviceTrees::Tree>());
    trees_on_device_.clear();
    for (std::size_t k = 0; k < members_.size(); ++k) {
      if (is_on_device(members_[k])) trees_on_device_.push_back(trees_[k].get());
    }
  }

  bool is_on_device(const Member& member) const {
    return device_trees_ != nullptr && examples_[member.example].sentence->is_complete;
  }
  // Whether the host needs roles of words.
  bool has_parts_on_host() const { return role_range_.size > 0 && trees_on_device_.size() < members_.size(); }

  // What the host needs for trees, on its way.
  void fetch(DeviceMatrix roles, const DeviceArray<float>& scores) {
    scores_.resize(scores.size());
    check_cuda(cudaMemcpyAsync(scores_.data(), scores.data(), scores.size() * sizeof(float),
                               cudaMemcpyDeviceToHost, stream()),
               "copying scores");
    if (has_parts_on_host()) {
      const std::size_t pitch = columns_.size * sizeof(float);
      roles_.resize(sequences_.rows() * columns_.size);
      role_gradient_.resize(roles_.size());
      check_cuda(cudaMemcpy2DAsync(roles_.data() + role_range_.begin, pitch, roles.data + role_range_.begin,
                                   pitch, role_range_.size * sizeof(float), sequences_.rows(),
                                   cudaMemcpyDeviceToHost, stream()),
                 "copying roles");
      check_cuda(cudaMemcpyAsync(host_weights_.data() + part_weights_.begin,
                                 weights_.weights() + part_weights_.begin, part_weights_.size * sizeof(float),
                                 cudaMemcpyDeviceToHost, stream()),
                 "copying weights");
    }
    fetched_.record(stream());
  }

  // Of all trees on the host, and of the first-order model for those on the GPU.
  double tree_losses() {
    score_gradient_.resize(scores_.size());
    pair_begins_.clear();
    std::size_t pairs = 0;
    for (const Member& member : members_) {
      pair_begins_.push_back(pairs);
      pairs += member.rows * member.rows;
    }
    std::vector<double> losses(members_.size());
    const std::size_t tasks = std::min(kTreeTasks, members_.size());
    pool_->for_each(tasks, [&](std::size_t task, int worker) {
      std::span<float> gradient;
      if (has_parts_on_host()) {
        gradient = {weight_gradients_[task].get(), blocks_.dense};
        std::fill_n(&gradient[part_weights_.begin], part_weights_.size, 0.0F);
      }
      for (std::size_t k = task; k < members_.size(); k += tasks) {
        losses[k] = tree_loss(k, losses_[static_cast<std::size_t>(worker)], gradient);
      }
    });
    return std::accumulate(losses.begin(), losses.end(), 0.0);
  }

  double tree_loss(std::size_t k, SentenceTreeLoss& loss, std::span<float> weight_gradient) {
    const std::size_t rows = members_[k].rows;
    const std::size_t width = columns_.size;
    float* score_gradient = score_gradient_.data() + pair_begins_[k];
    std::fill_n(score_gradient, rows * rows, 0.0F);
    Matrix roles;
    Matrix role_gradient;
    if (has_parts_on_host()) {
      const std::size_t begin = sequences_.begin(k) * width;
      roles = Matrix(roles_.data() + begin, rows, width);
      role_gradient = Matrix(role_gradient_.data() + begin, rows, width);
      for (std::size_t row = 0; row < rows; ++row) {
        std::fill_n(role_gradient.row(row) + role_range_.begin, role_range_.size, 0.0F);
      }
    }
    const TrainingSentence& sentence = *examples_[members_[k].example].sentence;
    const ConstMatrix scores(scores_.data() + pair_begins_[k], rows, rows);
    if (!is_on_device(members_[k])) {
      return loss.run(sentence, {scores, roles, host_weights_},
                      {Matrix(score_gradient, rows, rows), role_gradient, weight_gradient});
    }
    DeviceTrees::Tree& tree = *trees_[k];
    const double of_arcs = loss.run_arcs(sentence, scores, Matrix(score_gradient, rows, rows), tree.parts());
    if (std::isfinite(of_arcs)) tree.prepare(sentence.heads, sequences_.begin(k), pair_begins_[k]);
    return of_arcs;
  }

  // What the host has found, on its way back.
  void send() {
    score_gradient_on_device_.upload(std::span<const float>(score_gradient_.all()), stream());
    if (!has_parts_on_host()) return;
    const std::size_t pitch = columns_.size * sizeof(float);
    check_cuda(
        cudaMemcpy2DAsync(heads_.role_gradient().data + role_range_.begin, pitch,
                          role_gradient_.data() + role_range_.begin, pitch, role_range_.size * sizeof(float),
                          sequences_.rows(), cudaMemcpyHostToDevice, stream()),
        "copying gradients");
    const std::size_t tasks = std::min(kTreeTasks, members_.size());
    part_gradient_.assign(part_weights_.size, 0.0F);
    for (std::size_t task = 0; task < tasks; ++task) {
      for (std::size_t k = 0; k < part_weights_.size; ++k) {
        part_gradient_[k] += weight_gradients_[task][part_weights_.begin + k];
      }
    }
    check_cuda(cudaMemcpyAsync(weights_.gradient() + part_weights_.begin, part_gradient_.data(),
                               part_weights_.size * sizeof(float), cudaMemcpyHostToDevice, stream()),
               "copying gradients");
  }

  const NetworkDescription* network_;
  std::span<const NetworkExample> examples_;
  NetworkLossOptions options_;
  TaskPool* pool_;
  NetworkBlocks blocks_;
  RoleColumns columns_;
  Products products_;
  DeviceWeights weights_;
  DeviceBackEnd back_end_;
  RoleEncoder<DeviceBackEnd> encoder_;
  DeviceHeads heads_;

  WordInputs all_inputs_;  // of all examples
  std::vector<std::size_t> first_rows_;
  Columns role_range_;    // of larger parts
  Columns part_weights_;  // the same among weights

  std::vector<Member> members_;
  std::vector<std::size_t> numbers_;
  std::vector<DropoutPlan> part_plans_;
  WordInputs inputs_;
  Sequences sequences_;
  DropoutPlan plan_;
  GoldOutputs gold_;
  DeviceArray<float> score_gradient_on_device_;

  Event fetched_;
  PinnedFloats scores_, score_gradient_, roles_, role_gradient_;
  std::vector<std::size_t> pair_begins_;
  std::vector<float> host_weights_;
  std::vector<std::unique_ptr<float[]>> weight_gradients_;  // by task
  std::vector<float> part_gradient_;
  std::vector<SentenceTreeLoss> losses_;  // by thread

  std::unique_ptr<DeviceTrees> device_trees_;              // null: all trees are summed on the host
  std::vector<std::unique_ptr<DeviceTrees::Tree>> trees_;  // by member
  std::vector<const DeviceTrees::Tree*> trees_on_device_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<NetworkSteps> make_cuda_tree_steps(const NetworkDescription& network,
                                                   std::span<const NetworkExample> examples,
                                                   const NetworkLossOptions& loss, std::vector<float> weights,
                                                   const NetworkStepsOptions& options, TaskPool& pool) {
  return std::make_unique<cuda::TreeSteps>(network, examples, loss, std::move(weights), options, pool);
}

}  // namespace copse
