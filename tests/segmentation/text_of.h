#pragma once

#include <span>
#include <string>

#include "copse/treebank/sentence.h"
#include "segmentation/surface_text.h"

namespace copse::testing {

// The text that sentences stand for.
inline std::string text_of(std::span<const Sentence> sentences) {
  std::string text;
  TextWriter writer = TextWriter::to_text(text);
  for (const Sentence& sentence : sentences) writer.write(sentence);
  writer.close();
  return text;
}

}  // namespace copse::testing
