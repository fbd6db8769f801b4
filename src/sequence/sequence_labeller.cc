#include "sequence/sequence_labeller.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/row_lookup.h"

namespace copse {

void CandidateChooser::choose(const SequenceModel& model, const SequenceObservations& observations,
                              std::vector<Label>& labels, std::vector<int>& counts) {
  labels.clear();
  counts.clear();
  sums_.resize(static_cast<std::size_t>(model.labels));
  for (int position = 0; position < observations.size(); ++position) {
    const std::size_t first = labels.size();
    const std::span<const Label> list =
        model.candidates.find(observations.keys(position), observations.place());
    labels.insert(labels.end(), list.begin(), list.end());
    if (model.coarse_threshold > 0.0 && list.size() > 1) {
      add_rows(model.coarse, observations.coarse_features(position), list, rows_, sums_.data());
      keep_probable(model, sums_, labels, first);
    }
    counts.push_back(static_cast<int>(labels.size() - first));
  }
}

void CandidateChooser::keep_probable(const SequenceModel& model, std::span<const std::uint32_t> sums,
                                     std::vector<Label>& labels, std::size_t first) {
  ranked_.clear();
  for (std::size_t k = first; k < labels.size(); ++k) {
    ranked_.emplace_back(static_cast<std::int32_t>(sums[labels[k]]), labels[k]);
  }
  const auto comes_before = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  const auto best = *std::min_element(ranked_.begin(), ranked_.end(), comes_before);
  // Probabilities are compared as scores: a ratio is a difference.
  const double lowest = best.first + std::log(model.coarse_threshold) / model.coarse.unit();
  std::erase_if(ranked_, [lowest](const auto& candidate) { return candidate.first < lowest; });
  const auto most = static_cast<std::size_t>(model.most_candidates);
  if (ranked_.size() > most) {
    std::nth_element(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(most), ranked_.end(),
                     comes_before);
    ranked_.resize(most);
  }
  labels.resize(first);
  for (const auto& [sum, label] : ranked_) labels.push_back(label);
  std::sort(labels.begin() + static_cast<std::ptrdiff_t>(first), labels.end());
}

void SequenceLabeller::assign(const SequenceObservations& observations,
                              std::span<const std::span<const Label>> allowed) {
  chooser_.choose(*model_, observations, labels_, counts_);
  if (!allowed.empty()) restrict_candidates(allowed);
  parts_.assign(model_->order, counts_);
  potentials_.assign(parts_);
  score_labels(observations);
  if (model_->order > 0) score_transitions();
  distribution_.assign(parts_, potentials_);
}

// A known label that is no candidate becomes one: others beside it depend on it all the same. One that the
// model does not have says nothing.
void SequenceLabeller::restrict_candidates(std::span<const std::span<const Label>> allowed) {
  std::swap(labels_, chosen_);
  labels_.clear();
  auto next = chosen_.begin();
  for (std::size_t position = 0; position < counts_.size(); ++position) {
    const auto end = next + counts_[position];
    const std::size_t first = labels_.size();
    const bool is_known = std::any_of(allowed[position].begin(), allowed[position].end(),
                                      [&](Label label) { return label < model_->labels; });
    const std::span<const Label> wanted = is_known ? allowed[position] : std::span<const Label>();
    std::copy_if(next, end, std::back_inserter(labels_), [&](Label label) {
      return wanted.empty() || std::find(wanted.begin(), wanted.end(), label) != wanted.end();
    });
    if (labels_.size() == first) labels_.insert(labels_.end(), wanted.begin(), wanted.end());
    counts_[position] = static_cast<int>(labels_.size() - first);
    next = end;
  }
}

void SequenceLabeller::score_labels(const SequenceObservations& observations) {
  sums_.resize(static_cast<std::size_t>(model_->labels));
  for (int position = 0; position < size(); ++position) {
    const std::span<const Label> labels = candidates(position);
    // What all sequences have in common changes nothing: one candidate needs no score.
    if (labels.size() == 1) continue;
    add_rows(model_->weights, observations.features(position), labels, rows_, sums_.data());
    for (std::size_t k = 0; k < labels.size(); ++k) {
      potentials_.labels[parts_.label(position, static_cast<int>(k))] =
          model_->weights.unit() * static_cast<std::int32_t>(sums_[labels[k]]);
    }
  }
}

void SequenceLabeller::score_transitions() {
  constexpr Label kBoundary[] = {kBoundaryLabel};
  std::span<const Label> before_that = kBoundary;
  std::span<const Label> before = kBoundary;
  double* pair = potentials_.pairs.data();
  double* triple = potentials_.triples.data();
  for (int position = 0; position < size(); ++position) {
    const std::span<const Label> labels = candidates(position);
    for (const Label first : before) {
      for (const Label label : labels) *pair++ = model_->transitions.pair(first, label);
    }
    if (model_->order == 2) {
      for (const Label first : before_that) {
        for (const Label second : before) {
          for (const Label label : labels) *triple++ = model_->transitions.triple(first, second, label);
        }
      }
    }
    before_that = before;
    before = labels;
  }
}

std::span<const Label> SequenceLabeller::best() {
  best_indices_.resize(counts_.size());
  best_labels_.resize(counts_.size());
  distribution_.best(best_indices_);
  for (int position = 0; position < size(); ++position) {
    const auto index = static_cast<std::size_t>(position);
    best_labels_[index] = candidates(position)[static_cast<std::size_t>(best_indices_[index])];
  }
  return best_labels_;
}

std::span<const Label> SequenceLabeller::candidates(int position) const {
  return {labels_.data() + parts_.label(position, 0), static_cast<std::size_t>(parts_.candidates(position))};
}

std::span<const double> SequenceLabeller::probabilities(int position) {
  const std::vector<double>& marginals = distribution_.marginals().labels;
  return {marginals.data() + parts_.label(position, 0),
          static_cast<std::size_t>(parts_.candidates(position))};
}

}  // namespace copse
