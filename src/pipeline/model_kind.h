#pragma once

#include <string>

#include "io/section_file.h"

namespace copse {

// What a file of Copse is made for. A parser may have a tagger, a segmenter and a labeller with it.
enum class ModelKind { parser, tagger, segmenter, encoder, vectors, unknown };

ModelKind model_kind(const SectionFile& file);

// What the file is and which command takes it: for messages about a file that is not what was asked for.
std::string describe_kind(const SectionFile& file);

// Throws DataError if a part of a pipeline is not in the file: one of "parser", "tagger", "segmenter",
// "labeller".
void expect_part(const SectionFile& file, std::string_view part);

}  // namespace copse
