#include "vectors/training_text.h"

#include <optional>

#include "vectors/word_vectors.h"

namespace copse {
namespace {

constexpr std::uint32_t kNoWord = 0xFFFFFFFF;
constexpr std::size_t kBlock = std::size_t{1} << 16;
// Longer sentences are read in pieces.
constexpr std::size_t kLongestSentence = 1000;

}  // namespace

TrainingText::TrainingText(const std::string& folder, std::size_t most_different_words)
    : file_(folder), words_(most_different_words) {}

void TrainingText::add(std::string_view word) {
  std::optional<std::uint32_t> id = words_.add_known(word);
  if (!id) {
    if (WordVectorsBuilder::problem_of_word(word) != nullptr) return;
    id = words_.add(word);
  }
  file_.put(*id);
  ++total_;
}

void TrainingText::end_sentence() { file_.put(WordFile::kSentenceEnd); }

const TextVocabulary& TrainingText::choose(std::uint64_t min_count, std::size_t max_words) {
  end_sentence();
  file_.finish();
  vocabulary_ = {};
  numbers_.assign(words_.next_id(), kNoWord);
  for (const std::uint32_t place : words_.most_frequent(min_count, max_words)) {
    numbers_[words_.id(place)] = static_cast<std::uint32_t>(vocabulary_.words.size());
    vocabulary_.words.emplace_back(words_.word(place));
    vocabulary_.counts.push_back(words_.count(place));
    vocabulary_.total += words_.count(place);
  }
  return vocabulary_;
}

void TrainingText::read(const OnSentence& on_sentence) {
  std::vector<std::uint32_t> block(kBlock);
  std::vector<std::uint32_t> sentence;
  std::uint64_t words_read = 0;
  const auto emit = [&] {
    const bool goes_on = sentence.empty() || on_sentence(sentence, words_read);
    sentence.clear();
    return goes_on;
  };
  std::uint64_t begin = 0;
  while (const std::size_t count = file_.read(begin, block)) {
    begin += count;
    for (std::size_t k = 0; k < count; ++k) {
      if (block[k] == WordFile::kSentenceEnd) {
        if (!emit()) return;
        continue;
      }
      ++words_read;
      const std::uint32_t number = numbers_[block[k]];
      if (number != kNoWord) sentence.push_back(number);
      if (sentence.size() == kLongestSentence && !emit()) return;
    }
  }
}

}  // namespace copse
