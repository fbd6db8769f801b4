#include "serving/request_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "io/byte_source.h"
#include "pipeline/model_components.h"
#include "render/number_text.h"
#include "segmentation/text_reader.h"
#include "serving/json_object.h"
#include "text/attribute_list.h"

namespace copse {
namespace {

constexpr std::string_view kRangeKey = "TokenRange";
// Of a sentence: as many as it may have in a file.
constexpr int kMostWords = ConllReadOptions().max_words;

// A little at a time, so that the segmenter does not cut all of a text at once.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  std::size_t read(std::span<char> out) override {
    const std::size_t count = text_.copy(out.data(), std::min(out.size(), kPiece));
    text_.remove_prefix(count);
    return count;
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{8} << 10;
  std::string_view text_;
};

std::unique_ptr<SentenceReader> open(const ParseRequest& request, const Model& model) {
  switch (request.input) {
    case ParseRequest::Input::text: {
      TextOptions options;
      options.ranges = true;
      options.lines = request.has_lines ? TextLines::sentences : TextLines::headings;
      return std::make_unique<TextReader>(std::make_unique<TextSource>(request.text),
                                          *model.components().segmenter, "text", options);
    }
    case ParseRequest::Input::conllu: {
      ConllReadOptions options;
      options.format = ConllFormat::conllu;
      options.validate_trees = false;  // parses replace them
      return std::make_unique<ConllReader>(ConllReader::from_text(request.text, options, "conllu"));
    }
    default:
      return nullptr;
  }
}

void remove_range(Row& row) {
  if (row.misc() != "_") row.set_checked(Row::kMisc, without_attribute(row.misc(), kRangeKey));
}

// The client learns of them by numbers of their own, and the columns are those that others write, too.
void remove_ranges(Sentence& sentence) {
  for (Token& word : sentence.words()) remove_range(word);
  for (MultiwordToken& token : sentence.multiwords()) remove_range(token);
}

std::string sentence_size(int number, const Sentence& sentence) {
  return fmt::format("sentence {} has {}", number, counted(sentence.size(), "word"));
}

}  // namespace

void RequestSentence::restore_columns() {
  for (std::size_t word = 1; word < columns.size(); ++word) {
    Token& token = sentence[static_cast<int>(word)];
    token.set_head(columns[word].head);
    token.set_checked(Row::kDeprel, columns[word].label);
  }
}

RequestSentences::RequestSentences(const ParseRequest& request, const Model& model)
    : request_(&request), reader_(open(request, model)), constraints_(request.constraints) {}

bool RequestSentences::next(RequestSentence& sentence) {
  if (!read(sentence.sentence)) {
    if (constraints_.empty()) return false;
    const WordConstraint& first = constraints_.front();
    throw member_error(first.where + ".sentence",
                       fmt::format("there is no sentence {}; there {} {}", first.sentence,
                                   read_ == 1 ? "is" : "are", counted(read_, "sentence")));
  }
  sentence.number = ++read_;
  sentence.ranges = text_ranges(sentence.sentence);
  if (request_->input == ParseRequest::Input::text) remove_ranges(sentence.sentence);
  constrain(sentence);
  return true;
}

bool RequestSentences::read(Sentence& sentence) {
  if (reader_) {
    try {
      return reader_->next(sentence);
    } catch (const DataError& error) {
      throw RequestError(400, error.what(), request_->input == ParseRequest::Input::text ? "text" : "conllu");
    }
  }
  const auto number = static_cast<std::size_t>(read_);
  if (number >= request_->tokens.size()) return false;
  const std::vector<std::string>& words = request_->tokens[number];
  if (std::ssize(words) > kMostWords) {
    throw RequestError(413, fmt::format("sentence {} has more than {} words", read_ + 1, grouped(kMostWords)),
                       element_path("tokens", number));
  }
  sentence.clear();
  for (std::size_t word = 0; word < words.size(); ++word) {
    try {
      sentence.add_word(words[word]);
    } catch (const DataError& error) {
      throw member_error(element_path(element_path("tokens", number), word), error.what());
    }
  }
  return true;
}

void RequestSentences::constrain(RequestSentence& sentence) {
  Sentence& words = sentence.sentence;
  sentence.has_given_head.clear();
  sentence.has_given_label.clear();
  sentence.columns.clear();
  if (!request_->options.keep_known) return;
  if (!request_->keeps_columns && request_->input == ParseRequest::Input::conllu) {
    sentence.columns.push_back({kNoHead, "_"});
    for (Token& word : words.words()) {
      sentence.columns.push_back({word.head(), std::string(word.deprel())});
      word.set_head(kNoHead);
      word.set_checked(Row::kDeprel, "_");
    }
  }
  while (!constraints_.empty() && constraints_.front().sentence == sentence.number) {
    apply(constraints_.front(), words);
    constraints_ = constraints_.subspan(1);
  }
  sentence.has_given_head.push_back(false);
  sentence.has_given_label.push_back(false);
  for (const Token& word : std::as_const(words).words()) {
    sentence.has_given_head.push_back(word.head() != kNoHead);
    sentence.has_given_label.push_back(word.deprel() != "_");
  }
}

void RequestSentences::apply(const WordConstraint& constraint, Sentence& sentence) const {
  if (constraint.word > sentence.size()) {
    throw member_error(constraint.where + ".word", sentence_size(constraint.sentence, sentence));
  }
  Token& word = sentence[constraint.word];
  if (constraint.head) {
    if (*constraint.head > sentence.size()) {
      throw member_error(constraint.where + ".head", sentence_size(constraint.sentence, sentence));
    }
    word.set_head(*constraint.head);
  }
  if (constraint.deprel.empty()) return;
  try {
    word.set_deprel(constraint.deprel);
  } catch (const DataError& error) {
    throw member_error(constraint.where + ".deprel", error.what());
  }
}

}  // namespace copse
