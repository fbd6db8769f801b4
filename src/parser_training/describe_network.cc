#include "parser_training/describe_network.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace copse {
namespace {

constexpr std::array kTagColumns = {Row::kUpos, Row::kXpos, Row::kFeats, Row::kLemma};
// A rule that only one word needs says nothing about others.
constexpr std::size_t kLeastLemmas = 2;

std::vector<std::string> labels_of(std::span<const TrainingSentence> sentences) {
  std::set<std::string, std::less<>> labels;
  for (const TrainingSentence& example : sentences) {
    for (const Token& word : example.sentence.words()) {
      if (word.deprel() != "_") labels.emplace(word.deprel());
    }
  }
  return {labels.begin(), labels.end()};
}

// Without values if no word has one.
Vocabulary values_of(std::span<const TrainingSentence> sentences, Row::Column column) {
  VocabularyCounter values;
  bool has_any = false;
  for (const TrainingSentence& example : sentences) {
    for (const Token& word : example.sentence.words()) {
      const bool has_value = text_of(word, column) != "_";
      has_any = has_any || has_value;
      // Words without features are nothing unusual.
      if (has_value || column == Row::kFeats) values.add(TagColumn::value_of(word, column));
    }
  }
  return has_any ? values.vocabulary(column == Row::kLemma ? kLeastLemmas : 1) : Vocabulary();
}

}  // namespace

NetworkDescription describe_network(std::span<const TrainingSentence> sentences, const NetworkShape& shape,
                                    const NetworkContent& content) {
  NetworkDescription network;
  network.shape = shape;
  std::vector<const Sentence*> pointers;
  pointers.reserve(sentences.size());
  for (const TrainingSentence& example : sentences) pointers.push_back(&example.sentence);
  network.inputs = count_inputs(pointers, {shape.spelling, content.reads_tags});
  if (content.characters != nullptr) network.inputs.characters = *content.characters;
  set_input_sizes(network.inputs, network.shape);
  if (content.vectors) {
    network.vectors = content.standardises_vectors ? content.vectors->standardised() : *content.vectors;
  }
  network.shape.vector_size = content.vectors ? content.vectors->dimension() : 0;
  if (content.has_labels) network.labels = labels_of(sentences);
  network.shape.labels = network.labels.size();
  network.shape.tag_values = 0;
  for (const Row::Column column : kTagColumns) {
    if (!content.predicts_tags) break;
    TagColumn tag{column, values_of(sentences, column), {}};
    if (tag.values.empty()) continue;
    if (column == Row::kLemma) network.lemmas = KnownLemmas(pointers, tag.values);
    tag.place = {network.shape.tag_values, tag.values.size() - 1};
    network.shape.tag_values += tag.place.size;
    network.tags.push_back(std::move(tag));
  }
  network.shape.tags_read_input = !network.tags.empty();
  return network;
}

}  // namespace copse
