#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/conll.h"
#include "copse/treebank/sentence_reader.h"
#include "io/byte_source.h"
#include "pipeline/component.h"
#include "segmentation/segmenter_model.h"

namespace copse {

// What commands that take text as well as trees read, and what is asked for.
struct SentenceInputOptions {
  std::vector<std::string> files = {"-"};
  std::string format;  // empty: found out for every file
  bool no_headings = false;
  bool ranges = false;
  std::optional<std::string> sent_ids;
  int max_words = ConllReadOptions().max_words;
};

// What is not the same for all inputs of a command.
struct SentenceOpening {
  bool is_text_only = false;         // DataError for what is no text
  bool continues_paragraph = false;  // as in TextOptions
  std::string document = {};         // what text is called, if anything: `# newdoc id`
};

// The sentences of an input, which may be compressed. Text needs a segmenter. `name` stands for the input in
// messages.
std::unique_ptr<SentenceReader> open_sentences(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                               const SentenceInputOptions& options,
                                               const Component<SegmenterModel>& segmenter,
                                               const SentenceOpening& how = {});

// What a file is by its name and its first bytes, unless `format` says it. DataError if they contradict each
// other.
struct InputLook {
  bool is_compressed = false;
  bool is_nothing = false;  // there is nothing in it but line ends
  std::string format;       // as in --input-format; empty: `format` says it, or it is a treebank of some kind
};
InputLook look_at_input(const std::string& path, const std::string& format);

// Whether an input of this name that begins like this is a treebank, for commands that want text alone.
bool is_treebank_start(const std::string& name, std::string_view bytes);

// Gives the sentence with this number, from 1 on, a sent_id if it has none and the options want one.
void give_sent_id(const SentenceInputOptions& options, std::int64_t number, Sentence& sentence);

}  // namespace copse
