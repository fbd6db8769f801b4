#include "document.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <utility>

#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "render/rendering.h"
#include "workspaces.h"

namespace copse::python {
namespace {

void write_trees(const DocumentSentence& sentence, const ConlluOptions& options, ConllWriter& writer) {
  const std::size_t trees = options.all_trees ? sentence.parse.trees.size() : 1;
  for (std::size_t rank = 0; rank < trees; ++rank) {
    writer.write(sentence.with_columns(rank, options));
  }
}

std::string rendered(const DocumentSentence& sentence, RenderFormat format, const DrawOptions& options) {
  const std::unique_ptr<Rendering> rendering = make_rendering(format, options);
  std::string text;
  rendering->add(sentence.with_columns(0, {.probabilities = true}), text);
  rendering->finish(text);
  return text;
}

}  // namespace

Sentence DocumentSentence::with_columns(std::size_t rank, const ConlluOptions& options) const {
  Sentence written = sentence;
  const ParsedTree& tree = parse.trees.at(rank);
  Parse shown;
  shown.is_kbest = options.all_trees && parse.is_kbest;
  shown.entropy = parse.entropy;
  shown.trees.resize(rank + 1);
  ParsedTree& own = shown.trees.back();
  own.heads = tree.heads;
  own.labels = tree.labels;
  if (options.doubts) own.is_uncertain = tree.is_uncertain;
  own.log_probability = tree.log_probability;
  if (options.probabilities) {
    own.head_probabilities = tree.head_probabilities;
    own.label_probabilities = tree.label_probabilities;
  }
  write_columns(shown, rank, written);
  return written;
}

void set_known(const std::vector<KnownArc>& known, std::span<Sentence* const> sentences) {
  for (std::size_t k = 0; k < known.size(); ++k) {
    const KnownArc& arc = known[k];
    const auto expect = [k](std::string_view member, int value, int least, int most) {
      if (value >= least && value <= most) return;
      throw std::invalid_argument(fmt::format("constraints[{}].{}: there is no {} {}; the last is {}", k,
                                              member, member == "head" ? "word" : member, value, most));
    };
    expect("sentence", arc.sentence, 1, static_cast<int>(sentences.size()));
    Sentence& sentence = *sentences[static_cast<std::size_t>(arc.sentence) - 1];
    expect("word", arc.word, 1, sentence.size());
    expect("head", arc.head, 0, sentence.size());
    if (arc.head == arc.word) {
      throw std::invalid_argument(
          fmt::format("constraints[{}].head: word {} cannot depend on itself", k, arc.word));
    }
    sentence[arc.word].set_head(arc.head);
    if (!arc.label.empty()) sentence[arc.word].set_deprel(arc.label);
  }
}

std::shared_ptr<Document> parse_again(const Document& document, std::size_t number,
                                      const ParseOptions& options, const std::vector<KnownArc>& known) {
  if (!document.workspaces) {
    throw DataError("this document was read from a file, without its model; parse its text again");
  }
  const DocumentSentence& sentence = document.sentences.at(number);
  ParseOptions settings = options;
  settings.tags = TagUse::never;  // it has them
  PipelineItem item{sentence.sentence};
  std::optional<Sentence> all_known = sentence.known;
  if (!known.empty()) {
    settings.keep_known = true;
    if (!all_known) {
      all_known = sentence.sentence;
      for (Token& word : all_known->words()) {
        word.set_head(kNoHead);
        word.set_deprel("_");
      }
    }
    Sentence* const pointer = &*all_known;
    set_known(known, {&pointer, 1});
  }
  if (all_known) {
    // With the tags that it has by now, and the heads that it must have.
    for (int word = 1; word <= item.sentence.size(); ++word) {
      item.sentence[word].set_head((*all_known)[word].head());
      item.sentence[word].set_deprel((*all_known)[word].deprel());
    }
  }
  document.workspaces->with(1, [&](Workspace& workspace) { workspace.parse(settings, {&item, 1}); });
  if (item.error) std::rethrow_exception(item.error);
  if (!item.conflict.empty()) throw InfeasibleError(item.conflict);
  auto result = std::make_shared<Document>();
  result->text = document.text;
  result->workspaces = document.workspaces;
  result->options = options;
  result->options.keep_known = settings.keep_known;
  DocumentSentence& own = result->sentences.emplace_back();
  own.sentence = sentence.sentence;
  own.parse = std::move(item.parse);
  own.ranges = sentence.ranges;
  own.known = std::move(all_known);
  return result;
}

std::string conllu_text(const Document& document, const ConlluOptions& options) {
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text, ConllFormat::conllu);
  for (const DocumentSentence& sentence : document.sentences) write_trees(sentence, options, writer);
  writer.close();
  return text;
}

std::string conllu_text(const DocumentSentence& sentence, const ConlluOptions& options) {
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text, ConllFormat::conllu);
  write_trees(sentence, options, writer);
  writer.close();
  return text;
}

std::string svg_text(const DocumentSentence& sentence) { return rendered(sentence, RenderFormat::svg, {}); }

std::string tree_text(const DocumentSentence& sentence, bool is_unicode) {
  DrawOptions options;
  options.canvas.columns = 0;
  options.canvas.unicode = is_unicode;
  return rendered(sentence, RenderFormat::tree, options);
}

}  // namespace copse::python
