#include "serving/udpipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "copse/error.h"
#include "pipeline/model_components.h"
#include "segmentation/segmenter.h"
#include "serving/deadline.h"
#include "serving/form.h"
#include "serving/udpipe_formats.h"
#include "serving/workspace.h"
#include "text/attribute_list.h"

namespace copse {
namespace {

using Json = nlohmann::ordered_json;

// What a request wants.
struct ProcessRequest {
  const NamedModel* model = nullptr;
  std::string data;
  std::optional<std::string> tokenizer;  // its options
  std::string input = "conllu";
  std::string output = "conllu";
  bool tags = false;
  bool parses = false;
};

bool is_asked_for(const FormFields& fields, std::string_view stage) {
  const auto found = fields.find(stage);
  return found != fields.end() && found->second != "none";
}

ProcessRequest read_request(const Request& request, const ModelSet& models) {
  FormFields fields = read_form(request);
  const auto take = [&fields](std::string_view name, std::string& value) {
    const auto found = fields.find(name);
    if (found == fields.end()) return false;
    value = std::move(found->second);
    return true;
  };
  ProcessRequest wanted;
  std::string model;
  take("model", model);
  wanted.model = &find_udpipe_model(models, model);
  if (!take("data", wanted.data)) {
    throw RequestError(400, "the parameter data is missing; send the text or the sentences in it", "data");
  }
  if (is_asked_for(fields, "tokenizer")) wanted.tokenizer = fields.find("tokenizer")->second;
  take("input", wanted.input);
  take("output", wanted.output);
  wanted.tags = is_asked_for(fields, "tagger");
  wanted.parses = is_asked_for(fields, "parser");
  const auto expect = [&](bool has, const char* what) {
    if (!has) throw RequestError(400, fmt::format("the model {} has no {}", wanted.model->name, what));
  };
  if (wanted.tokenizer)
    expect(wanted.model->model.has_segmenter(), "tokenizer; send sentences that are cut into words");
  if (wanted.tags) expect(wanted.model->model.has_tagger(), "tagger; leave out the parameter tagger");
  return wanted;
}

// "presegmented;ranges", each perhaps with a value, of which unknown ones mean nothing, as for UDPipe.
bool has_option(std::string_view options, std::string_view name) {
  while (!options.empty()) {
    const std::string_view option = options.substr(0, options.find(';'));
    options.remove_prefix(std::min(options.size(), option.size() + 1));
    if (option.substr(0, option.find('=')) == name) return true;
  }
  return false;
}

// The columns that a tagger writes. Where nobody has asked for tags, a parser may still need them, but what
// was there comes back.
class TagColumns {
 public:
  explicit TagColumns(const Sentence& sentence) {
    for (const Token& word : sentence.words()) {
      rows_.push_back({std::string(word.lemma()), std::string(word.upos()), std::string(word.xpos()),
                       std::string(word.feats())});
    }
  }
  void restore(Sentence& sentence) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      Token& word = sentence.words()[k];
      word.set_lemma(rows_[k][0]);
      word.set_upos(rows_[k][1]);
      word.set_xpos(rows_[k][2]);
      word.set_feats(rows_[k][3]);
    }
  }

 private:
  std::vector<std::array<std::string, 4>> rows_;
};

void remove_exact_spaces(Sentence& sentence) {
  const auto clean = [](Row& row) {
    row.set_misc(without_attribute(without_attribute(row.misc(), "SpacesAfter"), "SpacesBefore"));
  };
  for (Token& word : sentence.words()) clean(word);
  for (MultiwordToken& token : sentence.multiwords()) clean(token);
}

// # newdoc and # sent_id, in the order that UDPipe writes them.
void add_document_comments(std::int64_t number, Sentence& sentence) {
  if (number == 1) sentence.insert_comment(0, "# newdoc");
  std::size_t before_text = 0;
  while (before_text < sentence.comments().size() &&
         !sentence.comments()[before_text].starts_with("# text")) {
    ++before_text;
  }
  sentence.insert_comment(before_text, fmt::format("# sent_id = {}", number));
}

// Who is to be named, and the licences of the model and of what it is made from.
Json acknowledgements(const Model& model) {
  Json lines = Json::array();
  for (const auto& [key, value] : model.components().parser.facts()) {
    if (key == "attribution" || key.starts_with("licence")) lines.push_back(value);
  }
  return lines;
}

// What is asked for is done to the sentences, a few at a time.
class ProcessTask : public ParseTask {
 public:
  ProcessTask(ProcessRequest wanted, RequestContext& context, Reply& reply)
      : wanted_(std::move(wanted)),
        context_(context),
        reply_(reply),
        writer_(open_udpipe_output(wanted_.output, result_)) {
    if (wanted_.tokenizer) {
      open_segmenter();
    } else {
      reader_ = open_udpipe_input(wanted_.input, std::move(wanted_.data));
    }
  }

  bool step(Workspace& workspace) override {
    context_.deadline.check();
    if (!has_read_all_ && waiting_.size() < kMostSentences) {
      read_piece();
    } else if (!waiting_.empty()) {
      process_batch(workspace);
    } else {
      finish();
      return false;
    }
    return true;
  }

