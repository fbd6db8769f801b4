#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "network/network_shape.h"
#include "network/vocabulary.h"
#include "vectors/counted_words.h"
#include "vectors/training_text.h"
#include "vectors/word_file.h"
#include "vectors/word_sink.h"

namespace copse {

// A part of a text: its words by number of their form, sentence by sentence.
struct TextWindow {
  std::vector<std::uint32_t> forms;
  std::vector<std::size_t> begins = {0};  // of sentences, and the end

  std::size_t sentences() const { return begins.size() - 1; }
  std::span<const std::uint32_t> sentence(std::size_t number) const {
    return std::span(forms).subspan(begins[number], begins[number + 1] - begins[number]);
  }
};

// A text of any size that an encoder learns from: cut into words once, which lie in a temporary file as
// numbers of forms. Words that differ in case alone are one word of the vocabulary, but not one form. In
// memory are, for every form that ever came, the rows that the encoder reads of its spelling; and the
// different forms themselves, of which the rarest are forgotten where there are too many: these keep their
// spelling and are unknown as words.
class EncoderText : public WordSink {
 public:
  static constexpr std::size_t kMostDifferentForms = 8'000'000;
  // Longer sentences are read in pieces.
  static constexpr std::size_t kLongestSentence = 200;
  static constexpr std::uint64_t kWindowWords = 1'000'000;

  // How the encoder reads words: of its shape, spelling and affix rows count. The file lies in `folder`; see
  // WordFile.
  EncoderText(const std::string& folder, const NetworkShape& shape,
              std::size_t most_different_forms = kMostDifferentForms);

  // Forms that cannot be stored (see WordVectorsBuilder::problem_of_word) are left out.
  void add(std::string_view form) override;
  void end_sentence() override;
  std::uint64_t words() const override { return total_; }
  // Counts a word into the vocabulary as if it came so often, for words that will be needed.
  void count(std::string_view form, std::uint64_t times);

  // Chooses the words seen at least so often, at most so many, and ends the adding. The number of a word at
  // the encoder's input is its place here plus 1. Windows have about so many words each. DataError if there
  // are no words.
  const TextVocabulary& choose(std::uint64_t min_count, std::size_t max_words,
                               std::uint64_t window_words = kWindowWords);

  // After choose(). Reading may go on in one thread while others look at forms.
  const TextVocabulary& vocabulary() const { return vocabulary_; }
  // The units that words are read by, of spellings that have any.
  const Vocabulary& characters() const { return characters_; }
  // What the encoder reads of a form; see WordInputs.
  std::uint32_t word(std::uint32_t form) const { return words_[form]; }  // 0: unknown
  std::span<const std::uint32_t> affixes(std::uint32_t form) const {
    return std::span(affixes_).subspan(form * shape_.affix_kinds(), shape_.affix_kinds());
  }
  std::span<const std::uint16_t> characters(std::uint32_t form) const {
    return std::span(units_).subspan(unit_begins_[form], unit_begins_[form + 1] - unit_begins_[form]);
  }
  const NetworkShape& shape() const { return shape_; }
  std::size_t windows() const { return windows_.size(); }
  void read(std::size_t window, TextWindow& into) const;
  // Of the text and how it was cut.
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  void cut_windows(std::uint64_t window_words);
  std::uint16_t number_of_unit(std::string_view unit);
  void choose_characters();

  WordFile file_;
  NetworkShape shape_;
  CountedWords texts_;
  CountedWords extra_;  // of count(), in lower case
  // By form.
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> affixes_;                  // as many for each as there are kinds
  std::vector<std::uint64_t> unit_begins_ = {0};        // and the end
  std::vector<std::uint16_t> units_;                    // numbers as they come, then those of the vocabulary
  std::unordered_map<std::string, std::uint16_t> met_;  // units, until the vocabulary is chosen
  Vocabulary characters_;
  std::uint64_t total_ = 0;
  std::uint64_t fingerprint_ = 0;
  bool is_in_sentence_ = false;
  std::string lower_;
  TextVocabulary vocabulary_;
  std::vector<Range> windows_;  // of numbers in the file
};

}  // namespace copse
