#include "text_batch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "copse/treebank/text_range.h"
#include "pipeline/model_components.h"
#include "segmentation/segmenter.h"
#include "text/attribute_list.h"

namespace copse::python {
namespace {

constexpr std::size_t kSentencesPerThread = 128;

std::vector<Sentence> sentences_of(const TextBatch::Words& lists) {
  std::vector<Sentence> sentences;
  for (const std::vector<std::string>& words : lists) {
    if (words.empty()) throw std::invalid_argument("words: a sentence has at least one word");
    Sentence& sentence = sentences.emplace_back();
    for (const std::string& word : words) {
      if (word.empty()) throw std::invalid_argument("words: a word has at least one character");
      sentence.add_word(word);
    }
  }
  return sentences;
}

std::vector<Sentence> sentences_of_conllu(const std::string& text) {
  ConllReader reader = ConllReader::from_text(text, {}, "<conllu>");
  std::vector<Sentence> sentences;
  for (Sentence sentence; reader.next(sentence);) sentences.push_back(std::move(sentence));
  return sentences;
}

// What the segmenter says in MISC about places in the text is for us alone.
void move_ranges(Sentence& sentence, std::vector<std::optional<TextRange>>& ranges) {
  ranges = text_ranges(sentence);
  const auto remove = [](Row& row) {
    if (text_range(row)) row.set_checked(Row::kMisc, without_attribute(row.misc(), "TokenRange"));
  };
  for (Token& word : sentence.words()) remove(word);
  for (MultiwordToken& token : sentence.multiwords()) remove(token);
}

// Puts the known arcs, and no others, into the columns.
void keep_alone(const std::vector<KnownArc>& known, std::vector<DocumentSentence>& sentences) {
  std::vector<Sentence*> all;
  for (DocumentSentence& one : sentences) {
    for (Token& word : one.sentence.words()) {
      word.set_head(kNoHead);
      word.set_deprel("_");
    }
    all.push_back(&one.sentence);
  }
  set_known(known, all);
}

}  // namespace

TextBatch::TextBatch(std::shared_ptr<Workspaces> workspaces, Settings settings)
    : workspaces_(std::move(workspaces)), settings_(std::move(settings)) {}

TextBatch::~TextBatch() {
  is_cancelled_ = true;
  if (!thread_.joinable()) return;
  if (process_ == ::getpid()) {
    thread_.join();
  } else {
    // The thread stayed behind in the process that this one was forked from.
    static_cast<void>(new std::thread(std::move(thread_)));
  }
}

void TextBatch::add_text(std::string text, std::vector<KnownArc> known) {
  bytes_ += text.size();
  inputs_.push_back({Text{std::move(text)}, std::move(known), nullptr, nullptr});
}

void TextBatch::add_words(Words words, std::vector<KnownArc> known) {
  for (const std::vector<std::string>& sentence : words) {
    for (const std::string& word : sentence) bytes_ += word.size() + 1;
  }
  inputs_.push_back({std::move(words), std::move(known), nullptr, nullptr});
}

void TextBatch::add_conllu(std::string text, std::vector<KnownArc> known) {
  bytes_ += text.size() / 4;  // most of it is other columns
  inputs_.push_back({Conllu{std::move(text)}, std::move(known), nullptr, nullptr});
}

// Makes the sentences of a document, not yet parsed.
void TextBatch::read(Input& input) const {
  auto document = std::make_shared<Document>();
  document->workspaces = workspaces_;
  document->options = settings_.parsing;
  std::vector<Sentence> sentences;
  if (auto* text = std::get_if<Text>(&input.content)) {
    sentences = segment_text(*workspaces_->model().components().segmenter, text->text,
                             {settings_.lines ? TextLines::sentences : TextLines::headings, true});
    document->text = std::move(text->text);
  } else if (const auto* words = std::get_if<Words>(&input.content)) {
    sentences = sentences_of(*words);
  } else {
    sentences = sentences_of_conllu(std::get<Conllu>(input.content).text);
  }
  document->sentences.resize(sentences.size());
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    document->sentences[k].sentence = std::move(sentences[k]);
    DocumentSentence& one = document->sentences[k];
    if (document->text) {
      move_ranges(one.sentence, one.ranges);
    } else {
      one.ranges = text_ranges(one.sentence);
    }
  }
  if (!input.known.empty()) keep_alone(input.known, document->sentences);
  if (settings_.parsing.keep_known) {
    for (DocumentSentence& one : document->sentences) one.known = one.sentence;
  }
  input.document = std::move(document);
}

void TextBatch::run_with(Workspace& workspace) {
  workspace.pool().for_each(inputs_.size(), [this](std::size_t number, int) {
    Input& input = inputs_[number];
    try {
      read(input);
    } catch (...) {
      input.error = std::current_exception();
    }
  });
  std::vector<PipelineItem> items;
  for (Input& input : inputs_) {
    if (input.error) continue;
    for (DocumentSentence& one : input.document->sentences) {
      items.emplace_back().sentence = std::move(one.sentence);
    }
  }
  // In parts, so that nobody waits long for what nobody wants any more.
  const std::size_t most = kSentencesPerThread * static_cast<std::size_t>(settings_.threads);
  for (std::size_t begin = 0; begin < items.size() && !is_cancelled_; begin += most) {
    workspace.parse(settings_.parsing, std::span(items).subspan(begin, std::min(most, items.size() - begin)));
  }
  if (is_cancelled_) return;
  std::size_t next = 0;
  for (Input& input : inputs_) {
    if (input.error) continue;
    int number = 0;
    for (DocumentSentence& one : input.document->sentences) {
      PipelineItem& item = items[next++];
      ++number;
      if (item.error && !input.error) input.error = item.error;
      if (!item.conflict.empty() && !input.error) {
        input.error =
            std::make_exception_ptr(InfeasibleError(fmt::format("sentence {}: {}", number, item.conflict)));
      }
      one.sentence = std::move(item.sentence);
      one.parse = std::move(item.parse);
    }
  }
}

void TextBatch::run() {
  try {
    workspaces_->with(settings_.threads, [this](Workspace& workspace) { run_with(workspace); });
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void TextBatch::start() {
  process_ = ::getpid();
  thread_ = std::thread([this] {
    run();
    const std::lock_guard<std::mutex> guard(mutex_);
    is_done_ = true;
    changed_.notify_all();
  });
}

bool TextBatch::wait(int milliseconds) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return is_done_; });
}

std::shared_ptr<Document> TextBatch::document(std::size_t number) const {
  if (failure_) std::rethrow_exception(failure_);
  const Input& input = inputs_.at(number);
  if (input.error) std::rethrow_exception(input.error);
  return input.document;
}

}  // namespace copse::python
