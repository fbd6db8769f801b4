#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/calibration.h"

namespace copse {

struct TrainingIteration {
  int iteration = 0;
  std::optional<double> objective;  // learners can have none
  std::optional<double> score;      // on development data, a share
};

// A part of the work, such as the training of the model that prunes arcs.
struct TrainingStage {
  std::string name;
  double seconds = 0.0;
  std::string score_name;     // such as UAS
  bool is_of_parser = false;  // not of segmenter, tagger or labeller
  std::vector<TrainingIteration> iterations;
};

// What there is to tell of a training run, however often it was interrupted.
struct TrainingStory {
  using Rows = std::vector<std::pair<std::string, std::string>>;

  std::string model;    // its file
  std::string outcome;  // how it ended, a sentence
  Rows results;
  Rows data;
  Rows settings;
  std::vector<TrainingStage> stages;
  // Of the arcs of development data; empty without.
  std::optional<Calibration> calibration;
  std::vector<ThresholdPoint> precision_curve;  // at kThresholds
  std::vector<ThresholdPoint> coverage_curve;   // at even_thresholds
};

// One HTML page that needs no other file, as analysis_page() makes them.
std::string training_page(const TrainingStory& story);

}  // namespace copse
