// The parser with potentials that come from a table of numbers: it knows no more of a source than the
// interface.
#include "model/potential_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "features/hashing.h"
#include "inference/enumeration.h"
#include "inference/tree_parts.h"
#include "parsing/parser.h"

namespace copse::testing {
namespace {

Sentence sentence_of(int words) {
  Sentence sentence;
  for (int word = 1; word <= words; ++word) sentence.add_word("w" + std::to_string(word));
  return sentence;
}

// A number between -2 and 2 for whatever the key says.
double number_of(std::uint64_t key) { return static_cast<double>(mix(key) >> 11) * 0x1.0p-53 * 4.0 - 2.0; }

double potential_of(int words, PartKind kind, const PartWords& part) {
  std::uint64_t key = static_cast<std::uint64_t>(words) * 8 + static_cast<std::uint64_t>(kind);
  const auto add = [&](int word) { key = key * 64 + static_cast<std::uint64_t>(word); };
  if (has_grandparent(kind)) add(part.grandparent + 1);
  add(part.head + 1);
  if (has_sibling(kind)) add(part.sibling + 1);
  add(part.modifier + 1);
  return number_of(key);
}

template <PartKind kKind>
void fill(int words, const PartIndex& parts, double factor, Potentials& potentials) {
  potentials[kKind].clear();
  if (!contains(parts.factorization(), kKind)) return;
  for_each_part<kKind>(parts, [&](const PartWords& part) {
    potentials[kKind].push_back(factor * potential_of(words, kKind, part));
  });
}

// Of a label in a largest part.
double label_score(int words, const PartWords& part, Label label) {
  return number_of(7'000'000'019ULL * (static_cast<std::uint64_t>(label) + 1) +
                   static_cast<std::uint64_t>(((part.grandparent * 64 + part.head) * 64 + part.sibling) * 64 +
                                              part.modifier + words));
}

class TableSource : public PotentialSource {
 public:
  TableSource(Factorization factorization, int labels) : factorization_(factorization) {
    for (int label = 0; label < labels; ++label) {
      names_.push_back("label" + std::to_string(label));
      numbers_.push_back(static_cast<Label>(label));
    }
  }

  Factorization factorization() const override { return factorization_; }
  void prepare(std::span<const Sentence> sentences) override {
    ++batches_;
    lengths_.clear();
    for (const Sentence& sentence : sentences) lengths_.push_back(sentence.size());
  }
  void score_arcs(std::size_t sentence, const PartIndex& arcs, Potentials& potentials) override {
    EXPECT_EQ(arcs.factorization(), Factorization::first);
    potentials.assign(arcs);
    fill<PartKind::arc>(lengths_[sentence], arcs, 1.0, potentials);
  }
  void score(std::size_t sentence, const PartIndex& parts, double factor, Potentials& potentials) override {
    words_ = lengths_[sentence];
    parts_ = &parts;
    factor_ = factor;
    fill<PartKind::arc>(words_, parts, factor, potentials);
    fill<PartKind::sibling>(words_, parts, factor, potentials);
    fill<PartKind::grandchild>(words_, parts, factor, potentials);
    fill<PartKind::grandsibling>(words_, parts, factor, potentials);
  }
  std::span<const std::string> labels() const override { return names_; }
  ArcLabels score_labels(int arc) override {
    scores_.assign(static_cast<std::size_t>(parts_->largest_count(arc)) * numbers_.size(), 0.0);
    const auto visit = [&](const PartWords& part) {
      const PartKind largest = largest_kind(factorization_);
      if (parts_->arc(part.head, part.modifier) != arc) return;
      const auto place = static_cast<std::size_t>(parts_->find(largest, part) - parts_->largest_begin(arc));
      for (const Label label : numbers_) {
        scores_[place * numbers_.size() + label] = factor_ * label_score(words_, part, label);
      }
    };
    switch (largest_kind(factorization_)) {
      case PartKind::arc:
        for_each_part<PartKind::arc>(*parts_, [&](PartWords part) {
          part.sibling = part.head;
          visit(part);
        });
        break;
      case PartKind::sibling:
        for_each_part<PartKind::sibling>(*parts_, visit);
        break;
      case PartKind::grandchild:
        for_each_part<PartKind::grandchild>(*parts_, visit);
        break;
      case PartKind::grandsibling:
        for_each_part<PartKind::grandsibling>(*parts_, visit);
        break;
      case PartKind::outermost:
      case PartKind::trisibling:
      case PartKind::grandtrisibling:
        break;  // no model has them
    }
    return {numbers_, scores_};
  }

  int batches() const { return batches_; }

 private:
  Factorization factorization_;
  std::vector<std::string> names_;
  std::vector<Label> numbers_;
  std::vector<int> lengths_;
  int batches_ = 0;
  int words_ = 0;
  const PartIndex* parts_ = nullptr;
  double factor_ = 1.0;
  std::vector<double> scores_;
};

// What for_each_part says of words that a kind does not have.
PartWords normalised(PartKind largest, PartWords part) {
  if (!has_grandparent(largest)) part.grandparent = 0;
  if (!has_sibling(largest)) part.sibling = part.head;
  return part;
}

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
      if (kind_of_part != largest_kind(factorization) || labels == 0) return;
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
  for (const Factorization factorization : kModelFactorizations) {
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
        parser.prepare(sentences);
        for (std::size_t k = sentences.size(); k-- > 0;) {
          parser.assign_prepared(k);
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
  for (const Factorization factorization : kModelFactorizations) {
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
