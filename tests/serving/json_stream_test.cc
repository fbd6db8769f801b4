// Streams, and what stops a request.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "serving/json_toys.h"

namespace copse::testing {
namespace {

std::string text_of(int sentences) {
  std::string text;
  for (int k = 0; k < sentences; ++k) text += "The dog sees the tree with Anna. ";
  return text;
}

TEST(JsonStream, SentencesGoOutAsTheyAreParsed) {
  JsonClient client;
  const RecordedReply reply = client.ask(Json{{"text", text_of(200)}, {"stream", true}}.dump());
  EXPECT_TRUE(reply.was_started);
  ASSERT_GT(reply.pieces.size(), 4U);
  EXPECT_EQ(std::count(reply.pieces[0].begin(), reply.pieces[0].end(), '\n'), 4);
  for (const std::string& piece : reply.pieces) {
    EXPECT_TRUE(piece.ends_with('\n'));
    EXPECT_LE(std::count(piece.begin(), piece.end(), '\n'), 64);
  }
  EXPECT_EQ(std::count(reply.body.begin(), reply.body.end(), '\n'), 201);
}

TEST(JsonStream, AHeaderAsksForIt) {
  JsonClient client;
  client.headers.emplace_back("accept", "text/html, Application/X-NDJSON;q=0.9");
  const RecordedReply reply = client.ask(R"({"text":"The dog."})");
  EXPECT_EQ(reply.head.content_type, "application/x-ndjson");
  const Json last = Json::parse(reply.body.substr(reply.body.find('\n') + 1));
  EXPECT_EQ(last, Json({{"done", true}, {"model", "toy"}, {"sentences", 1}, {"words", 3}}));
}

TEST(JsonStream, NothingIsAStreamToo) {
  const std::vector<Json> lines = JsonClient().stream({{"text", ""}});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["done"], true);
  EXPECT_EQ(lines[0]["words"], 0);
}

// Before the first sentence has gone out, the status says what is wrong; later, the last line.
TEST(JsonStream, ErrorsEndIt) {
  JsonClient client;
  const Json conflict = {{{"sentence", 1}, {"word", 1}, {"head", 2}},
                         {{"sentence", 1}, {"word", 2}, {"head", 1}}};
  EXPECT_EQ(client
                .error(Json{
                    {"tokens", Json::array({{"a", "b", "c"}})}, {"constraints", conflict}, {"stream", true}})
                .status(),
            422);
  Json later = conflict;
  for (Json& one : later) one["sentence"] = 30;
  const std::vector<Json> lines = client.stream({{"text", text_of(40)}, {"constraints", later}});
  // The batches before went out; of its own, what came before it.
  ASSERT_EQ(lines.size(), 30U);
  EXPECT_EQ(lines[28]["words"].size(), 8U);
  EXPECT_EQ(lines[29]["error"]["status"], 422);
  EXPECT_NE(lines[29]["error"]["message"].get<std::string>().find("sentence 30: no tree"), std::string::npos);
  const std::vector<Json> beyond =
      client.stream({{"text", text_of(10)}, {"constraints", {{{"sentence", 11}, {"word", 1}, {"head", 2}}}}});
  EXPECT_EQ(beyond.back()["error"]["where"], "constraints[0].sentence");
  EXPECT_NE(beyond.back()["error"]["message"].get<std::string>().find("there are 10 sentences"),
            std::string::npos);
}

TEST(JsonStream, AClientThatGoesStopsTheWork) {
  struct GoingClient : RecordedReply {
    void write(std::string piece) override {
      RecordedReply::write(std::move(piece));
      if (pieces.size() == 2) throw ClientGone();
    }
  } reply;
  Workspace workspace;
  const Deadline never;
  RequestContext context{.models = toy_models(), .deadline = never, .max_words = 100'000};
  const Request request{.method = "POST", .body = Json{{"text", text_of(1000)}, {"stream", true}}.dump()};
  EXPECT_THROW(run_task(JsonClient::route("/v1/parse").parse(request, context, reply), workspace),
               ClientGone);
  EXPECT_LT(context.sentences, 50);
}

TEST(JsonLimits, TooManyWordsAre413) {
  JsonClient client;
  client.max_words = 80;
  EXPECT_EQ(client.parse({{"text", text_of(10)}})["sentences"].size(), 10U);
  EXPECT_EQ(client.error(Json{{"text", text_of(11)}}).status(), 413);
  EXPECT_EQ(client.stream({{"text", text_of(11)}}).back()["error"]["status"], 413);
  EXPECT_EQ(client.error(Json{{"tokens", Json::array({std::vector<std::string>(81, "dog")})}}).status(), 413);
}

TEST(JsonLimits, TreesOfLongSentencesAreNotCountless) {
  JsonClient client;
  client.max_words = 1'000'000;
  const RequestError error =
      client.error(Json{{"tokens", Json::array({std::vector<std::string>(5000, "dog")})}, {"kbest", 1000}});
  EXPECT_EQ(error.status(), 413);
  EXPECT_EQ(error.where(), "kbest");
  EXPECT_NE(std::string(error.what()).find("at most 200"), std::string::npos) << error.what();
  const RequestError longest =
      client.error(Json{{"tokens", Json::array({std::vector<std::string>(10'001, "dog")})}});
  EXPECT_EQ(longest.status(), 413);
  EXPECT_EQ(longest.where(), "tokens[0]");
}

TEST(JsonLimits, TheDeadlineIsKept) {
  JsonClient client;
  client.deadline = Deadline(std::chrono::milliseconds(30));
  const auto begin = std::chrono::steady_clock::now();
  const RequestError error = client.error(Json{{"text", text_of(1250)}, {"min_alternative", 0}});
  EXPECT_EQ(error.status(), 504);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(JsonLimits, OtherKindsOfBodiesAre415) {
  JsonClient client;
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "application/jsonp"}) {
    client.headers = {{"content-type", type}};
    EXPECT_EQ(client.error_of(R"({"text":"a"})").status(), 415) << type;
  }
  for (const char* type : {"Application/JSON", "application/json ; charset=utf-8", ""}) {
    client.headers = {{"Content-Type", type}};
    EXPECT_EQ(client.ask(R"({"text":"a"})").head.status, 200) << type;
  }
}

TEST(JsonLimits, CompressedBodiesAre415) {
  JsonClient client;
  for (const char* start : {"\x1f\x8b\x08", "\x28\xb5\x2f\xfd"}) {
    const RequestError error = client.error_of(std::string(start) + "and so on");
    EXPECT_EQ(error.status(), 415);
    EXPECT_STREQ(error.what(), "the body is compressed; send it as it is");
  }
}

TEST(JsonLimits, WordsThatAreNoneAreRefused) {
  JsonClient client;
  const RequestError tab = client.error_of(R"({"tokens":[["a"],["b","c\td"]]})");
  EXPECT_EQ(tab.status(), 400);
  EXPECT_EQ(tab.where(), "tokens[1][1]");
  const RequestError label =
      client.error_of(R"({"tokens":[["a","b"]],"constraints":[{"sentence":1,"word":1,"deprel":"a\nb"}]})");
  EXPECT_EQ(label.where(), "constraints[0].deprel");
  const RequestError word =
      client.error_of(R"({"tokens":[["a","b"]],"constraints":[{"sentence":1,"word":3,"head":1}]})");
  EXPECT_EQ(word.where(), "constraints[0].word");
  EXPECT_NE(std::string(word.what()).find("sentence 1 has 2 words"), std::string::npos);
  EXPECT_EQ(
      client.error_of(R"({"tokens":[["a","b"]],"constraints":[{"sentence":1,"word":1,"head":3}]})").where(),
      "constraints[0].head");
  const RequestError row = client.error_of(R"({"conllu":"1\ta\n"})");
  EXPECT_EQ(row.where(), "conllu");
  EXPECT_EQ(std::string(row.what()).find("conllu:1: "), 0U) << row.what();
}

}  // namespace
}  // namespace copse::testing
