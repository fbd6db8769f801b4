#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "copse/treebank/sentence_reader.h"
#include "pipeline/component.h"
#include "segmentation/segmenter_model.h"
#include "watched_input.h"

namespace copse {

// Adds --input-format, of commands that take text as well as trees.
void add_input_format(CLI::App& command, std::string& format);

// The sentences of a file, whatever format it has; an empty `format` finds out by itself. Text needs a
// segmenter, which is borrowed. Heads need not be trees. `position` and `before_waiting` are those of
// WatchedInput.
std::unique_ptr<SentenceReader> open_sentences(const std::string& path, const std::string& format,
                                               const Component<SegmenterModel>& segmenter,
                                               InputPosition& position, std::function<void()> before_waiting);

}  // namespace copse
