#include "text_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "copse/error.h"
#include "io/byte_source.h"
#include "open_sentences.h"
#include "request_options.h"
#include "segmentation/segmenter.h"
#include "text/letter_case.h"
#include "text/utf8.h"
#include "training/pretrain_options.h"
#include "watched_input.h"

namespace copse {
namespace {

// A block of text goes to a thread. Where blocks end depends on the text alone.
constexpr std::size_t kTextBlock = std::size_t{512} << 10;

// The end of the last paragraph, or else line, word or character of a text that goes on.
std::size_t good_end(std::string_view text) {
  for (const std::string_view separator : {"\n\n", "\n", " "}) {
    const std::size_t found = text.rfind(separator);
    if (found != std::string_view::npos) return found + separator.size();
  }
  constexpr std::size_t kLongestCharacter = 4;
  for (std::size_t back = 1; back <= kLongestCharacter; ++back) {
    if (!continues_character(text[text.size() - back])) return text.size() - back;
  }
  return text.size();  // not UTF-8, as will be found out
}

// The blocks of a file.
class TextBlocks {
 public:
  TextBlocks(const std::string& path, InputPosition& position)
      : name_(input_name(path)),
        source_(decompress(std::make_unique<WatchedInput>(path, position, [] {}), name_)) {}

  // The next block; false at the end.
  bool next(std::string& block) {
    block = std::move(rest_);
    rest_.clear();
    std::size_t filled = block.size();
    block.resize(std::max(filled, kTextBlock));
    while (filled < block.size()) {
      const std::size_t count = source_->read(std::span(block).subspan(filled));
      if (count == 0) break;
      filled += count;
    }
    const bool goes_on = filled == block.size();
    block.resize(filled);
    if (goes_on) {
      const std::size_t end = good_end(block);
      rest_ = block.substr(end);
      block.resize(end);
    }
    check(block);
    if (std::exchange(is_first_, false) && is_treebank_start(name_, block)) {
      throw DataError(
          name_ +
          ": looks like a treebank, whose columns would be taken for words; `copse convert --to text` "
          "gives its text");
    }
    return !block.empty();
  }

 private:
  void check(std::string_view block) {
    const std::size_t valid = valid_utf8_prefix(block);
    const std::string_view sound = block.substr(0, valid);
    line_ += static_cast<std::size_t>(std::count(sound.begin(), sound.end(), '\n'));
    if (valid < block.size()) {
      throw DataError(fmt::format("{}:{}: invalid UTF-8, {}; convert the text to UTF-8", name_, line_,
                                  copse::quoted(block.substr(valid, 1))));
    }
  }

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  std::string rest_;
  std::size_t line_ = 1;
  bool is_first_ = true;  // the next block
};

// The words of a block: a line feed behind each, and another one behind each sentence.
class BlockWords {
 public:
  explicit BlockWords(const TextWordsOptions& options) : options_(options) {}

  void find(std::string_view block, std::string& words) {
    words.clear();
    if (options_.segmenter) {
      Segmenter segmenter(*options_.segmenter, [&](Sentence&& sentence) {
        for (const Token& word : sentence.words()) add(word.form(), words);
        words += '\n';
      });
      segmenter.add(block);
      segmenter.finish();
      return;
    }
    while (!block.empty()) {
      const std::size_t end = std::min(block.find('\n'), block.size() - 1);
      add_separated(block.substr(0, end + 1), words);
      block.remove_prefix(end + 1);
    }
  }

 private:
  void add(std::string_view word, std::string& words) {
    if (options_.keeps_case) {
      words += word;
    } else {
      lower_text(word, lower_);
      words += lower_;
    }
    words += '\n';
  }

  void add_separated(std::string_view line, std::string& words) {
    const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    for (auto place = line.begin();;) {
      const auto begin = std::find_if_not(place, line.end(), is_space);
      if (begin == line.end()) break;
      place = std::find_if(begin, line.end(), is_space);
      add({begin, place}, words);
    }
    words += '\n';
  }

  const TextWordsOptions& options_;
  std::string lower_;
};

void add_words(std::string_view words, WordSink& text) {
  while (!words.empty()) {
    const std::size_t end = words.find('\n');
    if (end == 0)
      text.end_sentence();
    else
      text.add(words.substr(0, end));
    words.remove_prefix(end + 1);
  }
}

}  // namespace

void read_text_words(const TextWordsOptions& options, TaskPool& pool, WordSink& text,
                     const std::function<void(const TextPosition&)>& on_progress) {
  std::int64_t bytes = 0;
  bool is_known = true;
  for (const std::string& path : options.files) {
    bytes += input_size(path);
    is_known = is_known && input_size(path) > 0;
  }
  const auto threads = static_cast<std::size_t>(pool.threads());
  std::vector<BlockWords> workers(threads, BlockWords(options));
  std::vector<std::string> blocks(4 * threads);
  std::vector<std::string> words(blocks.size());
  std::int64_t bytes_before = 0;
  for (const std::string& path : options.files) {
    InputPosition position;
    TextBlocks source(path, position);
    for (bool goes_on = true; goes_on;) {
      std::size_t count = 0;
      while (count < blocks.size() && (goes_on = source.next(blocks[count]))) ++count;
      pool.for_each(count, [&](std::size_t block, int worker) {
        workers[static_cast<std::size_t>(worker)].find(blocks[block], words[block]);
      });
      for (std::size_t block = 0; block < count; ++block) add_words(words[block], text);
      const auto done = static_cast<double>(bytes_before + position.bytes_read);
      on_progress({text.words(), is_known ? done / static_cast<double>(bytes) : 0.0});
    }
    text.end_sentence();
    bytes_before += position.bytes_read;
  }
}

void add_cutting_options(CLI::App& command, std::string& model, std::string& tokens) {
  add_same_option(command, *find_pretrain_option("model"), model);
  const PretrainOption& row = *find_pretrain_option("tokens");
  add_same_option(command, row, tokens)->check(CLI::IsMember(row.choices));
}

void check_cutting_usage(const CLI::App& command, const std::string& tokens) {
  if (tokens == "spaces" && command.count("--model") > 0) {
    throw CLI::ValidationError("--model", "has the segmenter, which --tokens spaces does without");
  }
}

}  // namespace copse
