#include "serving/sentence_answer.h"

#include <string>
#include <utility>

#include "copse/treebank/conll.h"
#include "render/parse_members.h"

namespace copse {
namespace {

// As the command line writes it.
std::string conllu_text(Sentence sentence, const Parse& parse) {
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text, ConllFormat::conllu);
  for (std::size_t rank = 0; rank < parse.trees.size(); ++rank) {
    write_columns(parse, rank, sentence);
    writer.write(sentence);
  }
  writer.close();
  return text;
}

// The tree alone: its probabilities have members of their own.
void write_tree_columns(const Parse& parse, Sentence& sentence) {
  if (parse.trees.empty()) return;
  Parse bare;
  bare.trees.emplace_back();
  bare.trees.front().heads = parse.best().heads;
  bare.trees.front().labels = parse.best().labels;
  write_columns(bare, 0, sentence);
}

}  // namespace

void write_sentence_answer(RequestSentence& sentence, const Parse& parse, const ParseOptions& options,
                           bool has_conllu, JsonWriter& json) {
  sentence.restore_columns();
  std::string conllu;
  if (has_conllu) conllu = conllu_text(sentence.sentence, parse);
  write_tree_columns(parse, sentence.sentence);
  const bool has_alternatives = options.min_alternative > 0.0;
  json.begin_object();
  write_parse_members({.sentence = sentence.sentence,
                       .parse = parse,
                       .ranges = sentence.ranges,
                       .has_known_head = sentence.has_given_head,
                       .has_known_label = sentence.has_given_label,
                       .alternatives = has_alternatives ? &parse.alternatives : nullptr,
                       .min_alternative = options.min_alternative,
                       .min_confidence = options.min_confidence},
                      json);
  if (has_conllu) json.member("conllu", conllu);
  json.end_object();
}

}  // namespace copse
