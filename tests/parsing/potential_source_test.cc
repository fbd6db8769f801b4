// The parser with potentials that come from a table of numbers: it knows no more of a source than the
// interface.
#include "model/potential_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inference/enumeration.h"
#include "parsing/parser.h"
#include "parsing/table_source.h"

namespace copse::testing {
namespace {

// Everything about one sentence, by looking at all trees and labellings.
struct Expected {
  double log_partition = 0.0;
  double best_score = -1e300;
  Heads best_tree;
  std::vector<int> best_labels;
  std::map<std::pair<int, int>, double> arcs;
};

template <class Use>
Expected enumerate(int words, Factorization factorization, TreeKind kind, int labels, double factor,
                   Use is_candidate) {
  Expected expected;
  double sum = 0.0;
  for (const Heads& heads : all_trees(kind, words)) {
    bool is_allowed = true;
    for (int word = 1; word <= words; ++word) is_allowed = is_allowed && is_candidate(heads[word], word);
    if (!is_allowed) continue;
    double score = 0.0;
    double best_score = 0.0;
    std::vector<int> best_labels(heads.size(), 0);
    for_each_part_of_tree(heads, factorization, [&](PartKind kind_of_part, const PartWords& part) {
      const double own = factor * potential_of(words, kind_of_part, part);
      score += own;
      best_score += own;
      if (kind_of_part != labelled_kind(factorization) || labels == 0) return;
      double all = 0.0;
      double best = -1e300;
      for (int label = 0; label < labels; ++label) {
        const double of_label =
            factor * label_score(words, normalised(kind_of_part, part), static_cast<Label>(label));
        all += std::exp(of_label);
        if (of_label > best) {
          best = of_label;
          best_labels[static_cast<std::size_t>(part.modifier)] = label;
        }
      }
      score += std::log(all);
      best_score += best;
    });
    sum += std::exp(score);
    for (int word = 1; word <= words; ++word) expected.arcs[{heads[word], word}] += std::exp(score);
    if (best_score > expected.best_score) {
      expected.best_score = best_score;
      expected.best_tree = heads;
      expected.best_labels = best_labels;
    }
  }
  for (auto& [arc, probability] : expected.arcs) probability /= sum;
  expected.log_partition = std::log(sum);
  return expected;
}

void expect_answers(Parser& parser, const Expected& expected, int labels) {
  EXPECT_NEAR(parser.trees().log_partition(), expected.log_partition, 1e-9);
  Heads heads(expected.best_tree.size());
  EXPECT_NEAR(parser.labelled_trees().best_tree(heads), expected.best_score, 1e-9);
  EXPECT_EQ(heads, expected.best_tree);
  for (const auto& [arc, probability] : expected.arcs) {
    const auto number = static_cast<std::size_t>(parser.arcs().find(arc.first, arc.second));
    EXPECT_NEAR(parser.trees().marginals().arc[number], probability, 1e-9);
  }
  if (labels == 0) return;
  std::vector<int> found;
  parser.best_labels(heads, found);
  EXPECT_EQ(found, expected.best_labels);
}

TEST(PotentialSource, AnyTableOfNumbersCanBeParsedWith) {
  for (const Factorization factorization : kFactorizations) {
    for (const TreeKind kind : {TreeKind::projective, TreeKind::nonprojective}) {
      if (kind == TreeKind::nonprojective && factorization != Factorization::first) continue;
      for (const int labels : {0, 3}) {
        SCOPED_TRACE(std::string(name(factorization)) + " " + std::string(name(kind)) + " " +
                     std::to_string(labels) + " labels");
        auto source = std::make_unique<TableSource>(factorization, labels);
        const TableSource& table = *source;
        ParserOptions options;
        options.temperature = 2.0;
        Parser parser(std::move(source), {RootMode::multi, kind}, options);
        std::vector<Sentence> sentences;
        for (int words = 1; words <= 5; ++words) sentences.push_back(sentence_of(words));
        std::vector<const Sentence*> pointers;
        for (const Sentence& sentence : sentences) pointers.push_back(&sentence);
        PreparedBatch batch;
        parser.prepare(pointers, batch);
        for (std::size_t k = sentences.size(); k-- > 0;) {
          parser.assign(PreparedSentence(batch, k));
          expect_answers(
              parser,
              enumerate(sentences[k].size(), factorization, kind, labels, 0.5, [](int, int) { return true; }),
              labels);
        }
        EXPECT_EQ(table.batches(), 1);
        parser.assign(sentences[3]);
        expect_answers(parser, enumerate(4, factorization, kind, labels, 0.5, [](int, int) { return true; }),
                       labels);
        EXPECT_EQ(table.batches(), 2);
      }
    }
  }
}

TEST(PotentialSource, FirstOrderPassChoosesCandidates) {
  constexpr int kWords = 5;
  constexpr double kThreshold = 0.3;
  const Expected first =
      enumerate(kWords, Factorization::first, TreeKind::projective, 0, 1.0, [](int, int) { return true; });
  std::map<int, double> highest;
  for (const auto& [arc, probability] : first.arcs) {
    highest[arc.second] = std::max(highest[arc.second], probability);
  }
  const auto is_candidate = [&](int head, int modifier) {
    return first.arcs.at({head, modifier}) >= kThreshold * highest[modifier] ||
           first.best_tree[static_cast<std::size_t>(modifier)] == head;
  };
  for (const Factorization factorization : kFactorizations) {
    if (factorization == Factorization::first) continue;
    SCOPED_TRACE(name(factorization));
    ParserOptions options;
    options.prune_threshold = kThreshold;
    Parser parser(std::make_unique<TableSource>(factorization, 2), RootMode::multi, options);
    parser.assign(sentence_of(kWords));
    EXPECT_FALSE(parser.had_to_prune());
    EXPECT_LT(parser.arcs().size(), kWords * kWords);
    for (int modifier = 1; modifier <= kWords; ++modifier) {
      for (int head = 0; head <= kWords; ++head) {
        if (head == modifier) continue;
        EXPECT_EQ(parser.arcs().find(head, modifier) != ArcSet::kNone, is_candidate(head, modifier));
      }
    }
    expect_answers(parser, enumerate(kWords, factorization, TreeKind::projective, 2, 1.0, is_candidate), 2);
    // Too many parts: arcs are pruned until there are not.
    options.max_parts = parser.parts().count() - 1;
    Parser smaller(std::make_unique<TableSource>(factorization, 2), RootMode::multi, options);
    smaller.assign(sentence_of(kWords));
    EXPECT_TRUE(smaller.had_to_prune());
  }
}

}  // namespace
}  // namespace copse::testing
