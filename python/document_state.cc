#include "document_state.h"

#include <pybind11/stl.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "copse/treebank/conll.h"

namespace copse::python {
namespace {

constexpr int kVersion = 2;

std::string as_conllu(const Sentence& sentence) {
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text, ConllFormat::conllu);
  writer.write(sentence);
  writer.close();
  return text;
}

Sentence from_conllu(const std::string& text) {
  ConllReadOptions options;
  options.format = ConllFormat::conllu;
  options.validate_trees = false;
  ConllReader reader = ConllReader::from_text(text, options, "<pickle>");
  Sentence sentence;
  if (!reader.next(sentence)) throw std::invalid_argument("the pickled document has no words");
  return sentence;
}

py::tuple tree_state(const ParsedTree& tree) {
  return py::make_tuple(tree.heads, tree.labels, tree.log_probability, tree.head_probabilities,
                        tree.label_probabilities, tree.is_uncertain);
}

ParsedTree tree_from_state(const py::tuple& state, std::size_t words) {
  ParsedTree tree{state[0].cast<std::vector<int>>(),
                  state[1].cast<std::vector<std::string>>(),
                  state[2].cast<double>(),
                  state[3].cast<std::vector<double>>(),
                  state[4].cast<std::vector<double>>(),
                  state[5].cast<std::vector<bool>>()};
  const auto fits = [words](std::size_t size, bool may_be_empty) {
    return size == words + 1 || (may_be_empty && size == 0);
  };
  if (!fits(tree.heads.size(), false) || !fits(tree.labels.size(), true) ||
      !fits(tree.head_probabilities.size(), true) || !fits(tree.label_probabilities.size(), true) ||
      !fits(tree.is_uncertain.size(), true)) {
    throw std::invalid_argument("the pickled document has trees of other sentences");
  }
  return tree;
}

py::list trees_state(const std::vector<ParsedTree>& trees) {
  py::list list;
  for (const ParsedTree& tree : trees) list.append(tree_state(tree));
  return list;
}

py::list ranges_state(const std::vector<std::optional<TextRange>>& ranges) {
  py::list list;
  for (const auto& range : ranges) {
    list.append(range ? py::object(py::make_tuple(range->begin, range->end)) : py::object(py::none()));
  }
  return list;
}

py::list alternatives_state(const Parse& parse) {
  py::list words;
  for (const std::vector<HeadAlternative>& heads : parse.alternatives) {
    py::list list;
    for (const HeadAlternative& one : heads) {
      list.append(py::make_tuple(one.head, one.probability, one.label, one.label_probability));
    }
    words.append(list);
  }
  return words;
}

py::tuple sentence_state(const DocumentSentence& one) {
  const Parse& parse = one.parse;
  return py::make_tuple(as_conllu(one.sentence),
                        one.known ? py::object(py::str(as_conllu(*one.known))) : py::none(),
                        ranges_state(one.ranges), trees_state(parse.trees), trees_state(parse.samples),
                        alternatives_state(parse), parse.is_kbest, parse.entropy, parse.pieces,
                        parse.had_to_prune, parse.untagged_words, parse.dropped_heads, parse.ignored_labels);
}

DocumentSentence sentence_from_state(const py::tuple& state) {
  DocumentSentence one;
  one.sentence = from_conllu(state[0].cast<std::string>());
  const auto words = static_cast<std::size_t>(one.sentence.size());
  if (!state[1].is_none()) one.known = from_conllu(state[1].cast<std::string>());
  for (const py::handle range : state[2].cast<py::list>()) {
    auto& own = one.ranges.emplace_back();
    if (range.is_none()) continue;
    const auto [begin, end] = range.cast<std::pair<std::int64_t, std::int64_t>>();
    own = TextRange{begin, end};
  }
  Parse& parse = one.parse;
  for (const py::handle tree : state[3].cast<py::list>()) {
    parse.trees.push_back(tree_from_state(tree.cast<py::tuple>(), words));
  }
  for (const py::handle tree : state[4].cast<py::list>()) {
    parse.samples.push_back(tree_from_state(tree.cast<py::tuple>(), words));
  }
  for (const py::handle heads : state[5].cast<py::list>()) {
    auto& own = parse.alternatives.emplace_back();
    for (const py::handle alternative : heads.cast<py::list>()) {
      const auto values = alternative.cast<py::tuple>();
      own.push_back({values[0].cast<int>(), values[1].cast<double>(), values[2].cast<std::string>(),
                     values[3].cast<double>()});
    }
  }
  const bool fits = (one.ranges.empty() || one.ranges.size() == words + 1) &&
                    (parse.alternatives.empty() || parse.alternatives.size() == words + 1) &&
                    !parse.trees.empty() && (!one.known || one.known->size() == one.sentence.size());
  if (!fits) throw std::invalid_argument("the pickled document has numbers of other sentences");
  parse.is_kbest = state[6].cast<bool>();
  parse.entropy = state[7].cast<double>();
  parse.pieces = state[8].cast<int>();
  parse.had_to_prune = state[9].cast<bool>();
  parse.untagged_words = state[10].cast<int>();
  parse.dropped_heads = state[11].cast<std::vector<int>>();
  parse.ignored_labels = state[12].cast<std::vector<int>>();
  return one;
}

}  // namespace

py::tuple document_state(const Document& document) {
  py::list sentences;
  for (const DocumentSentence& one : document.sentences) sentences.append(sentence_state(one));
  const ParseOptions& options = document.options;
  return py::make_tuple(kVersion, document.text, sentences, options.kbest, options.min_alternative,
                        options.min_confidence);
}

std::shared_ptr<Document> document_from_state(const py::tuple& state) {
  constexpr std::size_t kMembers = 6;
  if (state.size() != kMembers || state[0].cast<int>() != kVersion) {
    throw std::invalid_argument("this document was pickled by another version of Copse");
  }
  auto document = std::make_shared<Document>();
  document->text = state[1].cast<std::optional<std::string>>();
  for (const py::handle sentence : state[2].cast<py::list>()) {
    document->sentences.push_back(sentence_from_state(sentence.cast<py::tuple>()));
  }
  document->options.kbest = state[3].cast<int>();
  document->options.min_alternative = state[4].cast<double>();
  document->options.min_confidence = state[5].cast<std::optional<double>>();
  return document;
}

}  // namespace copse::python
