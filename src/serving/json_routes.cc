#include "serving/json_routes.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "pipeline/model_components.h"
#include "serving/parse_handler.h"
#include "text/json_writer.h"

namespace copse {
namespace {

// Of the model and of what it was made from, as its file says.
std::string licence(const Model& model) {
  constexpr std::string_view kKey = "licence";
  constexpr std::string_view kOf = " of ";
  std::string result;
  for (const auto& [key, value] : model.components().parser.facts()) {
    if (!key.starts_with(kKey)) continue;
    const std::string_view rest = std::string_view(key).substr(kKey.size());
    if (!result.empty()) result += "; ";
    result += rest.starts_with(kOf) ? fmt::format("{}: {}", rest.substr(kOf.size()), value) : value;
  }
  return result;
}

void write_model(const NamedModel& named, JsonWriter& json) {
  const Model& model = named.model;
  json.begin_object();
  json.member("name", named.name);
  json.member("segmenter", model.has_segmenter());
  json.member("tagger", model.has_tagger());
  json.key("labels");
  json.begin_array();
  for (const std::string& label : model.labels()) json.string(label);
  json.end_array();
  if (const std::string text = licence(model); !text.empty()) json.member("licence", text);
  for (const auto& [key, value] : model.components().parser.facts()) {
    if (key == "language" || key == "attribution" || key == "description") json.member(key, value);
  }
  json.end_object();
}

std::string models_json(const ModelSet& models) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("default", models.default_model().name);
  json.key("models");
  json.begin_array();
  for (const NamedModel& model : models.models()) write_model(model, json);
  json.end_array();
  json.end_object();
  return text;
}

}  // namespace

std::vector<Route> json_routes(const ModelSet& models) {
  constexpr auto kJson = ErrorStyle::json;
  const auto send_models = [&models](const Request&, Reply& reply) { reply.send({}, models_json(models)); };
  return {{.path = "/v1/parse", .methods = {"POST"}, .parse = answer_parse, .errors = kJson},
          {.path = "/v1/models", .methods = {"GET"}, .quick = send_models, .errors = kJson}};
}

}  // namespace copse
