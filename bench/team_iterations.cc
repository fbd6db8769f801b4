// Iterations of L-BFGS over the second stage of a parser, on any number of processes:
//
//   mpirun -n RANKS team_iterations TREEBANK MODEL [WORDS [THREADS [ITERATIONS [FEATURES]]]]
//
// The treebank is repeated until it has so many words. MODEL is any model with hashed features whose pruner
// chooses the candidates: learning one would take most of the time. The checksum of the weights, printed at
// the end, must be the same for every number of processes and threads.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

#include "cluster/mpi_session.h"
#include "copse/treebank/conll.h"
#include "features/hashing.h"
#include "memory/resident_bytes.h"
#include "optimisers/lbfgs_learner.h"
#include "parser_training/even_out.h"
#include "parser_training/feature_lists.h"
#include "parser_training/preparation.h"
#include "parser_training/tree_objective.h"
#include "parsing/arc_pruner.h"
#include "pipeline/model_components.h"

namespace {

using namespace copse;  // NOLINT: a program of its own
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// This process's share of the treebank, repeated until there are so many words.
std::vector<Sentence> read_share(const std::string& path, std::int64_t words, const Team& team) {
  const std::vector<Sentence> all = read_conll(path, {});
  std::vector<Sentence> own;
  std::int64_t seen = 0;
  for (std::size_t number = 0; seen < words && !all.empty(); ++number) {
    const Sentence& sentence = all[number % all.size()];
    seen += sentence.size();
    if (is_own(team, number)) own.push_back(sentence);
  }
  return own;
}

void set_candidates(const LinearModel& pruner, double threshold, RootMode root, TaskPool& pool,
                    std::vector<TrainingSentence>& sentences) {
  std::vector<ArcPruner> pruners;
  for (int k = 0; k < pool.threads(); ++k) pruners.emplace_back(pruner, root);
  pool.for_each(sentences.size(), [&](std::size_t k, int worker) {
    TrainingSentence& example = sentences[k];
    pruners[static_cast<std::size_t>(worker)].prune(example.sentence, {}, threshold, example.candidates);
    for (int modifier = 1; modifier <= example.sentence.size(); ++modifier) {
      const Arc gold{example.heads[static_cast<std::size_t>(modifier)], modifier};
      if (gold.head != kNoHead && std::ranges::find(example.candidates, gold) == example.candidates.end()) {
        example.candidates.push_back(gold);
      }
    }
    std::ranges::sort(example.candidates, [](const Arc& a, const Arc& b) {
      return a.modifier != b.modifier ? a.modifier < b.modifier : a.head < b.head;
    });
  });
}

// The most frequent features of the gold trees.
FeatureIndex most_frequent_features(std::span<const TrainingSentence> sentences,
                                    const FeatureExtractor& extractor, std::size_t most, TaskPool& pool) {
  FeatureIndex index = index_features(sentences, extractor, {}, pool);
  if (index.size() <= most) return index;
  index.hashes.resize(most);
  index.counts.resize(most);
  index.number_features();
  return index;
}

void run(const std::vector<std::string>& arguments, Team& team) {
  const auto number = [&](std::size_t k, std::int64_t otherwise) {
    return arguments.size() > k ? std::stoll(arguments[k]) : otherwise;
  };
  TaskPool pool(static_cast<int>(number(3, 1)), team);
  const auto iterations = static_cast<int>(number(4, 5));
  const ModelComponents model = ModelComponents::load(arguments.at(1));
  if (model.parser.pruner() == nullptr)
    throw std::runtime_error("the model has no pruner of hashed features");
  TrainingOptions options;
  const Clock::time_point start = Clock::now();
  PreparationReport report;
  std::vector<TrainingSentence> sentences =
      prepare_training_set(read_share(arguments.at(0), number(2, 850'000), team), options, report, team);
  set_candidates(*model.parser.pruner(), options.prune_threshold, options.root, pool, sentences);
  even_out(sentences, options.factorization, team);
  const FeatureExtractor extractor(model.parser.pruner()->extractor().options(), options.factorization);
  const FeatureIndex index =
      most_frequent_features(sentences, extractor, static_cast<std::size_t>(number(5, 3'000'000)), pool);
  const FeatureLists lists(sentences, extractor, index, pool);
  const std::int64_t words = report.words;
  const TreeObjective objective(lists, options.tree_space(), {options.margin, LabelUse::sum});
  LbfgsLearner learner(objective, {}, options.l2, 0.0, LearnerOptions().history, pool);
  const double prepared = seconds_since(start);
  learner.iterate();  // the first one evaluates twice

  const TeamTraffic before = team.traffic();
  const Clock::time_point begin = Clock::now();
  for (int k = 1; k < iterations; ++k) learner.iterate();
  const double seconds = seconds_since(begin) / (iterations - 1);
  const double bytes = static_cast<double>(team.traffic().bytes - before.bytes) / (iterations - 1);
  const double waiting = (team.traffic().seconds - before.seconds) / (iterations - 1);
  const std::span<const float> weights = learner.weights();
  const std::uint64_t checksum =
      hash_text({reinterpret_cast<const char*>(weights.data()), weights.size_bytes()});
  std::vector<std::int64_t> shares(static_cast<std::size_t>(team.size()) * 2);
  shares[static_cast<std::size_t>(team.rank()) * 2] = static_cast<std::int64_t>(waiting * 1e6);
  shares[static_cast<std::size_t>(team.rank()) * 2 + 1] = static_cast<std::int64_t>(resident_bytes());
  team.add_up(shares);
  if (!team.leads()) return;
  std::int64_t least = shares[0], most = shares[0], memory = shares[1];
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(team.size()); ++rank) {
    least = std::min(least, shares[rank * 2]);
    most = std::max(most, shares[rank * 2]);
    memory = std::max(memory, shares[rank * 2 + 1]);
  }
  fmt::print(
      "{:2} processes x {:2} threads: {:8.3f} s an iteration, {:9.0f} words/s, {:6.2f} MB sent by rank 0, "
      "{:5.1f}-{:5.1f} ms in calls, {:6.0f} MB at most, prepared in {:.1f} s, {} weights, objective {:.6f}, "
      "checksum {:016x}\n",
      team.size(), pool.threads(), seconds, static_cast<double>(words) / seconds, bytes / 1e6,
      static_cast<double>(least) / 1e3, static_cast<double>(most) / 1e3, static_cast<double>(memory) / 1e6,
      prepared, weights.size(), learner.progress().objective, checksum);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print(stderr, "usage: team_iterations TREEBANK MODEL [WORDS [THREADS [ITERATIONS [FEATURES]]]]\n");
    return 2;
  }
  MpiSession session(MpiSession::Callers::one_thread);
  try {
    run({arguments + 1, arguments + count}, session.team());
    session.end();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "team_iterations: {}\n", error.what());
    session.abort(1);
  }
}
