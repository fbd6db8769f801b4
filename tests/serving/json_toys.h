// Models of little languages behind the handlers of /v1, without sockets.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "labelling/labeller_trainer.h"
#include "parsing/toy_model.h"
#include "pipeline/model_components.h"
#include "segmentation/segmented_toys.h"
#include "serving/deadline.h"
#include "serving/json_routes.h"
#include "serving/run_task.h"
#include "serving/workspace.h"
#include "tagging/tagger_trainer.h"

namespace copse::testing {

using Json = nlohmann::json;

inline ModelComponents toy_components_of_all() {
  const std::vector<Sentence> sentences = read_text(toy_treebank(80, 1));
  TaskPool pool(1);
  TaggerObserver nobody;
  ModelComponents all{toy_model(Factorization::grandsibling, RootMode::single, 1e-3)};
  all.tagger = train_tagger(sentences, {}, {}, pool, nobody);
  all.labeller = train_labeller(sentences, {}, {}, pool, nobody);
  all.segmenter = toy_segmenter();
  return all;
}

inline Model shared_model(ModelComponents components) {
  return Model(std::make_shared<const ModelComponents>(std::move(components)));
}

// "toy" can do everything; "bare" has a parser without labels, and nothing else.
inline const ModelSet& toy_models() {
  static const ModelSet models(
      {{"toy", "toy.copse", shared_model(toy_components_of_all())},
       {"bare", "bare.copse",
        shared_model(ModelComponents{toy_model(Factorization::first, RootMode::single, 0.0)})}});
  return models;
}

inline const Model& toy_pipeline_model() { return toy_models().default_model().model; }

// Asks the handlers, as the server would.
class JsonClient {
 public:
  std::int64_t max_words = 10'000;
  Deadline deadline;
  std::vector<std::pair<std::string, std::string>> headers = {{"Content-Type", "application/json"}};

  // Throws what the handler throws, unless the reply is a stream that says so itself.
  RecordedReply ask(const std::string& body) {
    RecordedReply reply;
    RequestContext context{.models = toy_models(), .deadline = deadline, .max_words = max_words};
    const Request request{.method = "POST", .path = "/v1/parse", .headers = headers, .body = body};
    try {
      run_task(route("/v1/parse").parse(request, context, reply), workspace_);
    } catch (const RequestError&) {
      if (!reply.was_started) throw;
    }
    return reply;
  }

  Json parse(const Json& body) {
    const RecordedReply reply = ask(body.dump());
    EXPECT_EQ(reply.head.status, 200);
    EXPECT_EQ(reply.head.content_type, "application/json");
    return Json::parse(reply.body);
  }

  // The lines of a stream.
  std::vector<Json> stream(Json body) {
    body["stream"] = true;
    const RecordedReply reply = ask(body.dump());
    EXPECT_EQ(reply.head.content_type, "application/x-ndjson");
    std::vector<Json> lines;
    std::istringstream in(reply.body);
    for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
    return lines;
  }

  // What goes wrong with a request, which must.
  RequestError error_of(const std::string& body) {
    try {
      ask(body);
    } catch (const RequestError& error) {
      return error;
    }
    ADD_FAILURE() << "was answered: " << body;
    return {0, ""};
  }
  RequestError error(const Json& body) { return error_of(body.dump()); }

  static const Route& route(const std::string& path) {
    static const std::vector<Route> routes = json_routes(toy_models());
    for (const Route& route : routes) {
      if (route.path == path) return route;
    }
    throw std::logic_error("there is no route " + path);
  }

 private:
  Workspace workspace_;
};

}  // namespace copse::testing
