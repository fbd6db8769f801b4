#include "sequence/chain_distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sequence/chain_arithmetic.h"

namespace copse {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How far the scores of parts that end in one position may lie apart for linear arithmetic. A state has the
// share exp(-kMostRange) of its position at least, with two labels in it the square of that; so no product of
// two such shares and a weight leaves the range of doubles, and every sum is one of positive numbers, which
// loses no precision.
constexpr double kMostRange = 100.0;

void expect_potentials(std::span<const double> values) {
  const auto is_wrong = [](double value) { return std::isnan(value) || value == kInfinity; };
  if (std::any_of(values.begin(), values.end(), is_wrong)) {
    throw std::invalid_argument("a potential is neither a number nor minus infinity");
  }
}

}  // namespace

// The parts of the highest order that end in a position, seen as [dropped][kept][label]: of the labels that a
// state before remembers, `dropped` leaves it here, and `kept` (only there in order 2) stays in the next
// state.
struct ChainDistribution::Step {
  int position;
  std::size_t dropped;
  std::size_t kept;
  std::size_t labels;

  std::size_t states() const { return kept * labels; }
  std::size_t states_before() const { return dropped * kept; }
  std::size_t parts() const { return dropped * kept * labels; }
};

ChainDistribution::Step ChainDistribution::step(int position) const {
  const auto before = static_cast<std::size_t>(parts_->candidates(position - 1));
  const auto labels = static_cast<std::size_t>(parts_->candidates(position));
  switch (parts_->order()) {
    case 0:
      return {position, 1, 1, labels};
    case 1:
      return {position, before, 1, labels};
    default:
      return {position, static_cast<std::size_t>(parts_->candidates(position - 2)), before, labels};
  }
}

void ChainDistribution::assign(const ChainParts& parts, const ChainValues& potentials,
                               Arithmetic arithmetic) {
  if (potentials.labels.size() != parts.labels() || potentials.pairs.size() != parts.pairs() ||
      potentials.triples.size() != parts.triples()) {
    throw std::invalid_argument("the potentials are not those of the chain");
  }
  expect_potentials(potentials.labels);
  expect_potentials(potentials.pairs);
  expect_potentials(potentials.triples);
  parts_ = &parts;
  potentials_ = &potentials;
  arithmetic_ = arithmetic;
  has_forward_ = has_marginals_ = false;
  first_state_.clear();
  first_part_.clear();
  std::size_t states = 0;
  std::size_t all_parts = 0;
  std::size_t most_states = 1;
  for (int position = 0; position < parts.size(); ++position) {
    const Step here = step(position);
    first_state_.push_back(states);
    first_part_.push_back(all_parts);
    states += here.states();
    all_parts += here.parts();
    most_states = std::max(most_states, here.states());
  }
  first_state_.push_back(states);
  first_part_.push_back(all_parts);
  // These swap places all the time, and would grow one after the other.
  for (auto* values : {&backward_, &backward_before_, &best_scores_, &best_before_})
    values->reserve(most_states);
}

// Writes the scores of all parts that end in a position, with all that they contain. Returns the highest.
double ChainDistribution::fold(const Step& here, double* scores) const {
  const int order = parts_->order();
  const double* labels = potentials_->labels.data() + parts_->label(here.position, 0);
  const double* pairs = order >= 1 ? potentials_->pairs.data() + parts_->pair(here.position, 0, 0) : nullptr;
  const double* triples =
      order >= 2 ? potentials_->triples.data() + parts_->triple(here.position, 0, 0, 0) : nullptr;
  double highest = -kInfinity;
  for (std::size_t state = 0; state < here.states_before(); ++state) {
    // In order 1 the state before is the label before; in order 2 that is the part of it that is kept.
    const std::size_t before = order == 2 ? state % here.kept : state;
    for (std::size_t label = 0; label < here.labels; ++label) {
      double score = labels[label];
      if (order >= 1) score += pairs[before * here.labels + label];
      if (order >= 2) score += triples[state * here.labels + label];
      highest = std::max(highest, score);
      scores[state * here.labels + label] = score;
    }
  }
  return highest;
}

