#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "parallel/task_pool.h"
#include "segmentation/segmenter_model.h"
#include "vectors/word_sink.h"

namespace copse {

struct TextWordsOptions {
  std::vector<std::string> files;           // plain or compressed; "-" is the standard input
  std::optional<SegmenterModel> segmenter;  // without: sentences are lines, and words stand between spaces
  bool keeps_case = false;                  // else, words are made lower-case
};

// --model and --tokens, as `copse pretrain` has them.
void add_cutting_options(CLI::App& command, std::string& model, std::string& tokens);
void check_cutting_usage(const CLI::App& command, const std::string& tokens);

// How far the reading is, for messages.
struct TextPosition {
  std::uint64_t words;
  double share;  // of the bytes of all files; 0 if nobody knows
};

// Cuts the text of files into words and sentences, on several threads, and adds these to `text` in order: the
// same for any number of threads. Calls `on_progress` now and then, which may throw. Throws DataError
// "FILE:LINE: ..." for what is not UTF-8.
void read_text_words(const TextWordsOptions& options, TaskPool& pool, WordSink& text,
                     const std::function<void(const TextPosition&)>& on_progress);

}  // namespace copse
