#pragma once

#include <vector>

#include "features/feature_extractor.h"
#include "io/bytes.h"

namespace copse {

// What a model file says about the features of one of its components.
void write_extractor(const FeatureExtractor& extractor, ByteWriter& writer);
FeatureExtractor read_extractor(ByteReader& reader);

}  // namespace copse
