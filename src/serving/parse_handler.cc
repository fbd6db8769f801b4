#include "serving/parse_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "copse/error.h"
#include "io/byte_source.h"
#include "pipeline/model_components.h"
#include "render/number_text.h"
#include "serving/deadline.h"
#include "serving/error_json.h"
#include "serving/json_object.h"
#include "serving/media_type.h"
#include "serving/model_set.h"
#include "serving/parse_request.h"
#include "serving/request_sentences.h"
#include "serving/sentence_answer.h"
#include "serving/workspace.h"

namespace copse {
namespace {

constexpr std::size_t kFirstOfStream = 4;
constexpr std::size_t kMostWarnings = 20;
// Of an answer that is sent as a whole.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;
// Heads of the k best trees of one sentence.
constexpr int kMostHeads = 1'000'000;

constexpr const char* kLines = "application/x-ndjson";

void check_against(const NamedModel& named, const ParseRequest& request) {
  const Model& model = named.model;
  if (request.input == ParseRequest::Input::text && !model.has_segmenter()) {
    throw member_error(
        "text",
        fmt::format("the model {} does not cut text into words; give \"tokens\" or \"conllu\"", named.name));
  }
  if (request.options.tags == TagUse::always && !model.has_tagger()) {
    throw member_error("tag", fmt::format("the model {} has no tagger", named.name));
  }
  if (request.options.prune_threshold.value_or(0.0) > 0.0 && !model.components().parser.has_pruner()) {
    throw member_error("prune", fmt::format("the model {} has no pruner; leave it out", named.name));
  }
  const std::string why_not =
      request.options.kbest_labels ? model.components().why_no_labelled_trees() : std::string();
  if (!why_not.empty()) throw member_error("kbest_labels", fmt::format("{}: {}", named.name, why_not));
}

// What is not as it should be, in words; not more of them than anybody reads.
class Warnings {
 public:
  void add(const RequestSentence& sentence, const Parse& parse) {
    if (parse.pieces > 1) {
      add(sentence, fmt::format("has {}; parsed in {} pieces", counted(sentence.sentence.size(), "word"),
                                parse.pieces));
    }
    if (parse.had_to_prune) add(sentence, "is long; pruned more than asked for, to save memory");
    if (!parse.ignored_labels.empty()) {
      add(sentence,
          fmt::format("has {} that no tree of the model has; they stay, and say nothing about the rest",
                      counted(static_cast<std::int64_t>(parse.ignored_labels.size()), "given label")));
    }
    if (parse.untagged_words > 0) {
      add(sentence,
          fmt::format("has {} without a tag, and the model has learnt from tags; give them as \"conllu\", "
                      "or use a model with a tagger",
                      counted(parse.untagged_words, "word")));
    }
  }

  void write(JsonWriter& json) const {
    if (lines_.empty()) return;
    json.key("warnings");
    json.begin_array();
    for (const std::string& line : lines_) json.string(line);
    if (more_ > 0) json.string(fmt::format("{} more", grouped(more_)));
    json.end_array();
  }

 private:
  void add(const RequestSentence& sentence, std::string_view what) {
    if (lines_.size() == kMostWarnings) {
      ++more_;
      return;
    }
    lines_.push_back(fmt::format("sentence {} {}", grouped(sentence.number), what));
  }

  std::vector<std::string> lines_;
  std::int64_t more_ = 0;
};

// Where the objects of sentences go.
class ParseAnswer {
 public:
  ParseAnswer(std::string model, Reply& reply, bool is_stream)
      : model_(std::move(model)), reply_(reply), is_stream_(is_stream) {
    if (is_stream_) return;
    json_.begin_object();
    json_.member("model", model_);
    json_.key("sentences");
    json_.begin_array();
  }

  bool is_stream() const { return is_stream_; }

  void add(RequestSentence& sentence, const Parse& parse, const ParseRequest& request) {
    if (is_stream_) json_ = JsonWriter(text_);  // a line of its own
    write_sentence_answer(sentence, parse, request.options, request.returns_conllu, json_);
    if (is_stream_) text_ += '\n';
    if (text_.size() > kMostBytes && !is_stream_) {
      throw RequestError(413,
                         "the answer is too large to be sent as a whole; ask for \"stream\", or for less");
    }
  }

  void flush() {
    if (!is_stream_ || text_.empty()) return;
    if (!std::exchange(has_started_, true)) reply_.start({.status = 200, .content_type = kLines});
    reply_.write(std::exchange(text_, {}));
  }

  void finish(const Warnings& warnings, const RequestContext& context) {
    if (!is_stream_) {
      json_.end_array();
      warnings.write(json_);
      json_.end_object();
      return reply_.send({}, std::move(text_));
    }
    json_ = JsonWriter(text_);
    json_.begin_object();
    json_.member("done", true);
    json_.member("model", model_);
    json_.member("sentences", context.sentences);
    json_.member("words", context.words);
    warnings.write(json_);
    json_.end_object();
    text_ += '\n';
    flush();
  }

  // Says what went wrong in the last line of a stream. If nothing has been sent yet, the status of the reply
  // can say it.
  void fail(const RequestError& error) {
    if (has_started_) reply_.write(std::move(text_) + error_json(error, true) + "\n");
  }

