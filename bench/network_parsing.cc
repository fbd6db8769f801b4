// What parsing with networks consists of, stage by stage, on one core: made-up sentences of 20 words,
// networks with random weights. Checks its answers: 8 bits against floats, and that batches do not change any
// of them.
//   network_parsing [SECONDS for each row of the tables (1)]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "copse/inference/tree_distribution.h"
#include "network/encoder_pass.h"
#include "network/low_rank_parts.h"
#include "network/random.h"
#include "network/role_scores.h"
#include "network/training_pass.h"
#include "peak.h"

namespace copse::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kWords = 20;
constexpr std::size_t kRows = kWords + 1;
constexpr std::size_t kSentences = 64;
constexpr int kCandidates = 5;  // heads of a word

std::string random_word(Random& random) { return fmt::format("word{}", random.below(20000)); }

// Of sizes as those of networks for English.
NetworkDescription describe(std::size_t layers, std::size_t hidden) {
  NetworkDescription network;
  network.shape.layers = layers;
  network.shape.hidden = hidden;
  std::vector<std::string> words;
  WordVectorsBuilder vectors(100);
  Random random(1);
  for (int k = 0; k < 20000; ++k) {
    const std::string word = fmt::format("word{}", k);
    if (k % 2 == 0) words.push_back(word);
    std::vector<float> values(100);
    for (float& value : values) value = 0.3F * random.normal();
    vectors.add(word, values);
  }
  network.inputs.words = Vocabulary(std::move(words));
  set_input_sizes(network.inputs, network.shape);
  network.vectors = vectors.build();
  network.shape.vector_size = 100;
  for (int k = 0; k < 50; ++k) network.labels.push_back(fmt::format("label{}", k));
  network.shape.labels = network.labels.size();
  std::vector<std::string> values;
  for (int k = 0; k < 700; ++k) values.push_back(fmt::format("value{}", k));
  TagColumn tags{Row::kXpos, Vocabulary(std::move(values)), {0, 700}};
  network.shape.tag_values = 700;
  network.tags.push_back(std::move(tags));
  return network;
}

std::vector<float> random_weights(const NetworkShape& shape) {
  std::vector<float> weights = initial_weights(shape, 1);
  Random random(2);
  for (float& weight : weights) weight = weight == 0.0F ? 0.05F * random.normal() : 1.5F * weight;
  return weights;
}

struct Stage {
  const char* name;
  double multiply_adds;  // for each word
};

// In the order of run().
std::vector<Stage> stages_of(const NetworkShape& shape) {
  const auto product = [](std::size_t a, std::size_t b) { return static_cast<double>(a * b); };
  double encoder = 0.0;
  std::size_t input = shape.input_size();
  for (std::size_t k = 0; k < shape.layers; ++k) {
    encoder += product(input + shape.hidden, 8 * shape.hidden);
    input = shape.encoder_size();
  }
  return {{"text to numbers", 0.0},
          {"look-ups", product(shape.vector_size, shape.word_size) +
                           product(kAffixes * shape.affix_size, shape.spelling_size)},
          {"encoder", encoder},
          {"roles", product(shape.encoder_size(), RoleColumns(shape).size)},
          {"arc scores", product(shape.arc_size + kRows, shape.arc_size)},
          {"candidates", 0.0},
          {"part scores", 0.0},
          {"inference", 0.0},
          {"labels", product(shape.label_size + 1, shape.labels * (shape.label_size + 1))},
          {"tags", product(shape.tag_hidden, shape.tag_values)}};
}

class Parsing {
 public:
  Parsing(const Network& network, std::vector<Sentence> sentences)
      : network_(&network),
        sentences_(std::move(sentences)),
        reader_(network.description().inputs, network.description().vectors_or_null(), network.shape()),
        encoder_(network),
        scores_(network),
        low_rank_parts_(network.shape()) {}

