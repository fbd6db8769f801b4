#include "render/row_json.h"

#include <optional>

namespace copse {
namespace {

void write_before_head(const Row& row, ValueWriter& json) {
  json.member("form", row.form());
  write_column("lemma", row.lemma(), json);
  write_column("upos", row.upos(), json);
  write_column("xpos", row.xpos(), json);
  write_column("feats", row.feats(), json);
}

void write_after_head(const Row& row, ValueWriter& json) {
  write_column("deprel", row.deprel(), json);
  write_column("deps", row.deps(), json);
  write_column("misc", row.misc(), json);
}

void write_comment_value(std::string_view key, const Sentence& sentence, ValueWriter& json) {
  const std::optional<std::string_view> value = sentence.comment(key);
  json.key(key);
  if (value) {
    json.string(*value);
  } else {
    json.null();
  }
}

}  // namespace

void write_column(std::string_view name, std::string_view value, ValueWriter& json) {
  json.key(name);
  if (value == "_") {
    json.null();
  } else {
    json.string(value);
  }
}

void write_row(const Token& word, ValueWriter& json) {
  write_before_head(word, json);
  json.key("head");
  if (word.head() == kNoHead) {
    json.null();
  } else {
    json.number(word.head());
  }
  write_after_head(word, json);
}

void write_row(const Row& row, ValueWriter& json) {
  write_before_head(row, json);
  write_column("head", row.head_text(), json);
  write_after_head(row, json);
}

void write_names(const Sentence& sentence, ValueWriter& json) {
  write_comment_value("sent_id", sentence, json);
  write_comment_value("text", sentence, json);
}

void write_comment_lines(const Sentence& sentence, ValueWriter& json) {
  json.key("comments");
  json.begin_array();
  for (const std::string& line : sentence.comments()) json.string(line);
  json.end_array();
}

void write_empty_nodes(const Sentence& sentence, ValueWriter& json) {
  json.key("empty_nodes");
  json.begin_array();
  for (const EmptyNode& node : sentence.empty_nodes()) {
    json.begin_object();
    json.member("word", node.word());
    json.member("index", node.index());
    write_row(node, json);
    json.end_object();
  }
  json.end_array();
}

}  // namespace copse
