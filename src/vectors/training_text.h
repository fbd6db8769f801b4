#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/counted_words.h"
#include "vectors/word_file.h"
#include "vectors/word_sink.h"

namespace copse {

// The words that vectors are learnt for, from the most frequent to the rarest; of equal ones, the first in
// the text first.
struct TextVocabulary {
  std::vector<std::string> words;
  std::vector<std::uint64_t> counts;
  std::uint64_t total = 0;  // of the counts
};

// The words of a text of any size, as numbers in a temporary file: it is cut into words once, however often
// it is read. What is held in memory are the different words; where there are too many of them, the rarest
// are forgotten.
class TrainingText : public WordSink {
 public:
  static constexpr std::size_t kMostDifferentWords = 8'000'000;

  // The file lies in `folder`; see WordFile.
  explicit TrainingText(const std::string& folder, std::size_t most_different_words = kMostDifferentWords);

  // Words that cannot be stored (see WordVectorsBuilder::problem_of_word) are left out. Throw DataError when
  // the disk is full.
  void add(std::string_view word) override;
  void end_sentence() override;

  std::uint64_t words() const override { return total_; }
  std::size_t different_words() const { return words_.size(); }

  // Chooses the words seen at least so often, at most so many, and ends the adding.
  const TextVocabulary& choose(std::uint64_t min_count, std::size_t max_words);

  // After choose(): calls on_sentence(numbers, words_read) for every sentence, the numbers being those of the
  // vocabulary, without words that are not in it. Sentences of thousands of words come in pieces. Stops when
  // on_sentence returns false.
  using OnSentence = std::function<bool(std::span<const std::uint32_t> sentence, std::uint64_t words_read)>;
  void read(const OnSentence& on_sentence);

 private:
  WordFile file_;
  CountedWords words_;
  std::uint64_t total_ = 0;
  TextVocabulary vocabulary_;
  std::vector<std::uint32_t> numbers_;  // in the vocabulary, by id
};

}  // namespace copse
