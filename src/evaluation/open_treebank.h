#pragma once

#include <cstddef>
#include <string>

#include "copse/treebank/conll.h"

namespace copse {

// Of the row of a word, in a file in which the sentence (with its comments) starts in `first_line`.
size_t line_of_word(const Sentence& sentence, size_t first_line, int word);

// A file and the sentence of it that is being looked at.
class OpenTreebank {
 public:
  // "-" is the standard input.
  OpenTreebank(const std::string& path, const ConllReadOptions& options);

  bool next() { return reader_.next(sentence_); }
  const std::string& name() const { return name_; }
  const Sentence& sentence() const { return sentence_; }

  size_t first_line() const { return reader_.first_line(); }
  // "FILE:LINE" of the sentence, or of one of its words.
  std::string place() const;
  std::string place(int word) const;

 private:
  std::string name_;
  ConllReader reader_;
  Sentence sentence_;
};

}  // namespace copse
