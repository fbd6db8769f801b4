#pragma once

#include "copse/segmentation/segmenter.h"
#include "copse/sequence/sequence_model.h"
#include "segmentation/slots.h"
#include "segmentation/word_splitter.h"

namespace copse {

struct SegmenterModel {
  SlotRules rules;
  SequenceModel labels;
  WordSplitter splitter;
};

}  // namespace copse
