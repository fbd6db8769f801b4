#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace copse {

// A look at development data: a score to be maximised, such as the share of correct arcs.
struct Evaluation {
  int iteration = 0;
  double score = 0.0;
};

// When development data has had enough. Scores go up and down by chance long after they have stopped rising,
// so single ones say little: what counts is whether the best of the last `patience` iterations is better, by
// at least `least_gain`, than the best before.
struct StoppingRule {
  int patience = 0;  // iterations; 0: never stop
  double least_gain = 0.0005;

  // Evaluations so far, in order.
  bool is_met(std::span<const Evaluation> evaluations) const {
    if (patience <= 0 || evaluations.empty()) return false;
    const int boundary = evaluations.back().iteration - patience;
    double before = -1.0;
    double recent = -1.0;
    for (const Evaluation& evaluation : evaluations) {
      double& best = evaluation.iteration <= boundary ? before : recent;
      best = std::max(best, evaluation.score);
    }
    return before >= 0.0 && recent < before + least_gain;
  }

  // The iteration that is the last one if scores do not rise any more: `iteration` is done, evaluations come
  // every `period` iterations, and there are at most `most` iterations.
  int likely_end(std::span<const Evaluation> evaluations, int iteration, int period, int most) const {
    if (patience <= 0 || evaluations.empty()) return most;
    std::vector<Evaluation> all(evaluations.begin(), evaluations.end());
    for (int next = (iteration / period + 1) * period; next < most; next += period) {
      all.push_back({next, all.back().score});
      if (is_met(all)) return next;
    }
    return most;
  }
};

}  // namespace copse
