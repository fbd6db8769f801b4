#include "training/effective_request.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "copse/error.h"
#include "copse/setting_error.h"
#include "optimisers/learner.h"
#include "parallel/task_pool.h"
#include "training/option_settings.h"
#include "training/train_options.h"
#include "vectors/vector_reader.h"

namespace copse {
namespace {

constexpr double kL2Choices[] = {0.5, 1.5, 4.0, 12.0};

// Enough for a treebank of 200,000 words. More makes larger ones quicker, but a program should leave room for
// others unless it is told otherwise.
std::size_t share_of_memory() {
  constexpr std::size_t kEnough = std::size_t{3} << 30;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return kEnough;
  const std::size_t all = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page);
  return std::min(std::max(kEnough, all / 8), all / 2);
}

// What all trees are.
RootMode root_of(std::span<const Sentence> sentences, Team& team) {
  const bool has_several = std::any_of(sentences.begin(), sentences.end(), [](const Sentence& sentence) {
    return std::count_if(sentence.words().begin(), sentence.words().end(),
                         [](const Token& word) { return word.head() == 0; }) > 1;
  });
  return team.any(has_several) ? RootMode::multi : RootMode::single;
}

// An encoder decides its own sizes.
void expect_size(const std::string& file, const char* setting, const std::optional<std::size_t>& asked,
                 std::size_t size) {
  if (!asked || *asked == size) return;
  throw SettingError(
      fmt::format("{}: the encoder has {}, where {} is asked for; leave that out, or take another encoder",
                  file, size, *asked),
      setting);
}

void set_encoder(const NetworkRequest& request, NetworkOptions& network) {
  PretrainedEncoder encoder = PretrainedEncoder::load(request.encoder);
  const NetworkShape& shape = encoder.shape();
  expect_size(request.encoder, "layers", request.layers, shape.layers);
  expect_size(request.encoder, "hidden", request.hidden, shape.hidden);
  expect_size(request.encoder, "word_size", request.word_size, shape.word_size);
  expect_size(request.encoder, "spelling_size", request.spelling_size, shape.spelling_size);
  if (request.spelling && *request.spelling != shape.spelling) {
    throw SettingError(
        fmt::format("{}: the encoder has {}, where {} is asked for; leave that out, or take another encoder",
                    request.encoder, name(shape.spelling), name(*request.spelling)),
        "spelling");
  }
  encoder.set_sizes(network.shape);
  network.vectors = encoder.vectors().truncated(request.vector_words);
  network.encoder = std::move(encoder);
}

// Visits what a request and a shape say about the same.
template <class F>
void for_each_size(NetworkRequest& request, NetworkShape& shape, const F& f) {
  f(request.layers, shape.layers);
  f(request.hidden, shape.hidden);
  f(request.arc_size, shape.arc_size);
  f(request.label_size, shape.label_size);
  f(request.rank, shape.rank);
  f(request.word_size, shape.word_size);
  f(request.spelling_size, shape.spelling_size);
}

}  // namespace

bool has_label(std::span<const Sentence> sentences, Team& team) {
  return team.any(std::any_of(sentences.begin(), sentences.end(), [](const Sentence& sentence) {
    return std::any_of(sentence.words().begin(), sentence.words().end(),
                       [](const Token& word) { return word.deprel() != "_"; });
  }));
}

TrainRequest effective_request(const TrainRequest& request, std::span<const Sentence> sentences, Team& team) {
  TrainRequest effective = request;
  TrainingOptions& training = effective.training;
  const bool is_network = request.network.is_used;
  training.factorization = request.factorization.value_or(training.factorization);
  effective.factorization = training.factorization;
  training.root = request.root ? *request.root : root_of(sentences, team);
  effective.root = training.root;
  if (!is_network && minimises_loss(training.learner)) effective.l2 = request.l2.value_or(training.l2);
  // Marginals of networks are sharper, and candidates cost them less.
  constexpr double kNetworkThreshold = 1e-4;
  effective.prune = request.prune.value_or(is_network ? kNetworkThreshold : training.prune_threshold);
  // Networks make few passes, whatever their development data say.
  training.patience_iterations = is_network ? training.patience_iterations.value_or(0) : training.patience();
  if (!is_network) {
    training.iterations = request.iterations.value_or(0);
    effective.iterations = training.most_iterations();
    if (!effective.labels)
      effective.labels = has_label(sentences, team) ? Labelling::two_stage : Labelling::none;
  }
  effective.tags = request.predicts_tags() ? TagSource::predicted
                   : request.reads_tags()  ? TagSource::gold
                                           : TagSource::none;
  if (!request.memory) {
    effective.memory = share_of_memory() / static_cast<std::size_t>(team.processes_here());
  }
  constexpr int kMostThreads = 1024;
  if (!request.threads) effective.threads = std::min(TaskPool::default_threads(), kMostThreads);
  if (!request.network.encoder.empty() && !request.network.encoder_rate) {
    effective.network.encoder_rate = effective.network.learning.encoder_rate;
  }
  return effective;
}

TrainingOptions training_options(const TrainRequest& request) {
  TrainingOptions training = request.training;
  if (request.l2 == TrainRequest::kChooseL2) {
    training.l2_choices.assign(std::begin(kL2Choices), std::end(kL2Choices));
  } else {
    training.l2 = request.l2.value_or(training.l2);
  }
  training.prune_threshold = request.prune.value_or(training.prune_threshold);
  training.iterations = request.iterations.value_or(0);
  training.joint_labels = request.labels == Labelling::joint;
  training.memory = request.memory.value_or(training.memory);
  return training;
}

NetworkOptions network_options(TrainRequest& request) {
  NetworkRequest& asked = request.network;
  NetworkOptions network = asked.learning;
  network.shape = shape_of(asked.size);
  for_each_size(asked, network.shape, [](const std::optional<std::size_t>& value, std::size_t& size) {
    size = value.value_or(size);
  });
  if (!asked.spelling && asked.encoder.empty()) asked.spelling = Spelling::both;
  network.shape.spelling = asked.spelling.value_or(network.shape.spelling);
  network.reads_tags = request.reads_tags();
  network.predicts_tags = !network.reads_tags && network.tag_weight > 0.0F;
  network.has_labels = request.labels != Labelling::none;
  network.encoder_rate = asked.encoder_rate.value_or(network.encoder_rate);
  if (!is_available(network.device)) throw DataError(why_unavailable(network.device));
  if (!asked.encoder.empty()) {
    set_encoder(asked, network);
    asked.spelling = network.shape.spelling;
  }
  if (!asked.vectors.empty()) {
    VectorReadOptions reading;
    reading.max_words = asked.vector_words;
    network.vectors = read_vectors(asked.vectors, reading);
  }
  for_each_size(asked, network.shape,
                [](std::optional<std::size_t>& value, std::size_t size) { value = size; });
  return network;
}

ModelSettings model_settings(const TrainRequest& request) { return settings_of(train_options(), request); }

std::uint64_t fingerprint(const TrainRequest& request) { return fingerprint_of(train_options(), request); }

}  // namespace copse
