#pragma once

#include <optional>

#include "segmentation/character_splitter.h"
#include "segmentation/context_splitter.h"
#include "segmentation/segmenter_model.h"
#include "segmentation/slots.h"
#include "segmentation/word_splitter.h"
#include "sequence/sequence_model.h"

namespace copse {

struct SegmenterContent {
  SlotRules rules;
  SequenceModel labels;
  WordSplitter splitter;
  std::optional<CharacterSplitter> characters;  // for tokens that the splitter does not know
  std::optional<ContextSplitter> context;       // for tokens that are split in different ways
};

}  // namespace copse