 private:
  void open_segmenter() {
    TextOptions options;
    options.ranges = has_option(*wanted_.tokenizer, "ranges");
    if (has_option(*wanted_.tokenizer, "presegmented")) options.lines = TextLines::sentences;
    const bool has_exact_spaces = !has_option(*wanted_.tokenizer, "normalized_spaces");
    const auto take = [this, has_exact_spaces](Sentence&& sentence) {
      add_document_comments(context_.sentences + 1, sentence);
      if (!has_exact_spaces) remove_exact_spaces(sentence);
      add(std::move(sentence));
    };
    segmenter_.emplace(*wanted_.model->model.components().segmenter, take, options, "<data>");
    text_ = wanted_.data;
  }

  void read_piece() {
    const Deadline piece(kReading);
    while (!has_read_all_ && !piece.is_over()) {
      if (segmenter_) {
        constexpr std::size_t kPiece = std::size_t{8} << 10;
        segmenter_->add(text_.substr(0, kPiece));
        text_.remove_prefix(std::min(kPiece, text_.size()));
        has_read_all_ = text_.empty();
        if (has_read_all_) segmenter_->finish();
      } else if (Sentence sentence; reader_->next(sentence)) {
        add(std::move(sentence));
      } else {
        has_read_all_ = true;
      }
    }
  }

  void add(Sentence&& sentence) {
    context_.count_sentence(sentence.size());
    waiting_.push_back(std::move(sentence));
  }

  void process_batch(Workspace& workspace) {
    batch_.clear();
    int words = 0;
    while (!waiting_.empty() && batch_.size() < kMostSentences && words < kMostWords) {
      words += waiting_.front().size();
      workspace.expect_sentence(waiting_.front().size());
      batch_.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    if (wanted_.tags || wanted_.parses) annotate(workspace);
    for (const Sentence& sentence : batch_) writer_->write(sentence);
  }

  void annotate(Workspace& workspace) {
    ParseOptions options;
    options.tags = wanted_.tags ? TagUse::always : TagUse::when_missing;
    Pipeline& pipeline = workspace.pipeline(*wanted_.model, options);
    std::vector<Sentence*> pointers;
    std::vector<TagColumns> columns;
    for (Sentence& sentence : batch_) {
      pointers.push_back(&sentence);
      if (!wanted_.tags) columns.emplace_back(sentence);
    }
    if (!wanted_.parses) return pipeline.tag(pointers);
    pipeline.prepare(pointers);
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      context_.deadline.check();
      pipeline.parse_prepared(k, parse_);
      if (!parse_.trees.empty()) write_columns(parse_, 0, batch_[k]);
      if (!wanted_.tags) columns[k].restore(batch_[k]);
    }
  }

  void finish() {
    writer_->close();
    writer_.reset();
    Json answer;
    answer["model"] = wanted_.model->name;
    answer["acknowledgements"] = acknowledgements(wanted_.model->model);
    answer["result"] = std::move(result_);
    reply_.send({}, answer.dump(1) + "\n");
  }

  ProcessRequest wanted_;
  RequestContext& context_;
  Reply& reply_;
  std::string result_;
  std::unique_ptr<SentenceWriter> writer_;
  std::optional<Segmenter> segmenter_;  // or
  std::unique_ptr<SentenceReader> reader_;
  std::string_view text_;  // that the segmenter has not read yet
  bool has_read_all_ = false;
  std::deque<Sentence> waiting_;  // read, and not done yet
  std::vector<Sentence> batch_;
  Parse parse_;
};

std::unique_ptr<ParseTask> answer_process(const Request& request, RequestContext& context, Reply& reply) {
  return std::make_unique<ProcessTask>(read_request(request, context.models), context, reply);
}

void answer_models(const ModelSet& models, Reply& reply) {
  Json list = Json::object();
  for (const NamedModel& model : models.models()) {
    Json stages = Json::array();
    if (model.model.has_segmenter()) stages.push_back("tokenizer");
    if (model.model.has_tagger()) stages.push_back("tagger");
    stages.push_back("parser");
    list[model.name] = stages;
  }
  reply.send({}, Json{{"models", list}, {"default_model", models.default_model().name}}.dump(1) + "\n");
}

// Whether `longer` is `shorter`, a hyphen, and something.
bool goes_on(std::string_view longer, std::string_view shorter) {
  return longer.size() > shorter.size() && longer.starts_with(shorter) && longer[shorter.size()] == '-';
}

}  // namespace

const NamedModel& find_udpipe_model(const ModelSet& models, std::string_view name) {
  const auto is_exact = [&](const NamedModel& model) { return model.name == name; };
  if (std::none_of(models.models().begin(), models.models().end(), is_exact)) {
    for (const NamedModel& model : models.models()) {
      if (goes_on(model.name, name)) return model;
    }
    const NamedModel* best = nullptr;
    for (const NamedModel& model : models.models()) {
      if (goes_on(name, model.name) && (best == nullptr || model.name.size() > best->name.size()))
        best = &model;
    }
    if (best != nullptr) return *best;
  }
  return models.find(name);
}

std::vector<Route> udpipe_routes(const ModelSet& models) {
  return {{.path = "/models",
           .methods = {"GET", "POST"},
           .quick = [&models](const Request&, Reply& reply) { answer_models(models, reply); }},
          {.path = "/process", .methods = {"GET", "POST"}, .parse = answer_process}};
}

}  // namespace copse
