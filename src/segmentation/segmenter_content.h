#pragma once

#include "segmentation/segmenter_model.h"
#include "segmentation/slots.h"
#include "segmentation/word_splitter.h"
#include "sequence/sequence_model.h"

namespace copse {

struct SegmenterContent {
  SlotRules rules;
  SequenceModel labels;
  WordSplitter splitter;
};

}  // namespace copse