 private:
  std::string model_;
  Reply& reply_;
  bool is_stream_;
  bool has_started_ = false;
  std::string text_;
  JsonWriter json_{text_};
};

// Parses the sentences of one request, in batches.
class JsonParseTask : public ParseTask {
 public:
  JsonParseTask(ParseRequest request, const NamedModel& model, RequestContext& context, Reply& reply,
                bool is_stream)
      : request_(std::move(request)),
        model_(model),
        context_(context),
        answer_(model.name, reply, is_stream),
        sentences_(request_, model.model),
        has_read_all_(is_stream) {}

  bool step(Workspace& workspace) override {
    try {
      return advance(workspace);
    } catch (const ClientGone&) {
      throw;
    } catch (const RequestError& error) {
      answer_.fail(error);
      throw;
    } catch (const DataError& error) {
      answer_.fail(RequestError(400, error.what()));
      throw;
    } catch (const std::exception&) {
      answer_.fail(RequestError(500, "internal error; please report it"));
      throw;
    }
  }

 private:
  bool advance(Workspace& workspace) {
    if (!has_read_all_) {
      read_piece();
    } else if (fill_batch()) {
      parse_batch(workspace);
      answer_.flush();
    } else {
      answer_.finish(warnings_, context_);
      return false;
    }
    return true;
  }

  // Of what is answered as a whole, everything is read first: most mistakes are found before any work is
  // done.
  void read_piece() {
    const Deadline piece(kReading);
    while (!piece.is_over()) {
      if (read_next()) continue;
      has_read_all_ = true;
      return;
    }
  }

  bool read_next() {
    context_.deadline.check();
    RequestSentence& sentence = waiting_.emplace_back();
    if (!sentences_.next(sentence)) {
      waiting_.pop_back();
      return false;
    }
    const int words = sentence.sentence.size();
    context_.count_sentence(words);
    if (std::int64_t{words} * request_.options.kbest > kMostHeads) {
      throw RequestError(413,
                         fmt::format("sentence {} has {}: at most {} of its best trees can be had",
                                     sentence.number, counted(words, "word"), kMostHeads / words),
                         "kbest");
    }
    return true;
  }

  // Who reads a stream waits for its first sentences: the first batches are small.
  bool fill_batch() {
    const std::size_t most = answer_.is_stream() ? most_of_stream_ : kMostSentences;
    most_of_stream_ = std::min(2 * most_of_stream_, kMostSentences);
    batch_.clear();
    int words = 0;
    while (batch_.size() < most && words < kMostWords) {
      if (waiting_.empty() && !read_next()) break;
      batch_.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
      words += batch_.back().sentence.size();
    }
    return !batch_.empty();
  }

  void parse_batch(Workspace& workspace) {
    context_.deadline.check();
    Pipeline& pipeline = workspace.pipeline(model_, request_.options);
    pointers_.clear();
    for (RequestSentence& sentence : batch_) {
      workspace.expect_sentence(sentence.sentence.size());
      pointers_.push_back(&sentence.sentence);
    }
    pipeline.prepare(pointers_);
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      context_.deadline.check();
      RequestSentence& sentence = batch_[k];
      parse(pipeline, k, sentence.number);
      warnings_.add(sentence, parse_);
      answer_.add(sentence, parse_, request_);
    }
  }

  void parse(Pipeline& pipeline, std::size_t place, int number) {
    try {
      pipeline.parse_prepared(place, parse_);
    } catch (const InfeasibleError& error) {
      if (!request_.options.keep_known) throw;
      throw RequestError(422,
                         fmt::format("sentence {}: {}; change the constraints, or say \"conflict\": \"drop\"",
                                     number, error.what()),
                         "constraints");
    }
  }

  const ParseRequest request_;
  const NamedModel& model_;
  RequestContext& context_;
  ParseAnswer answer_;
  RequestSentences sentences_;
  bool has_read_all_;  // or reads as it goes on
  std::size_t most_of_stream_ = kFirstOfStream;
  std::deque<RequestSentence> waiting_;  // read, and not parsed yet
  std::vector<RequestSentence> batch_;
  std::vector<Sentence*> pointers_;
  Parse parse_;
  Warnings warnings_;
};

void expect_json(const Request& request) {
  if (is_compressed(request.body)) throw RequestError(415, "the body is compressed; send it as it is");
  const std::string_view header = request.header("Content-Type");
  const std::string type = lower_ascii(trimmed(header.substr(0, header.find(';'))));
  if (type.empty() || type == "application/json") return;
  throw RequestError(415,
                     "the body must be application/json: send the header `Content-Type: application/json`");
}

}  // namespace

std::unique_ptr<ParseTask> answer_parse(const Request& request, RequestContext& context, Reply& reply) {
  expect_json(request);
  ParseRequest parsed = read_parse_request(request.body);
  const NamedModel& model = context.models.find(parsed.model);
  check_against(model, parsed);
  const bool wants_lines = lower_ascii(request.header("Accept")).find(kLines) != std::string::npos;
  const bool is_stream = parsed.is_stream || wants_lines;
  return std::make_unique<JsonParseTask>(std::move(parsed), model, context, reply, is_stream);
}

}  // namespace copse
