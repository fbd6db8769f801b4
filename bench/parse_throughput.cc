// Words per second of parsing with a model that is loaded, and where the time goes. Checks that the stages
// give the trees of the parser, and that the parser gives the same trees on several threads.
//
//     parse_throughput MODEL TREEBANK [THREADS]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "copse/treebank/conll.h"
#include "model/parser_model.h"
#include "model/part_scorer.h"
#include "parallel/task_pool.h"
#include "parsing/arc_pruner.h"
#include "parsing/sentence_parser.h"

namespace copse::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 5;  // of which the fastest counts: others had company

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Seconds of the whole parser; the trees of the last round.
double time_parser(const ParserModel& model, std::span<const Sentence> sentences, int threads,
                   std::vector<std::vector<int>>& heads) {
  TaskPool pool(threads);
  std::vector<SentenceParser> parsers;
  for (int thread = 0; thread < threads; ++thread) parsers.emplace_back(model, ParseOptions());
  std::vector<Parse> parses(sentences.size());
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Clock::now();
    pool.for_each(sentences.size(), [&](std::size_t k, int worker) {
      parsers[static_cast<std::size_t>(worker)].parse(sentences[k], parses[k]);
    });
    best = std::min(best, seconds_since(start));
  }
  heads.clear();
  for (const Parse& parse : parses) heads.push_back(parse.best().heads);
  return best;
}

enum Stage { kPruning, kParts, kScoring, kDecoding, kStages };
constexpr std::array<const char*, kStages> kStageNames = {"pruning", "parts and tuples",
                                                          "features and weights", "best tree"};

struct Profile {
  std::array<double, kStages> seconds{};
  std::int64_t arcs = 0;
  std::int64_t tuples = 0;
  std::int64_t features = 0;  // of all tuples
  std::int64_t possible = 0;  // that the filter lets through
  std::int64_t found = 0;
  std::vector<std::vector<int>> heads;
};

// The parser's own stages, one by one.
class StagedParser {
 public:
  explicit StagedParser(const ParserModel& model)
      : model_(model),
        scorer_(model.parser()),
        pruner_(model.pruner() != nullptr ? *model.pruner() : model.parser(), model.root()) {}

  void parse(const Sentence& sentence, Profile& profile) {
    auto start = Clock::now();
    const auto end_stage = [&](Stage stage) {
      profile.seconds[stage] += seconds_since(start);
      start = Clock::now();
    };
    candidates_.clear();
    if (model_.pruner() != nullptr) {
      pruner_.prune(sentence, {}, model_.prune_threshold(), candidates_);
    }
    end_stage(kPruning);
    parts_.assign(sentence.size(), candidates_, model_.factorization());
    end_stage(kParts);
    scorer_.score(sentence, parts_.tuples(), potentials_);
    end_stage(kScoring);
    trees_.assign(parts_.parts(), potentials_, model_.root());
    profile.heads.emplace_back(static_cast<std::size_t>(sentence.size()) + 1);
    trees_.best_tree(profile.heads.back());
    end_stage(kDecoding);
    count(sentence, profile);
  }

 private:
  void count(const Sentence& sentence, Profile& profile) {
    profile.arcs += parts_.arcs().size();
    profile.tuples += parts_.tuples().size();
    features_.assign(model_.parser().extractor(), sentence);
    const WeightTable& weights = model_.parser().weights();
    for_each_tuple(parts_.tuples(), [&](Scope scope, const Tuple& tuple) {
      hashes_.clear();
      features_.append(scope, tuple, hashes_);
      profile.features += static_cast<std::int64_t>(hashes_.size());
      for (const std::uint64_t hash : hashes_) {
        profile.possible += weights.filter().may_contain(hash) ? 1 : 0;
        profile.found += weights.find(hash) != 0 ? 1 : 0;
      }
    });
  }

  const ParserModel& model_;
  PartScorer scorer_;
  ArcPruner pruner_;
  std::vector<Arc> candidates_;
  SentenceParts parts_;
  Potentials potentials_;
  TreeDistribution trees_;
  SentenceFeatures features_;
  std::vector<std::uint64_t> hashes_;
};

bool run(const std::string& model_path, const std::string& treebank_path, int threads) {
  const auto start = Clock::now();
  const ParserModel model = ParserModel::load(model_path);
  const double loading = seconds_since(start);
  std::vector<Sentence> sentences = read_conll(treebank_path);
  std::erase_if(sentences, [](const Sentence& sentence) { return sentence.empty(); });
  double words = 0;
  for (const Sentence& sentence : sentences) words += sentence.size();
  fmt::print("{}: {} sentences, {} words; model {}, {} weights, loaded in {:.0f} ms\n", treebank_path,
             sentences.size(), words, name(model.factorization()), model.parser().weights().size(),
             loading * 1e3);

  std::vector<std::vector<int>> heads;
  std::vector<std::vector<int>> heads_on_threads;
  const double one = time_parser(model, sentences, 1, heads);
  fmt::print("  1 thread    {:>9.0f} words/s\n", words / one);
  if (threads > 1) {
    const double several = time_parser(model, sentences, threads, heads_on_threads);
    fmt::print("  {} threads   {:>9.0f} words/s, {:.2f} times as many\n", threads, words / several,
               one / several);
  }

  Profile best;
  for (int round = 0; round < kRounds; ++round) {
    Profile profile;
    StagedParser parser(model);
    for (const Sentence& sentence : sentences) parser.parse(sentence, profile);
    if (round == 0) best = profile;
    for (int stage = 0; stage < kStages; ++stage) {
      best.seconds[stage] = std::min(best.seconds[stage], profile.seconds[stage]);
    }
  }
  double staged = 0;
  for (const double seconds : best.seconds) staged += seconds;
  for (int stage = 0; stage < kStages; ++stage) {
    fmt::print("  {:<22}{:>6.2f} us/word  {:>4.1f}%\n", kStageNames[stage], best.seconds[stage] / words * 1e6,
               100 * best.seconds[stage] / staged);
  }
  const auto each = [&](std::int64_t count) { return static_cast<double>(count) / words; };
  fmt::print(
      "  a word has {:.2f} candidate heads, {:.0f} tuples, {:.0f} features: {:.0f} pass the filter, {:.0f} "
      "have weights; {:.2f} ns a feature\n",
      each(best.arcs), each(best.tuples), each(best.features), each(best.possible), each(best.found),
      best.seconds[kScoring] / static_cast<double>(best.features) * 1e9);

  const bool is_right = best.heads == heads && (threads == 1 || heads == heads_on_threads);
  fmt::print("  {}\n", is_right ? "all ways give the same trees" : "THE TREES DIFFER");
  return is_right;
}

}  // namespace
}  // namespace copse::bench

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: parse_throughput MODEL TREEBANK [THREADS]\n");
    return 2;
  }
  try {
    return copse::bench::run(argv[1], argv[2], argc > 3 ? std::atoi(argv[3]) : 1) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
