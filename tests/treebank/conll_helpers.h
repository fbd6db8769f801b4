#pragma once

#include <string>
#include <vector>

#include "copse/error.h"
#include "copse/treebank/conll.h"

namespace copse {

inline std::vector<Sentence> read_all(ConllReader reader) {
  std::vector<Sentence> sentences;
  for (Sentence sentence; reader.next(sentence);) sentences.push_back(sentence);
  return sentences;
}

inline std::vector<Sentence> read_text(const std::string& text, const ConllReadOptions& options = {}) {
  return read_all(ConllReader::from_text(text, options));
}

inline std::string write_text(const std::vector<Sentence>& sentences,
                              ConllFormat format = ConllFormat::detect) {
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text, format);
  for (const Sentence& sentence : sentences) writer.write(sentence);
  writer.close();
  return text;
}

// The message of the DataError that `action` throws, or "no error".
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace copse