  // All sentences in batches. Adds the seconds of each stage; keeps roles and trees.
  void run(std::size_t batch, std::vector<double>& seconds) {
    roles_.clear();
    trees_.clear();
    for (std::size_t begin = 0; begin < sentences_.size(); begin += batch) {
      run_batch(std::span(sentences_).subspan(begin, batch), seconds);
    }
  }

  const std::vector<float>& roles() const { return roles_; }
  const std::vector<int>& trees() const { return trees_; }
  const WordInputs& inputs() const { return inputs_; }
  const Sequences& sequences() const { return sequences_; }

 private:
  void run_batch(std::span<const Sentence> sentences, std::vector<double>& seconds) {
    std::size_t stage = 0;
    double before = thread_seconds();
    const auto done = [&](std::size_t which) {
      const double now = thread_seconds();
      seconds[which] += now - before;
      before = now;
    };
    inputs_.clear();
    sequences_.clear();
    for (const Sentence& sentence : sentences) {
      reader_.append(sentence, inputs_);
      sequences_.add(kRows);
    }
    done(stage++);
    encoder_.read(inputs_, sequences_);
    done(stage++);
    encoder_.encode();
    done(stage++);
    const ConstMatrix roles = encoder_.roles();
    done(stage++);
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      const ConstMatrix own(roles.row(s * kRows), kRows, roles.columns, roles.stride);
      const ConstMatrix arcs = scores_.arcs(own);
      done(stage);
      choose_candidates(arcs);
      done(stage + 1);
      low_rank_parts_.score(own, network_->weights().part_weights(), parts_, potentials_);
      done(stage + 2);
      distribution_.assign(parts_, potentials_, RootMode::single);
      distribution_.best_tree(heads_);
      done(stage + 3);
      scores_.labels(own, heads_);
      done(stage + 4);
      scores_.tags(own);
      done(stage + 5);
      trees_.insert(trees_.end(), heads_.begin(), heads_.end());
    }
    roles_.insert(roles_.end(), roles.data, roles.data + roles.rows * roles.columns);
  }

  // The best heads of each word, and the neighbours and the root, so that there is a tree.
  void choose_candidates(ConstMatrix scores) {
    candidates_.clear();
    for (int modifier = 1; modifier <= kWords; ++modifier) {
      order_.clear();
      for (int head = 0; head <= kWords; ++head) {
        if (head != modifier) order_.push_back(head);
      }
      const float* row = scores.row(static_cast<std::size_t>(modifier));
      std::partial_sort(order_.begin(), order_.begin() + kCandidates, order_.end(),
                        [&](int a, int b) { return row[a] > row[b]; });
      order_.resize(kCandidates);
      const int neighbour = modifier - 1;  // of the first word, the root
      if (std::find(order_.begin(), order_.end(), neighbour) == order_.end()) order_.push_back(neighbour);
      for (const int head : order_) candidates_.push_back({head, modifier});
    }
    arcs_.assign(kWords, candidates_);
    parts_.assign(arcs_, network_->shape().factorization);
    potentials_.assign(parts_);
    for (int arc = 0; arc < arcs_.size(); ++arc) {
      potentials_.arc[static_cast<std::size_t>(arc)] =
          scores.row(static_cast<std::size_t>(arcs_[arc].modifier))[arcs_[arc].head];
    }
  }

  const Network* network_;
  std::vector<Sentence> sentences_;
  InputReader reader_;
  WordInputs inputs_;
  Sequences sequences_;
  EncoderPass encoder_;
  RoleScores scores_;
  LowRankParts low_rank_parts_;
  std::vector<int> order_;
  std::vector<Arc> candidates_;
  ArcSet arcs_;
  PartIndex parts_;
  Potentials potentials_;
  TreeDistribution distribution_;
  std::vector<int> heads_ = std::vector<int>(kRows, -1);
  std::vector<float> roles_;
  std::vector<int> trees_;
};

