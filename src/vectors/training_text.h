#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/word_table.h"

namespace copse {

// The words that vectors are learnt for, from the most frequent to the rarest; of equal ones, the first in
// the text first.
struct TextVocabulary {
  std::vector<std::string> words;
  std::vector<std::uint64_t> counts;
  std::uint64_t total = 0;  // of the counts
};

// The words of a text of any size, as numbers in a temporary file of four bytes each: it is cut into words
// once, however often it is read. What is held in memory are the different words; where there are too many of
// them, the rarest are forgotten.
class TrainingText {
 public:
  static constexpr std::size_t kMostDifferentWords = 8'000'000;

  // The file lies in `folder`, and is gone with the object, or with the program, however it ends. Throws
  // DataError when it cannot be made.
  explicit TrainingText(const std::string& folder, std::size_t most_different_words = kMostDifferentWords);
  ~TrainingText();
  TrainingText(const TrainingText&) = delete;
  TrainingText& operator=(const TrainingText&) = delete;

  // One after the other. Words that cannot be stored (see WordVectorsBuilder::problem_of_word) are left out.
  // Throw DataError when the disk is full.
  void add(std::string_view word);
  void end_sentence();

  // Words so far, with those that come again.
  std::uint64_t words() const { return total_; }
  std::size_t different_words() const { return table_.size(); }

  // Chooses the words seen at least so often, at most so many, and ends the adding.
  const TextVocabulary& choose(std::uint64_t min_count, std::size_t max_words);

  // After choose(): calls on_sentence(numbers, words_read) for every sentence, the numbers being those of the
  // vocabulary, without words that are not in it. Sentences of thousands of words come in pieces. Stops when
  // on_sentence returns false.
  using OnSentence = std::function<bool(std::span<const std::uint32_t> sentence, std::uint64_t words_read)>;
  void read(const OnSentence& on_sentence);

 private:
  void put(std::uint32_t id);
  void flush();
  void forget_rare();
  [[noreturn]] void fail(std::string_view action) const;

  std::string folder_;
  std::size_t most_different_words_;
  std::FILE* file_ = nullptr;
  std::vector<std::uint32_t> buffer_;
  std::string texts_;
  WordTable table_;
  std::vector<std::uint64_t> counts_;  // by number in the table
  std::vector<std::uint32_t> ids_;     // likewise; ids are never given twice
  std::uint32_t next_id_ = 0;
  std::uint64_t total_ = 0;
  TextVocabulary vocabulary_;
  std::vector<std::uint32_t> numbers_;  // in the vocabulary, by id
};

}  // namespace copse
