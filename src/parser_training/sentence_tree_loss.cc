#include "parser_training/sentence_tree_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "network/element_kernels.h"
#include "parsing/arc_pruner.h"

namespace copse {
namespace {

// While a network knows little, its marginals choose many candidates, of which no more are looked at than
// make so many parts for each word. Those with second siblings do not count: a model that has them looks at
// the candidates that grand-siblings alone would have, and learns from as many wrong trees.
constexpr std::int64_t kPartsPerWord = 400;
std::int64_t limited_parts(const PartIndex& parts) {
  std::int64_t count = 0;
  for (const PartKind kind : part_kinds(parts.factorization())) {
    if (!has_second_sibling(kind)) count += parts.count(kind);
  }
  return count;
}

// Scores of a network that has run away: its loss is no number either.
template <class T>
bool are_finite(std::span<const T> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](T number) { return std::isfinite(number); });
}
bool are_finite(ConstMatrix numbers) {
  for (std::size_t row = 0; row < numbers.rows; ++row) {
    if (!are_finite(std::span(numbers.row(row), numbers.columns))) return false;
  }
  return true;
}
constexpr double kNoLoss = std::numeric_limits<double>::quiet_NaN();

float score_of(const Arc& arc, ConstMatrix scores) {
  return scores.row(static_cast<std::size_t>(arc.modifier))[arc.head];
}

// Adds the gradient by the potentials of arcs to that of their scores.
void add_arcs(const ArcSet& arcs, const PartValues& coefficients, double weight, Matrix gradient) {
  for (int arc = 0; arc < arcs.size(); ++arc) {
    gradient.row(static_cast<std::size_t>(arcs[arc].modifier))[arcs[arc].head] +=
        static_cast<float>(weight * coefficients.arc[static_cast<std::size_t>(arc)]);
  }
}

}  // namespace

SentenceTreeLoss::SentenceTreeLoss(const NetworkShape& shape, const NetworkLossOptions& options)
    : factorization_(shape.factorization),
      options_(options),
      low_rank_parts_(shape),
      arc_loss_(options.trees),
      part_loss_(options.trees) {}

double SentenceTreeLoss::run(const TrainingSentence& sentence, const Input& input, const Gradient& gradient) {
  if (!are_finite(input.scores)) return kNoLoss;
  if (options_.is_local) return local_loss(sentence, input, gradient);
  if (factorization_ == Factorization::first) {
    return loss_of_arcs(sentence, input.scores, gradient.scores, nullptr);
  }
  const double loss = loss_of_arcs(sentence, input.scores, gradient.scores, &parts_);
  return loss + loss_of_large_parts(sentence, input, gradient);
}

double SentenceTreeLoss::run_arcs(const TrainingSentence& sentence, ConstMatrix scores, Matrix gradient,
                                  SentenceParts& candidates) {
  if (!are_finite(scores)) return kNoLoss;
  return loss_of_arcs(sentence, scores, gradient, &candidates);
}

double SentenceTreeLoss::local_loss(const TrainingSentence& sentence, const Input& input,
                                    const Gradient& gradient) {
  double loss = 0.0;
  for (std::size_t word = 1; word < input.scores.rows; ++word) {
    const int head = sentence.heads[word];
    if (head < 0) continue;
    const std::span<float> row(gradient.scores.row(word), input.scores.columns);
    std::copy_n(input.scores.row(word), row.size(), row.begin());
    row[word] = -std::numeric_limits<float>::infinity();  // no word is its own head
    loss += softmax_loss(row, static_cast<std::size_t>(head));
  }
  return loss;
}

double SentenceTreeLoss::loss_of_arcs(const TrainingSentence& sentence, ConstMatrix scores, Matrix gradient,
                                      SentenceParts* candidates) {
  const bool is_all = candidates == nullptr;
  arcs_.assign(sentence.sentence.size(), {}, Factorization::first);
  arc_potentials_.resize(arcs_.parts());
  const ArcSet& arcs = arcs_.arcs();
  for (int arc = 0; arc < arcs.size(); ++arc) {
    arc_potentials_.arc[static_cast<std::size_t>(arc)] = score_of(arcs[arc], scores);
  }
  // Candidates are chosen by probabilities, without a margin.
  if (is_all && options_.margin > 0.0)
    add_margin(arcs_.parts(), sentence.heads, options_.margin, arc_potentials_);
  arc_loss_.assign(arcs_.parts(), arc_potentials_, sentence.heads, sentence.is_complete);
  const double weight = is_all ? 1.0 : options_.first_order_weight;
  const double loss = weight * arc_loss_.log_loss();
  if (!is_all) choose_candidates(sentence, *candidates);
  arc_loss_.differentiate();
  add_arcs(arcs, arc_loss_.coefficients(), weight, gradient);
  return loss;
}

void SentenceTreeLoss::choose_candidates(const TrainingSentence& sentence, SentenceParts& parts) {
  const int words = sentence.sentence.size();
  if (options_.prune_threshold <= 0.0) {  // all arcs, whatever it costs
    parts.assign(words, {}, factorization_);
    return;
  }
  const std::int64_t most = kPartsPerWord * words;
  for (double threshold = options_.prune_threshold;; threshold *= 4.0) {
    candidates_.clear();
    select_candidates(arc_loss_.distribution(), arcs_.arcs(), std::min(threshold, 1.0), candidates_);
    for (int word = 1; word <= words; ++word) {
      const int head = sentence.heads[static_cast<std::size_t>(word)];
      if (head >= 0) candidates_.push_back({head, word});
    }
    std::sort(candidates_.begin(), candidates_.end(), [](const Arc& a, const Arc& b) {
      return a.modifier != b.modifier ? a.modifier < b.modifier : a.head < b.head;
    });
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    parts.assign(words, candidates_, factorization_);
    if (limited_parts(parts.parts()) <= most || threshold >= 1.0) return;
  }
}

double SentenceTreeLoss::loss_of_large_parts(const TrainingSentence& sentence, const Input& input,
                                             const Gradient& gradient) {
  const PartIndex& parts = parts_.parts();
  const ArcSet& arcs = parts_.arcs();
  potentials_.assign(parts);
  for (int arc = 0; arc < arcs.size(); ++arc) {
    potentials_.arc[static_cast<std::size_t>(arc)] = score_of(arcs[arc], input.scores);
  }
  low_rank_parts_.score(input.roles, input.weights, parts, potentials_);
  for (const PartKind kind : part_kinds(parts.factorization())) {
    if (!are_finite(std::span(std::as_const(potentials_)[kind]))) return kNoLoss;
  }
  if (options_.margin > 0.0) add_margin(parts, sentence.heads, options_.margin, potentials_);
  part_loss_.assign(parts, potentials_, sentence.heads, sentence.is_complete);
  const double loss = part_loss_.log_loss();
  part_loss_.differentiate();
  const PartValues& coefficients = part_loss_.coefficients();
  add_arcs(arcs, coefficients, 1.0, gradient.scores);
  low_rank_parts_.backward(input.roles, input.weights, parts, coefficients, gradient.roles, gradient.weights);
  return loss;
}

}  // namespace copse