// Folds all scores and says whether linear arithmetic will do; if it is used, makes weights of the scores.
bool ChainDistribution::prepare() {
  weights_.resize(first_part_.back());
  offsets_.assign(static_cast<std::size_t>(parts_->size()), 0.0);
  bool is_safe = true;
  for (int position = 0; position < parts_->size(); ++position) {
    const Step here = step(position);
    const auto index = static_cast<std::size_t>(position);
    double* scores = weights_.data() + first_part_[index];
    const double highest = fold(here, scores);
    if (highest == -kInfinity) throw InfeasibleError("every sequence of labels is forbidden");
    offsets_[index] = highest;
    is_safe = is_safe && highest - *std::min_element(scores, scores + here.parts()) <= kMostRange;
  }
  const bool is_linear = arithmetic_ != Arithmetic::log && is_safe;
  for (std::size_t position = 0; position < offsets_.size(); ++position) {
    for (std::size_t part = first_part_[position]; part < first_part_[position + 1]; ++part) {
      const double score = weights_[part] - offsets_[position];
      weights_[part] = is_linear ? std::exp(score) : score;
    }
  }
  return is_linear;
}

template <class Numbers>
double ChainDistribution::sweep_forward() {
  forward_.assign(first_state_.back(), Numbers::kZero);
  sums_.resize(static_cast<std::size_t>(parts_->size()));
  const double start = Numbers::kOne;
  double log_partition = 0.0;
  for (int position = 0; position < parts_->size(); ++position) {
    const Step here = step(position);
    const auto index = static_cast<std::size_t>(position);
    const bool has_states_before = position > 0 && parts_->order() > 0;
    const double* before = has_states_before ? forward_.data() + first_state_[index - 1] : &start;
    const std::span<double> states(forward_.data() + first_state_[index], here.states());
    const double* weights = weights_.data() + first_part_[index];
    for (std::size_t state = 0; state < here.states_before(); ++state) {
      Numbers::add_scaled(before[state], {weights + state * here.labels, here.labels},
                          states.data() + state % here.kept * here.labels);
    }
    const double sum = Numbers::sum(states);
    if (sum == Numbers::kZero) throw InfeasibleError("every sequence of labels is forbidden");
    for (double& state : states) state = Numbers::divide(state, sum);
    sums_[index] = sum;
    log_partition += Numbers::log(sum) + offsets_[index];
  }
  return log_partition;
}

// The probability of a part is forward value before it * weight * backward value after it, in units in which
// forward times backward values sum up to one in every position.
template <class Numbers>
void ChainDistribution::sweep_backward() {
  marginals_.assign(*parts_);
  for (int position = parts_->size() - 1; position >= 0; --position) {
    const Step here = step(position);
    const auto index = static_cast<std::size_t>(position);
    const bool has_states_before = position > 0 && parts_->order() > 0;
    const bool has_states_after = position + 1 < parts_->size() && parts_->order() > 0;
    if (!has_states_after) backward_.assign(here.states(), Numbers::kOne);
    const double start = Numbers::kOne;
    const double* before = has_states_before ? forward_.data() + first_state_[index - 1] : &start;
    double* weights = weights_.data() + first_part_[index];
    backward_before_.resize(here.states_before());
    for (std::size_t state = 0; state < here.states_before(); ++state) {
      double* row = weights + state * here.labels;
      const double* after = backward_.data() + state % here.kept * here.labels;
      backward_before_[state] = Numbers::divide(Numbers::dot({row, here.labels}, after), sums_[index]);
      // Its probability takes the place of a weight that is needed no more.
      for (std::size_t label = 0; label < here.labels; ++label) {
        const double share = Numbers::divide(Numbers::times(before[state], row[label]), sums_[index]);
        row[label] = Numbers::to_probability(Numbers::times(share, after[label]));
      }
    }
    add_marginals(here, {weights, here.parts()});
    std::swap(backward_, backward_before_);
  }
}

void ChainDistribution::add_marginals(const Step& here, std::span<const double> parts) {
  const int order = parts_->order();
  double* labels = marginals_.labels.data() + parts_->label(here.position, 0);
  double* pairs = order >= 1 ? marginals_.pairs.data() + parts_->pair(here.position, 0, 0) : nullptr;
  if (order >= 2) {
    std::copy(parts.begin(), parts.end(), marginals_.triples.data() + parts_->triple(here.position, 0, 0, 0));
  }
  for (std::size_t state = 0; state < here.states_before(); ++state) {
    const std::size_t before = order == 2 ? state % here.kept : state;
    for (std::size_t label = 0; label < here.labels; ++label) {
      const double probability = parts[state * here.labels + label];
      labels[label] += probability;
      if (order >= 1) pairs[before * here.labels + label] += probability;
    }
  }
}

