#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "render/row_json.h"
#include "render/sentence_text.h"
#include "text/json_writer.h"
#include "treebank/head_probability.h"

namespace copse {
namespace {

void write_word(int index, const Token& word, ValueWriter& json) {
  json.begin_object();
  json.member("id", index);
  write_row(word, json);
  if (const auto probability = head_probability(word)) json.member("head_probability", *probability);
  json.end_object();
}

void write_multiword(const MultiwordToken& range, ValueWriter& json) {
  json.begin_object();
  json.member("first", range.first());
  json.member("last", range.last());
  write_row(range, json);
  json.end_object();
}

}  // namespace

std::optional<double> number_in_comment(const Sentence& sentence, std::string_view key) {
  const std::optional<std::string_view> text = sentence.comment(key);
  if (!text) return std::nullopt;
  double value = 0.0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string sentence_json(const Sentence& sentence) {
  constexpr std::array<std::string_view, 4> kNumbers = {"tree_log_probability", "tree_entropy",
                                                        "tree_probability", "kbest_rank"};
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_names(sentence, json);
  for (const std::string_view key : kNumbers) {
    if (const auto number = number_in_comment(sentence, key)) json.member(key, *number);
  }
  write_comment_lines(sentence, json);
  json.key("words");
  json.begin_array();
  for (int word = 1; word <= sentence.size(); ++word) write_word(word, sentence[word], json);
  json.end_array();
  json.key("multiword_tokens");
  json.begin_array();
  for (const MultiwordToken& range : sentence.multiwords()) write_multiword(range, json);
  json.end_array();
  write_empty_nodes(sentence, json);
  json.end_object();
  return text;
}

}  // namespace copse
