#pragma once

#include "parser_training/training_options.h"

namespace copse {

// What the loss of a network consists of.
struct NetworkLossOptions {
  TreeSpace trees = RootMode::multi;
  // Every word chooses its head by itself, as if there were no trees: quicker to compute, first order only.
  bool is_local = false;
  // Added to the score of every wrong arc; see TrainingOptions::margin.
  double margin = 0.0;
  double prune_threshold = 4e-4;
  // Of the first-order model that chooses candidates, beside the whole one.
  double first_order_weight = 0.5;
  float label_weight = 1.0F;
  float tag_weight = 1.0F;
  float dropout = 0.33F;
};

}  // namespace copse