double ChainDistribution::log_partition() {
  if (has_forward_) return log_partition_;
  is_linear_ = prepare();
  if (arithmetic_ == Arithmetic::linear && !is_linear_) {
    throw std::range_error("the potentials differ too much for linear arithmetic");
  }
  log_partition_ = is_linear_ ? sweep_forward<LinearChainNumbers>() : sweep_forward<LogChainNumbers>();
  has_forward_ = true;
  return log_partition_;
}

const ChainValues& ChainDistribution::marginals() {
  if (has_marginals_) return marginals_;
  log_partition();
  if (is_linear_)
    sweep_backward<LinearChainNumbers>();
  else
    sweep_backward<LogChainNumbers>();
  has_marginals_ = true;
  return marginals_;
}

double ChainDistribution::entropy() {
  const double log_partition = this->log_partition();
  marginals();
  double expected_score = 0.0;
  const auto add = [&expected_score](std::span<const double> probabilities, std::span<const double> scores) {
    for (std::size_t part = 0; part < scores.size(); ++part) {
      if (probabilities[part] > 0.0) expected_score += probabilities[part] * scores[part];
    }
  };
  add(marginals_.labels, potentials_->labels);
  add(marginals_.pairs, potentials_->pairs);
  add(marginals_.triples, potentials_->triples);
  return log_partition - expected_score;
}

double ChainDistribution::best(std::span<int> labels) {
  if (labels.size() != static_cast<std::size_t>(parts_->size())) {
    throw std::invalid_argument("the labels are not as many as the positions");
  }
  choices_.assign(first_state_.back(), 0);
  best_before_.assign(1, 0.0);
  double score_of_others = 0.0;  // of the positions that no state remembers, in order 0
  for (int position = 0; position < parts_->size(); ++position) {
    const Step here = step(position);
    best_parts_.resize(here.parts());
    fold(here, best_parts_.data());
    best_scores_.assign(here.states(), -kInfinity);
    int* choices = choices_.data() + first_state_[static_cast<std::size_t>(position)];
    for (std::size_t state = 0; state < here.states_before(); ++state) {
      const std::size_t row = state % here.kept * here.labels;
      for (std::size_t label = 0; label < here.labels; ++label) {
        const double score = best_before_[state] + best_parts_[state * here.labels + label];
        if (score <= best_scores_[row + label]) continue;
        best_scores_[row + label] = score;
        choices[row + label] = static_cast<int>(state / here.kept);
      }
    }
    if (parts_->order() == 0) {
      const auto best = std::max_element(best_scores_.begin(), best_scores_.end());
      labels[static_cast<std::size_t>(position)] = static_cast<int>(best - best_scores_.begin());
      score_of_others += *best;
    } else {
      std::swap(best_scores_, best_before_);
    }
  }
  if (parts_->order() == 0 || parts_->size() == 0) {
    if (score_of_others == -kInfinity) throw InfeasibleError("every sequence of labels is forbidden");
    return score_of_others;
  }
  const auto best = std::max_element(best_before_.begin(), best_before_.end());
  if (*best == -kInfinity) throw InfeasibleError("every sequence of labels is forbidden");
  auto state = static_cast<std::size_t>(best - best_before_.begin());
  for (int position = parts_->size() - 1; position >= 0; --position) {
    const Step here = step(position);
    const auto index = static_cast<std::size_t>(position);
    labels[index] = static_cast<int>(state % here.labels);
    const auto dropped = static_cast<std::size_t>(choices_[first_state_[index] + state]);
    state = dropped * here.kept + state / here.labels;
  }
  return *best;
}

double ChainDistribution::score(std::span<const int> labels) const {
  double score = 0.0;
  const auto label_at = [&](int position) {
    return position < 0 ? 0 : labels[static_cast<std::size_t>(position)];
  };
  for (int position = 0; position < parts_->size(); ++position) {
    const int label = label_at(position);
    const int before = label_at(position - 1);
    score += potentials_->labels[parts_->label(position, label)];
    if (parts_->order() >= 1) score += potentials_->pairs[parts_->pair(position, before, label)];
    if (parts_->order() >= 2) {
      score += potentials_->triples[parts_->triple(position, label_at(position - 2), before, label)];
    }
  }
  return score;
}

}  // namespace copse
