#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "features/feature_extractor.h"
#include "io/section_file.h"
#include "model/weight_table.h"

namespace copse {

// What scores the parts of a sentence: features, and a weight for each known one. Constant once made.
class LinearModel {
 public:
  LinearModel(FeatureExtractor extractor, const RoundedWeights& weights);

  const FeatureExtractor& extractor() const { return extractor_; }
  Factorization factorization() const { return extractor_.factorization(); }
  const WeightTable& weights() const { return weights_; }
  // The same weights as a list, which takes a moment to make.
  RoundedWeights rounded_weights() const;

  // Adds sections, or reads them, whose names begin with `name` and a slash. The writer borrows from the
  // model. Reading throws DataError for what is not a model.
  void save(SectionFileWriter& file, std::string_view name) const;
  static LinearModel load(const SectionFile& file, std::string_view name);

 private:
  LinearModel(FeatureExtractor extractor, const RoundedWeights& weights, std::span<const std::byte> encoded,
              std::shared_ptr<const void> owner);

  FeatureExtractor extractor_;
  WeightTable weights_;
  // The table cannot give the list back, so the list is kept in the few bytes that files have: in the file
  // itself if it comes from one.
  std::span<const std::byte> encoded_;
  std::shared_ptr<const void> owner_;
};

}  // namespace copse
