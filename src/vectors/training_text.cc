#include "vectors/training_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <numeric>
#include <system_error>

#include "copse/error.h"
#include "vectors/word_vectors.h"

namespace copse {
namespace {

constexpr std::uint32_t kSentenceEnd = 0xFFFFFFFF;
constexpr std::uint32_t kNoWord = 0xFFFFFFFF;
constexpr std::size_t kBufferedWords = std::size_t{1} << 16;
// Longer sentences are read in pieces.
constexpr std::size_t kLongestSentence = 1000;

}  // namespace

TrainingText::TrainingText(const std::string& folder, std::size_t most_different_words)
    : folder_(folder), most_different_words_(most_different_words) {
  std::string name = folder + "/.copse-words-XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) fail("cannot make a temporary file");
  ::unlink(name.c_str());  // it lives as long as it is open
  file_ = ::fdopen(descriptor, "w+b");
  if (file_ == nullptr) {
    ::close(descriptor);
    fail("cannot make a temporary file");
  }
  buffer_.reserve(kBufferedWords);
}

TrainingText::~TrainingText() { std::fclose(file_); }

void TrainingText::fail(std::string_view action) const {
  throw DataError(fmt::format("{}: {} for the words of the text: {}; it needs four bytes for each", folder_,
                              action, std::generic_category().message(errno)));
}

void TrainingText::flush() {
  if (std::fwrite(buffer_.data(), sizeof(std::uint32_t), buffer_.size(), file_) != buffer_.size() ||
      std::fflush(file_) != 0) {
    fail("cannot write the temporary file");
  }
  buffer_.clear();
}

void TrainingText::put(std::uint32_t id) {
  buffer_.push_back(id);
  if (buffer_.size() == kBufferedWords) flush();
}

void TrainingText::add(std::string_view word) {
  std::optional<std::uint32_t> number = table_.find(texts_, word);
  if (!number) {
    if (WordVectorsBuilder::problem_of_word(word) != nullptr) return;
    if (table_.size() >= most_different_words_) forget_rare();
    if (next_id_ == kSentenceEnd) throw DataError("the text has too many different words; take less of it");
    number = static_cast<std::uint32_t>(table_.size());
    table_.add(texts_, word);
    texts_ += word;
    texts_ += '\n';
    counts_.push_back(0);
    ids_.push_back(next_id_++);
  }
  ++counts_[*number];
  ++total_;
  put(ids_[*number]);
}

void TrainingText::end_sentence() { put(kSentenceEnd); }

// Those that came no more often than the rarer half; what is left is at most half of them.
void TrainingText::forget_rare() {
  std::vector<std::uint64_t> sorted = counts_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  WordTable table;
  std::string texts;
  std::size_t kept = 0;
  for (std::size_t number = 0; number < counts_.size(); ++number) {
    if (counts_[number] <= *middle) continue;
    const std::string_view word = table_.word(texts_, number);
    table.add(texts, word);
    texts += word;
    texts += '\n';
    counts_[kept] = counts_[number];
    ids_[kept] = ids_[number];
    ++kept;
  }
  counts_.resize(kept);
  ids_.resize(kept);
  table_ = std::move(table);
  texts_ = std::move(texts);
}

const TextVocabulary& TrainingText::choose(std::uint64_t min_count, std::size_t max_words) {
  end_sentence();
  flush();
  std::vector<std::uint32_t> order(table_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::erase_if(order, [&](std::uint32_t number) { return counts_[number] < min_count; });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts_[a] > counts_[b]; });
  if (order.size() > max_words) order.resize(max_words);
  vocabulary_ = {};
  numbers_.assign(next_id_, kNoWord);
  for (const std::uint32_t number : order) {
    numbers_[ids_[number]] = static_cast<std::uint32_t>(vocabulary_.words.size());
    vocabulary_.words.emplace_back(table_.word(texts_, number));
    vocabulary_.counts.push_back(counts_[number]);
    vocabulary_.total += counts_[number];
  }
  return vocabulary_;
}

void TrainingText::read(const OnSentence& on_sentence) {
  std::rewind(file_);
  std::vector<std::uint32_t> block(kBufferedWords);
  std::vector<std::uint32_t> sentence;
  std::uint64_t words_read = 0;
  const auto emit = [&] {
    const bool goes_on = sentence.empty() || on_sentence(sentence, words_read);
    sentence.clear();
    return goes_on;
  };
  while (const std::size_t count = std::fread(block.data(), sizeof(std::uint32_t), block.size(), file_)) {
    for (std::size_t k = 0; k < count; ++k) {
      if (block[k] == kSentenceEnd) {
        if (!emit()) return;
        continue;
      }
      ++words_read;
      const std::uint32_t number = numbers_[block[k]];
      if (number != kNoWord) sentence.push_back(number);
      if (sentence.size() == kLongestSentence && !emit()) return;
    }
  }
  if (std::ferror(file_) != 0) fail("cannot read the temporary file");
}

}  // namespace copse
