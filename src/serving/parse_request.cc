#include "serving/parse_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "serving/json_object.h"

namespace copse {
namespace {

constexpr int kMaxKbest = 1000;
constexpr double kDefaultAlternative = 0.01;
constexpr int kMaxNumber = std::numeric_limits<int>::max();

constexpr std::array<std::string_view, 19> kMembers = {
    "text",         "tokens", "conllu",         "model",           "lines",
    "tag",          "labels", "probabilities",  "min_alternative", "kbest",
    "kbest_labels", "decode", "min_confidence", "doubtful",        "constraints",
    "conflict",     "prune",  "return_conllu",  "stream"};
constexpr std::array<std::string_view, 3> kInputs = {"text", "tokens", "conllu"};
constexpr std::array<std::string_view, 3> kTagUses = {"missing", "always", "never"};
constexpr std::array<std::string_view, 2> kDecoders = {"best", "mbr"};
constexpr std::array<std::string_view, 2> kDoubtful = {"open", "mark"};
constexpr std::array<std::string_view, 2> kConflicts = {"error", "drop"};
constexpr std::array<std::string_view, 4> kConstraintMembers = {"sentence", "word", "head", "deprel"};

void read_tokens(const nlohmann::json& value, ParseRequest& request) {
  expect_array(value, "tokens");
  for (std::size_t k = 0; k < value.size(); ++k) {
    const std::string path = element_path("tokens", k);
    const nlohmann::json& words = expect_array(value[k], path);
    if (words.empty()) throw member_error(path, "a sentence needs at least one word");
    std::vector<std::string>& sentence = request.tokens.emplace_back();
    for (std::size_t word = 0; word < words.size(); ++word) {
      sentence.push_back(expect_string(words[word], element_path(path, word)));
      if (sentence.back().empty()) throw member_error(element_path(path, word), "a word must not be empty");
    }
  }
}

void read_input(const JsonObject& object, ParseRequest& request) {
  const auto count =
      std::count_if(kInputs.begin(), kInputs.end(), [&](std::string_view name) { return object.has(name); });
  if (count != 1) {
    throw member_error("",
                       fmt::format("give exactly one of \"text\", \"tokens\" and \"conllu\"; there {} {}",
                                   count == 0 ? "is" : "are", count == 0 ? "none" : std::to_string(count)));
  }
  if (const nlohmann::json* tokens = object.find("tokens")) {
    request.input = ParseRequest::Input::tokens;
    return read_tokens(*tokens, request);
  }
  const std::string* conllu = object.string("conllu");
  request.input = conllu != nullptr ? ParseRequest::Input::conllu : ParseRequest::Input::text;
  request.text = conllu != nullptr ? *conllu : *object.string("text");
}

WordConstraint read_constraint(const nlohmann::json& value, std::string path) {
  const JsonObject object(value, path, kConstraintMembers);
  WordConstraint constraint;
  for (const std::string_view name : {"sentence", "word"}) {
    if (!object.has(name)) throw member_error(path, fmt::format("lacks the member \"{}\"", name));
  }
  constraint.sentence = *object.integer("sentence", 1, kMaxNumber);
  constraint.word = *object.integer("word", 1, kMaxNumber);
  constraint.head = object.integer("head", 0, kMaxNumber);
  if (const std::string* label = object.string("deprel")) {
    if (label->empty() || *label == "_") throw member_error(object.path("deprel"), "must not be empty");
    constraint.deprel = *label;
  }
  if (!constraint.head && constraint.deprel.empty()) {
    throw member_error(path, "gives neither a \"head\" nor a \"deprel\"");
  }
  if (constraint.head == constraint.word)
    throw member_error(object.path("head"), "a word is not its own head");
  constraint.where = std::move(path);
  return constraint;
}

void read_constraints(const nlohmann::json& value, ParseRequest& request) {
  if (value.is_boolean()) {
    request.keeps_columns = value.get<bool>();
    if (request.keeps_columns && request.input != ParseRequest::Input::conllu) {
      throw member_error("constraints",
                         "true keeps heads and labels of \"conllu\", which is not given; list them");
    }
  } else {
    if (!value.is_array()) throw member_error("constraints", "must be true, or an array of heads and labels");
    for (std::size_t k = 0; k < value.size(); ++k) {
      request.constraints.push_back(read_constraint(value[k], element_path("constraints", k)));
    }
    const auto place = [](const WordConstraint& one) { return std::pair(one.sentence, one.word); };
    std::stable_sort(request.constraints.begin(), request.constraints.end(),
                     [&](const WordConstraint& a, const WordConstraint& b) { return place(a) < place(b); });
    const auto twice = std::adjacent_find(
        request.constraints.begin(), request.constraints.end(),
        [&](const WordConstraint& a, const WordConstraint& b) { return place(a) == place(b); });
    if (twice != request.constraints.end()) {
      throw member_error((twice + 1)->where, fmt::format("word {} of sentence {} is in {} already",
                                                         twice->word, twice->sentence, twice->where));
    }
  }
  request.options.keep_known = request.keeps_columns || !request.constraints.empty();
}

void read_options(const JsonObject& object, ParseOptions& options) {
  constexpr std::array kUses = {TagUse::when_missing, TagUse::always, TagUse::never};
  options.tags = kUses[object.choice("tag", kTagUses)];
  options.labels = object.flag("labels", true);
  options.probabilities = object.flag("probabilities", true);
  options.min_alternative =
      object.number("min_alternative", 0.0, 1.0).value_or(options.probabilities ? kDefaultAlternative : 0.0);
  options.kbest = object.integer("kbest", 0, kMaxKbest).value_or(0);
  options.kbest_labels = object.flag("kbest_labels", false);
  options.decoder = object.choice("decode", kDecoders) == 1 ? Decoder::mbr : Decoder::best;
  options.min_confidence = object.number("min_confidence", 0.0, 1.0);
  options.low_confidence =
      object.choice("doubtful", kDoubtful) == 1 ? LowConfidence::mark : LowConfidence::open;
  options.drop_conflicts = object.choice("conflict", kConflicts) == 1;
  options.prune_threshold = object.number("prune", 0.0, 1.0);
  if (options.kbest > 0 && options.decoder == Decoder::mbr) {
    throw member_error("kbest", "the k best trees are the most probable ones; leave out \"decode\"");
  }
  if (options.kbest_labels && options.kbest == 0) {
    throw member_error("kbest_labels", "says what the trees of \"kbest\" are; say how many, too");
  }
  if (options.kbest_labels && !options.labels) {
    throw member_error("kbest_labels", "is about labels; leave out \"labels\"");
  }
}

}  // namespace

ParseRequest read_parse_request(std::string_view body) {
  const nlohmann::json document = read_json(body);
  const JsonObject object(document, "", kMembers);
  ParseRequest request;
  read_input(object, request);
  read_options(object, request.options);
  if (const std::string* model = object.string("model")) request.model = *model;
  request.has_lines = object.flag("lines", false);
  if (request.has_lines && request.input != ParseRequest::Input::text) {
    throw member_error("lines", "is about the lines of \"text\", which is not given; leave it out");
  }
  request.returns_conllu = object.flag("return_conllu", false);
  request.is_stream = object.flag("stream", false);
  if (const nlohmann::json* constraints = object.find("constraints")) read_constraints(*constraints, request);
  return request;
}

}  // namespace copse
