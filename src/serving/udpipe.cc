#include "serving/udpipe.h"

#include <fmt/format.h>

#include <algorithm>
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

// Sentences that a network reads together, and that are parsed before somebody looks at the clock.
constexpr std::size_t kMostTogether = 32;
constexpr int kMostWordsTogether = 600;

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

// Sentences go in one after the other; what is asked for is done to them, a few at a time.
class Processor {
 public:
  Processor(const ProcessRequest& wanted, RequestContext& context)
      : wanted_(wanted), context_(context), writer_(open_udpipe_output(wanted.output, result_)) {}

  void add(Sentence&& sentence) {
    context_.count_sentence(sentence.size());
    words_ += sentence.size();
    batch_.push_back(std::move(sentence));
    if (batch_.size() == kMostTogether || words_ >= kMostWordsTogether) flush();
  }

  std::string finish() {
    flush();
    writer_->close();
    writer_.reset();
    return std::move(result_);
  }

 private:
  void flush() {
    context_.deadline.check();
    if (wanted_.tags || wanted_.parses) annotate();
    for (const Sentence& sentence : batch_) writer_->write(sentence);
    batch_.clear();
    words_ = 0;
  }

  void annotate() {
    ParseOptions options;
    options.tags = wanted_.tags ? TagUse::always : TagUse::when_missing;
    Pipeline& pipeline = context_.workspace.pipeline(*wanted_.model, options);
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

  const ProcessRequest& wanted_;
  RequestContext& context_;
  std::string result_;
  std::unique_ptr<SentenceWriter> writer_;
  std::vector<Sentence> batch_;
  int words_ = 0;
  Parse parse_;
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

std::string process(const ProcessRequest& wanted, RequestContext& context) {
  Processor processor(wanted, context);
  if (!wanted.tokenizer) {
    const std::unique_ptr<SentenceReader> reader = open_udpipe_input(wanted.input, wanted.data);
    for (Sentence sentence; reader->next(sentence);) processor.add(std::move(sentence));
    return processor.finish();
  }
  const bool has_exact_spaces = !has_option(*wanted.tokenizer, "normalized_spaces");
  TextOptions options;
  options.ranges = has_option(*wanted.tokenizer, "ranges");
  if (has_option(*wanted.tokenizer, "presegmented")) options.lines = TextLines::sentences;
  std::int64_t number = 0;
  const ModelComponents& components = wanted.model->model.components();
  Segmenter segmenter(
      *components.segmenter,
      [&](Sentence&& sentence) {
        add_document_comments(++number, sentence);
        if (!has_exact_spaces) remove_exact_spaces(sentence);
        processor.add(std::move(sentence));
      },
      options, "<data>");
  // In pieces, so that the clock is looked at.
  constexpr std::size_t kPiece = std::size_t{16} << 10;
  for (std::string_view text = wanted.data; !text.empty();
       text.remove_prefix(std::min(kPiece, text.size()))) {
    context.deadline.check();
    segmenter.add(text.substr(0, kPiece));
  }
  segmenter.finish();
  return processor.finish();
}

// Who is to be named, and the licences of the model and of what it is made from.
Json acknowledgements(const Model& model) {
  Json lines = Json::array();
  for (const auto& [key, value] : model.components().parser.facts()) {
    if (key == "attribution" || key.starts_with("licence")) lines.push_back(value);
  }
  return lines;
}

void answer_process(const Request& request, RequestContext& context, Reply& reply) {
  const ProcessRequest wanted = read_request(request, context.models);
  Json answer;
  answer["model"] = wanted.model->name;
  answer["acknowledgements"] = acknowledgements(wanted.model->model);
  answer["result"] = process(wanted, context);
  reply.send({}, answer.dump(1) + "\n");
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
