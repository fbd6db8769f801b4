// web/openapi.json says the truth: real answers of all shapes are as its schemas say.
#include "serving/json_schema.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "serving/assets.h"
#include "serving/error_json.h"
#include "serving/json_toys.h"
#include "serving/media_type.h"
#include "serving/service.h"
#include "serving/udpipe.h"
#include "serving/whole_answer.h"

namespace copse::testing {
namespace {

const Json& description() {
  static const Json document = [] {
    const EmbeddedFile* file = find_asset("/openapi.json");
    return file == nullptr ? Json() : Json::parse(file->bytes);
  }();
  return document;
}

void expect_valid(const Json& value, const std::string& schema) {
  const auto violation = JsonSchema(description(), schema).violation(value);
  EXPECT_FALSE(violation) << schema << ": " << *violation;
}
bool is_valid(const Json& value, const std::string& schema) {
  return !JsonSchema(description(), schema).violation(value);
}

constexpr const char* kExample =
    "The dog sees the tree with Anna. Dr. Ben wouldn't like a river!\r\n\r\nYes 🌳.";
constexpr const char* kExampleConllu =
    "# sent_id = x\n# text = du "
    "dog\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tthe\t_\t_\t_\tA=b\t2\tdet\t_\tGloss=x\n"
    "2\tdog\t_\t_\t_\t_\t_\troot\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t2:a\t_\n3\tsees\t_\t_\t_\t_\t1\t_\t_\t_"
    "\n\n";

std::vector<Json> requests() {
  const Json tokens = {{"the", "dog", "sees", "a", "tree"}, {"dog"}};
  return {
      {{"text", ""}},
      {{"text", kExample}},
      {{"text", kExample}, {"lines", true}, {"probabilities", false}, {"model", "toy"}},
      {{"text", kExample}, {"kbest", 3}, {"return_conllu", true}, {"labels", false}},
      {{"text", kExample}, {"kbest", 20}, {"min_confidence", 0.9}, {"min_alternative", 0}},
      {{"tokens", tokens}, {"min_confidence", 0.999}, {"doubtful", "mark"}, {"decode", "mbr"}},
      {{"tokens", tokens}, {"kbest", 2}, {"probabilities", false}, {"prune", 0.5}, {"tag", "always"}},
      {{"tokens", tokens}, {"model", "bare"}, {"kbest", 2}},
      {{"tokens", tokens},
       {"constraints",
        {{{"sentence", 1}, {"word", 1}, {"head", 3}}, {{"sentence", 1}, {"word", 3}, {"deprel", "x"}}}}},
      {{"tokens", tokens},
       {"constraints",
        {{{"sentence", 1}, {"word", 1}, {"head", 2}}, {{"sentence", 1}, {"word", 2}, {"head", 1}}}},
       {"conflict", "drop"}},
      {{"conllu", kExampleConllu}, {"tag", "never"}},
      {{"conllu", kExampleConllu}, {"constraints", true}, {"return_conllu", true}, {"conflict", "drop"}},
      {{"tokens", Json::array({std::vector<std::string>(700, "dog")})},
       {"model", "bare"},
       {"min_alternative", 0.5}},  // in pieces
  };
}

TEST(OpenApi, AnswersAreAsDescribed) {
  JsonClient client;
  std::set<std::string> seen;  // members of words and sentences
  for (const Json& request : requests()) {
    SCOPED_TRACE(request.dump().substr(0, 200));
    expect_valid(request, "ParseRequest");
    const Json answer = client.parse(request);
    expect_valid(answer, "ParseAnswer");
    for (const auto& [name, value] : answer.items()) seen.insert(name);
    for (const Json& sentence : answer["sentences"]) {
      for (const auto& [name, value] : sentence.items()) seen.insert("sentence." + name);
      for (const Json& word : sentence["words"]) {
        for (const auto& [name, value] : word.items()) seen.insert("word." + name);
      }
    }
    const std::vector<Json> lines = client.stream(request);
    for (std::size_t k = 0; k + 1 < lines.size(); ++k) {
      EXPECT_EQ(lines[k], answer["sentences"][k]);
      expect_valid(lines[k], "StreamLine");
    }
    ASSERT_FALSE(lines.empty());
    expect_valid(lines.back(), "StreamEnd");
    EXPECT_EQ(lines.back()["sentences"], answer["sentences"].size());
    EXPECT_EQ(lines.size(), answer["sentences"].size() + 1);
    EXPECT_EQ(lines.back().contains("warnings"), answer.contains("warnings"));
  }
  // The requests above bring about all that is described.
  const Json& schemas = description()["components"]["schemas"];
  for (const auto& [name, schema] : schemas["ParseAnswer"]["properties"].items())
    EXPECT_TRUE(seen.contains(name)) << name;
  for (const auto& [name, schema] : schemas["Sentence"]["properties"].items()) {
    EXPECT_TRUE(seen.contains("sentence." + name)) << name;
  }
  for (const auto& [name, schema] : schemas["Word"]["properties"].items()) {
    EXPECT_TRUE(seen.contains("word." + name)) << name;
  }
}

TEST(OpenApi, ErrorsAreAsDescribed) {
  JsonClient client;
  const std::vector<std::pair<Json, int>> errors = {
      {{{"text", "a"}, {"colour", 1}}, 400},
      {{{"text", "a"}, {"model", "none"}}, 400},
      {{{"conllu", "1\ta\n"}}, 400},
      {{{"conllu", kExampleConllu}, {"constraints", {{{"sentence", 2}, {"word", 1}, {"head", 0}}}}}, 400},
      {{{"tokens", Json::array({{"a", "b", "c"}})},
        {"constraints",
         {{{"sentence", 1}, {"word", 1}, {"head", 2}}, {{"sentence", 1}, {"word", 2}, {"head", 1}}}}},
       422},
  };
  for (const auto& [request, status] : errors) {
    const RequestError error = client.error(request);
    EXPECT_EQ(error.status(), status) << error.what();
    const Json body = Json::parse(error_json(error));
    expect_valid(body, "Error");
    EXPECT_EQ(body["error"]["message"], error.what());
    EXPECT_EQ(body["error"]["where"], error.where());
    EXPECT_TRUE(description()["paths"]["/v1/parse"]["post"]["responses"].contains(std::to_string(status)));
  }
}

// What the schema of requests refuses is refused, and the other way round.
TEST(OpenApi, RequestsAreAsDescribed) {
  JsonClient client;
  const std::vector<Json> wrong = {
      Json::object(),
      {{"text", "a"}, {"tokens", Json::array()}},
      {{"text", 1}},
      {{"text", "a"}, {"texts", "a"}},
      {{"tokens", {"a"}}},
      {{"tokens", {Json::array()}}},
      {{"tokens", {{""}}}},
      {{"text", "a"}, {"kbest", 1001}},
      {{"text", "a"}, {"kbest", 0.5}},
      {{"text", "a"}, {"kbest", nullptr}},
      {{"text", "a"}, {"tag", "maybe"}},
      {{"text", "a"}, {"min_confidence", -0.5}},
      {{"text", "a"}, {"prune", 1.5}},
      {{"text", "a"}, {"stream", "yes"}},
      {{"text", "a"}, {"constraints", "true"}},
      {{"text", "a"}, {"constraints", {{{"sentence", 1}, {"word", 1}}}}},
      {{"text", "a"}, {"constraints", {{{"sentence", 0}, {"word", 1}, {"head", 2}}}}},
      {{"text", "a"}, {"constraints", {{{"sentence", 1}, {"word", 1}, {"head", -1}}}}},
      {{"text", "a"}, {"constraints", {{{"sentence", 1}, {"word", 1}, {"deprel", ""}}}}},
  };
  for (const Json& request : wrong) {
    EXPECT_FALSE(is_valid(request, "ParseRequest")) << request;
    EXPECT_EQ(client.error(request).status(), 400) << request;
  }
  const Json& operation = description()["paths"]["/v1/parse"]["post"];
  for (const auto& [name, example] :
       operation["requestBody"]["content"]["application/json"]["examples"].items()) {
    expect_valid(example["value"], "ParseRequest");
    EXPECT_EQ(client.parse(example["value"])["sentences"].size(), 1U) << name;
  }
}

// Requests that docs/serving-json.md shows are answered.
TEST(OpenApi, ExamplesOfTheDocumentationWork) {
  const char* models = std::getenv("COPSE_MODELS");
  if (models == nullptr) GTEST_SKIP() << "COPSE_MODELS does not say where the sources are";
  std::ifstream file(std::filesystem::path(models).parent_path() / "docs" / "serving-json.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::regex pattern(R"(/v1/parse -H 'Content-Type: application/json'[ \\\n]*-d '([^']*)')");
  JsonClient client;
  int examples = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    const Json request = Json::parse((*match)[1].str());
    expect_valid(request, "ParseRequest");
    expect_valid(client.parse(request), "ParseAnswer");
    ++examples;
  }
  EXPECT_EQ(examples, 3);
}

TEST(OpenApi, ModelsAreAsDescribed) {
  RecordedReply reply;
  JsonClient::route("/v1/models").quick({.path = "/v1/models"}, reply);
  const Json answer = Json::parse(reply.body);
  expect_valid(answer, "Models");
  EXPECT_EQ(answer["default"], "toy");
  EXPECT_EQ(answer["models"].size(), 2U);
  EXPECT_EQ(answer["models"][0]["segmenter"], true);
  EXPECT_EQ(answer["models"][0]["labels"], toy_pipeline_model().labels());
  EXPECT_EQ(answer["models"][1]["segmenter"], false);
  EXPECT_EQ(answer["models"][1]["labels"], Json::array());
}

std::vector<Route> all_routes() {
  std::vector<Route> routes = json_routes(toy_models());
  for (Route& route : udpipe_routes(toy_models())) routes.push_back(std::move(route));
  return routes;
}

TEST(OpenApi, EveryRouteIsDescribed) {
  std::set<std::string> paths = {"/healthz", "/metrics", "/openapi.json"};  // of every server
  for (const Route& route : all_routes()) {
    paths.insert(route.path);
    for (const std::string& method : route.methods) {
      EXPECT_TRUE(description()["paths"][route.path].contains(lower_ascii(method))) << route.path;
    }
  }
  for (const auto& [path, item] : description()["paths"].items()) EXPECT_TRUE(paths.contains(path)) << path;
}

// As a server would send them.
TEST(OpenApi, AnswersOfTheServerAreAsDescribed) {
  Service service(toy_models(), all_routes(), {});
  const auto ask = [&](const Request& request) {
    const Answer answer = whole_answer(service, request);
    const Json& item = description()["paths"].value(request.path, Json());
    const Json& responses = item.value(lower_ascii(request.method), Json()).value("responses", Json());
    const std::string status = std::to_string(answer.head.status);
    if (!responses.contains(status)) ADD_FAILURE() << request.path << " does not describe status " << status;
    return answer;
  };
  const auto json_of = [&](const Request& request) { return Json::parse(ask(request).body); };
  expect_valid(json_of({.path = "/models"}), "UdpipeModels");
  expect_valid(json_of({.method = "POST", .path = "/models"}), "UdpipeModels");
  const Answer processed =
      ask({.path = "/process", .query = "data=The%20dog%20sees%20Anna.&tokenizer&tagger&parser"});
  EXPECT_EQ(processed.head.status, 200);
  expect_valid(Json::parse(processed.body), "UdpipeAnswer");
  EXPECT_EQ(ask({.path = "/process"}).head.status, 400);
  EXPECT_EQ(ask({.path = "/healthz"}).head.status, 200);
  EXPECT_EQ(ask({.path = "/metrics"}).head.status, 200);
  EXPECT_EQ(ask({.path = "/openapi.json"}).body, std::string(find_asset("/openapi.json")->bytes));
  expect_valid(json_of({.path = "/v1/models"}), "Models");
  expect_valid(json_of({.method = "POST", .path = "/v1/parse", .body = R"({"text":"The dog."})"}),
               "ParseAnswer");
  const Answer refused = ask({.method = "POST", .path = "/v1/parse", .body = R"({"text":1})"});
  EXPECT_EQ(refused.head.status, 400);
  expect_valid(Json::parse(refused.body), "Error");
  EXPECT_EQ(Json::parse(refused.body)["error"]["where"], "text");
  EXPECT_EQ(ask({.method = "POST",
                 .path = "/v1/parse",
                 .headers = {{"Content-Type", "text/plain"}},
                 .body = R"({"text":"a"})"})
                .head.status,
            415);
  service.stop();
  const Answer late = ask({.method = "POST", .path = "/v1/parse", .body = R"({"text":"The dog."})"});
  EXPECT_EQ(late.head.status, 503);
  expect_valid(Json::parse(late.body), "Error");
}

// The checker notices: each of these values lacks something or has something of the wrong kind.
TEST(JsonSchema, FindsWhatIsWrong) {
  const Json document = Json::parse(R"({"components":{"schemas":{"A":{"type":"object","required":["a"],
    "additionalProperties":false,"properties":{"a":{"type":["integer","null"],"minimum":1,"maximum":5},
    "b":{"type":"array","minItems":1,"items":{"$ref":"#/components/schemas/B"}},"c":{"const":true},
    "d":{"oneOf":[{"type":"number"},{"type":"integer"}]},"e":{"anyOf":[{"type":"string"},{"type":"null"}]}}},
    "B":{"enum":["x","y"]},"C":{"minLength":2,"description":"d"},"D":{"additionalProperties":{"type":"string"}},
    "E":{"pattern":"a"}}}})");
  const auto check = [&](const char* schema, const char* value) {
    return !JsonSchema(document, schema).violation(Json::parse(value));
  };
  for (const char* right : {R"({"a":1})", R"({"a":null})", R"({"a":5.0,"b":["x","y"],"c":true})",
                            R"({"a":1,"d":1.5})", R"({"a":1,"e":null})"}) {
    EXPECT_TRUE(check("A", right)) << right;
  }
  for (const char* wrong : {"[]", "{}", R"({"a":0})", R"({"a":6})", R"({"a":1.5})", R"({"a":"1"})",
                            R"({"a":1,"z":1})", R"({"a":1,"b":[]})", R"({"a":1,"b":["x","z"]})",
                            R"({"a":1,"c":false})", R"({"a":1,"d":2})", R"({"a":1,"e":2})"}) {
    EXPECT_FALSE(check("A", wrong)) << wrong;
  }
  EXPECT_TRUE(check("C", R"("木木")"));
  EXPECT_FALSE(check("C", R"("木")"));
  EXPECT_TRUE(check("D", R"({"p":"q"})"));
  EXPECT_FALSE(check("D", R"({"p":1})"));
  EXPECT_THROW(check("E", R"("a")"), std::logic_error);
}

}  // namespace
}  // namespace copse::testing
