#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "render/markup.h"
#include "render/sentence_text.h"
#include "treebank/head_probability.h"

namespace copse {
namespace {

// Builds an object or an array from members that are JSON already.
class JsonBuilder {
 public:
  JsonBuilder(char open, char close) : text_(1, open), close_(close) {}

  void add(std::string_view json) {
    if (!std::exchange(is_first_, false)) text_ += ',';
    text_ += json;
  }
  void add(std::string_view key, std::string_view json) { add(fmt::format("\"{}\":{}", key, json)); }
  std::string finish() && { return std::move(text_) + close_; }

 private:
  std::string text_;
  char close_;
  bool is_first_ = true;
};

// "_" in a column says that there is nothing.
std::string column(std::string_view text) { return text == "_" ? "null" : json_quoted(text); }

void add_columns(const Row& row, std::string_view head, JsonBuilder& object) {
  object.add("form", json_quoted(row.form()));
  object.add("lemma", column(row.lemma()));
  object.add("upos", column(row.upos()));
  object.add("xpos", column(row.xpos()));
  object.add("feats", column(row.feats()));
  object.add("head", head);
  object.add("deprel", column(row.deprel()));
  object.add("deps", column(row.deps()));
  object.add("misc", column(row.misc()));
}

std::string word_json(int index, const Token& word) {
  JsonBuilder object('{', '}');
  object.add("id", std::to_string(index));
  add_columns(word, word.head() == kNoHead ? "null" : std::to_string(word.head()), object);
  if (const auto probability = head_probability(word)) {
    object.add("head_probability", fmt::format("{}", *probability));
  }
  return std::move(object).finish();
}

std::string multiword_json(const MultiwordToken& range) {
  JsonBuilder object('{', '}');
  object.add("first", std::to_string(range.first()));
  object.add("last", std::to_string(range.last()));
  add_columns(range, column(range.head_text()), object);
  return std::move(object).finish();
}

std::string empty_node_json(const EmptyNode& node) {
  JsonBuilder object('{', '}');
  object.add("word", std::to_string(node.word()));
  object.add("index", std::to_string(node.index()));
  add_columns(node, column(node.head_text()), object);
  return std::move(object).finish();
}

std::string text_or_null(std::optional<std::string_view> text) { return text ? json_quoted(*text) : "null"; }

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
  JsonBuilder comments('[', ']');
  JsonBuilder words('[', ']');
  JsonBuilder multiwords('[', ']');
  JsonBuilder empty_nodes('[', ']');
  for (const std::string& line : sentence.comments()) comments.add(json_quoted(line));
  for (int word = 1; word <= sentence.size(); ++word) words.add(word_json(word, sentence[word]));
  for (const MultiwordToken& range : sentence.multiwords()) multiwords.add(multiword_json(range));
  for (const EmptyNode& node : sentence.empty_nodes()) empty_nodes.add(empty_node_json(node));
  JsonBuilder object('{', '}');
  object.add("sent_id", text_or_null(sentence.sent_id()));
  object.add("text", text_or_null(sentence.text()));
  for (const std::string_view key : kNumbers) {
    if (const auto number = number_in_comment(sentence, key)) object.add(key, fmt::format("{}", *number));
  }
  object.add("comments", std::move(comments).finish());
  object.add("words", std::move(words).finish());
  object.add("multiword_tokens", std::move(multiwords).finish());
  object.add("empty_nodes", std::move(empty_nodes).finish());
  return std::move(object).finish();
}

}  // namespace copse