// Throws unless 8 bits give what floats give, up to some hundredths.
void check_roles(const NetworkDescription& network, std::span<const float> weights, const Parsing& parsing) {
  const NetworkBlocks blocks(network.shape);
  TrainingWeights floats(blocks);
  floats.assign(weights);
  TrainingPass pass(network.shape, blocks, network.vectors_or_null());
  const ConstMatrix expected = pass.forward(parsing.inputs(), parsing.sequences(), floats, DropoutPlan());
  double errors = 0.0;
  double squares = 0.0;
  for (std::size_t k = 0; k < parsing.roles().size(); ++k) {
    const double error = static_cast<double>(parsing.roles()[k]) - expected.data[k];
    errors += error * error;
    squares += static_cast<double>(expected.data[k]) * expected.data[k];
  }
  const double relative = std::sqrt(errors / squares);
  if (!(relative < 0.05)) throw std::runtime_error(fmt::format("wrong roles: off by {:.3f}", relative));
  fmt::print("roles in 8 bits differ from those in floats by {:.2f}%\n", 100 * relative);
}

void measure(std::size_t layers, std::size_t hidden, double time, double peak) {
  const NetworkDescription description = describe(layers, hidden);
  const std::vector<float> weights = random_weights(description.shape);
  const Network network(description, weights);
  Random random(3);
  std::vector<Sentence> sentences(kSentences);
  for (Sentence& sentence : sentences) {
    for (int k = 0; k < kWords; ++k) sentence.add_word(random_word(random));
  }
  Parsing parsing(network, std::move(sentences));
  const std::vector<Stage> stages = stages_of(description.shape);
  std::vector<double> ignored(stages.size());
  parsing.run(kSentences, ignored);
  fmt::print("\n{} x {}: ", layers, hidden);
  check_roles(description, weights, parsing);
  const std::vector<float> roles = parsing.roles();
  const std::vector<int> trees = parsing.trees();
  for (const std::size_t batch : {1U, 8U, 32U, 64U}) {
    // Of many runs, the quickest of each stage.
    std::vector<double> best(stages.size(), std::numeric_limits<double>::infinity());
    const auto start = Clock::now();
    do {
      std::vector<double> seconds(stages.size());
      parsing.run(batch, seconds);
      for (std::size_t k = 0; k < best.size(); ++k) best[k] = std::min(best[k], seconds[k]);
    } while (std::chrono::duration<double>(Clock::now() - start).count() < time);
    if (std::memcmp(parsing.roles().data(), roles.data(), roles.size() * sizeof(float)) != 0 ||
        parsing.trees() != trees) {
      throw std::runtime_error("batches change results");
    }
    fmt::print("batches of {}\n{:>18} {:>10} {:>12} {:>10} {:>8}\n", batch, "stage", "us/word", "words/s",
               "G mult/s", "of peak");
    const auto row = [&](const char* name, double seconds, double multiply_adds) {
      const double each = seconds / (kSentences * kWords);
      fmt::print("{:>18} {:>10.2f} {:>12.0f}", name, 1e6 * each, 1.0 / each);
      if (multiply_adds > 0.0) {
        // A row for the root of each sentence, too.
        const double rate = multiply_adds * kRows / kWords / each;
        fmt::print(" {:>10.1f} {:>7.0f}%", 1e-9 * rate, 100 * rate / peak);
      }
      fmt::print("\n");
    };
    double all = 0.0;
    double multiply_adds = 0.0;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      row(stages[k].name, best[k], stages[k].multiply_adds);
      all += best[k];
      multiply_adds += stages[k].multiply_adds;
    }
    row("all", all, multiply_adds);
  }
}

}  // namespace
}  // namespace copse::bench

int main(int count, char** arguments) {
  const double time = count > 1 ? std::atof(arguments[1]) : 1.0;
  // Where doubles have eight multiply-adds in a vector, bytes have 64.
  const double peak = 8 * copse::bench::measured_peak_multiply_adds();
  fmt::print("peak of 8-bit products on one core ({}): {:.0f} G multiply-adds/s\n",
             copse::bench::vector_target(), 1e-9 * peak);
  copse::bench::measure(2, 256, time, peak);
  copse::bench::measure(3, 400, time, peak);
  return 0;
}
