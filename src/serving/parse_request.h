#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/parse_options.h"

namespace copse {

// What a client says about a word: its head, its label, or both. Numbers count from 1, and the head 0 is the
// root.
struct WordConstraint {
  int sentence = 0;
  int word = 0;
  std::optional<int> head = {};
  std::string deprel = {};  // empty: not given
  std::string where = {};   // the path of this constraint in the request
};

// A request to /v1/parse, with all that can be checked without a model and the sentences.
struct ParseRequest {
  enum class Input : std::uint8_t { text, tokens, conllu };

  std::string model;  // empty: the default
  Input input = Input::text;
  std::string text;                              // or CoNLL-U
  std::vector<std::vector<std::string>> tokens;  // words of sentences
  bool has_lines = false;                        // every line of the text is a sentence
  ParseOptions options;
  std::vector<WordConstraint> constraints;  // by sentence and word
  bool keeps_columns = false;               // the columns of the CoNLL-U say which heads and labels are given
  bool returns_conllu = false;
  bool is_stream = false;
};

// Throws member_error().
ParseRequest read_parse_request(std::string_view body);

}  // namespace copse
