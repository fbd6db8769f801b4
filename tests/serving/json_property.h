// /v1/parse on arbitrary bytes: a request is refused in one clear line, or answered as web/openapi.json says.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "labelling/text_reader_property.h"
#include "model/rounded_weights.h"
#include "pipeline/model_components.h"
#include "serving/assets.h"
#include "serving/deadline.h"
#include "serving/error_json.h"
#include "serving/json_routes.h"
#include "serving/json_schema.h"
#include "serving/run_task.h"
#include "serving/workspace.h"
#include "text/utf8.h"

namespace copse::testing {

// Made of few numbers, without training: segmenter, parser and labeller.
inline const ModelSet& tiny_models() {
  static const ModelSet models = [] {
    const std::vector<std::uint64_t> hashes = {1ULL << 40, 5ULL << 50, 1ULL << 63};
    const std::vector<float> weights = {0.5F, -1.25F, 3.0F};
    ModelComponents components{
        ParserModel(RootMode::single, LinearModel(FeatureExtractor(FeatureOptions(), Factorization::sibling),
                                                  round_weights(hashes, weights, {})))};
    components.segmenter = seed_segmenter();
    components.labeller =
        LabellerModel::from_file(SectionFile::from_bytes(component_file(2, component_seed(2)), "file"));
    return ModelSet(
        {{"tiny", "tiny.copse", Model(std::make_shared<const ModelComponents>(std::move(components)))}});
  }();
  return models;
}

inline const nlohmann::json& described_schemas() {
  static const nlohmann::json document = nlohmann::json::parse(find_asset("/openapi.json")->bytes);
  return document;
}

inline std::optional<std::string> error_violation(const RequestError& error) {
  constexpr std::array kStatuses = {400, 413, 422};
  const std::string message = error.what();
  if (std::find(kStatuses.begin(), kStatuses.end(), error.status()) == kStatuses.end()) {
    return "status " + std::to_string(error.status()) + ": " + message;
  }
  if (message.empty() || message.size() > 1000)
    return "a message of " + std::to_string(message.size()) + " bytes";
  if (!is_valid_utf8(message) || message.find_first_of(std::string("\n\r\0", 3)) != std::string::npos) {
    return "a message that is not one line: " + message;
  }
  return JsonSchema(described_schemas(), "Error").violation(nlohmann::json::parse(error_json(error)));
}

inline std::optional<std::string> stream_violation(const std::string& body) {
  if (!body.ends_with('\n')) return "the last line does not end";
  std::istringstream in(body);
  nlohmann::json last;
  for (std::string line; std::getline(in, line);) {
    if (last.contains("done") || last.contains("error")) return "a line behind the last one";
    last = nlohmann::json::parse(line);
    if (auto violation = JsonSchema(described_schemas(), "StreamLine").violation(last)) return violation;
  }
  return last.contains("done") || last.contains("error") ? std::nullopt
                                                         : std::optional<std::string>("no last line");
}

inline std::optional<std::string> json_request_violation(const std::string& body) {
  static const std::vector<Route> routes = json_routes(tiny_models());
  Workspace workspace;
  const Deadline never;
  RequestContext context{.models = tiny_models(), .deadline = never, .max_words = 40};
  RecordedReply reply;
  try {
    run_task(routes.front().parse({.method = "POST", .body = body}, context, reply), workspace);
  } catch (const RequestError& error) {
    if (!reply.was_started) return error_violation(error);
    if (reply.body.find("{\"error\":") == std::string::npos)
      return "a stream that does not say what went wrong";
  }
  if (reply.was_started) return stream_violation(reply.body);
  return JsonSchema(described_schemas(), "ParseAnswer").violation(nlohmann::json::parse(reply.body));
}

// Requests that use every member, to begin with.
inline std::vector<std::string> json_seeds() {
  return {
      R"({"text":"Dr. No didn't see it. \u6728\ud83c\udf33 Yes!\r\n\r\nNew (one)\n","kbest":3,"return_conllu":true})",
      R"({"text":"One line\nand another","lines":true,"stream":true,"labels":false,"min_alternative":0.5})",
      R"({"tokens":[["the","old","dog"],["sees"]],"constraints":[{"sentence":1,"word":2,"head":3,"deprel":"amod"},
          {"sentence":2,"word":1,"head":0}],"conflict":"drop","min_confidence":0.9,"doubtful":"mark"})",
      R"({"tokens":[["a","b","c"]],"constraints":[{"sentence":1,"word":1,"head":2},{"sentence":1,"word":2,"head":1}]})",
      R"({"conllu":"# sent_id = x\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tTokenRange=4:6\n1\tthe\tder\tDET\tDT\tA=b\t2\tdet\t_\tP=0.5\n2\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t2:a\t_\n\n","constraints":true,"model":"tiny","tag":"never"})",
      R"({"conllu":"1\ta\t_\t_\t_\t_\t2\tdet\t2:det\t_\n2\tb\t_\t_\t_\t_\t0\troot\t0:root\tP=1\n\n","constraints":[{"sentence":1,"word":1,"deprel":"det"}],"probabilities":false,"decode":"mbr","prune":0,"stream":true})",
  };
}

}  // namespace copse::testing
