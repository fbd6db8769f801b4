#include "serving/service.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "copse/error.h"
#include "serving/access_log.h"
#include "serving/request_error.h"
#include "serving/run_task.h"
#include "serving/whole_answer.h"

namespace copse::testing {
namespace {

// Routes that need no model.
class ServiceTest : public ::testing::Test {
 protected:
  Answer ask(const Request& request) { return whole_answer(service(), request); }
  Answer get(const std::string& path) { return ask(Request{.path = path}); }

  Service& service() {
    if (!service_) {
      std::vector<Route> routes;
      routes.push_back({.path = "/echo",
                        .methods = {"POST"},
                        .parse = at_once([](const Request& request, RequestContext& context, Reply& reply) {
                          context.count_sentence(static_cast<int>(request.body.size()));
                          reply.send({.content_type = "text/plain"}, request.body);
                        })});
      routes.push_back({.path = "/pieces",
                        .methods = {"GET"},
                        .parse = at_once([](const Request&, RequestContext&, Reply& reply) {
                          reply.start({.content_type = "text/plain"});
                          for (const char* piece : {"a", "b", "c"}) reply.write(piece);
                        })});
      routes.push_back({.path = "/v1/fail",
                        .methods = {"GET"},
                        .parse = at_once([](const Request& request, RequestContext&, Reply&) {
                          if (request.query == "data") throw DataError("<data>:1: wrong");
                          if (request.query == "infeasible") throw InfeasibleError("no tree");
                          if (request.query == "bytes") throw RequestError(400, "a\xFF");
                          if (request.query == "logic") throw std::logic_error("oops");
                          if (request.query == "request") throw RequestError(418, "a teapot", "pot");
                        }),
                        .errors = ErrorStyle::json});
      service_ = std::make_unique<Service>(models_, std::move(routes), options_);
    }
    return *service_;
  }

  static std::string header(const Answer& answer, const std::string& name) {
    for (const auto* headers : {&answer.head.headers, &answer.headers}) {
      for (const auto& [key, value] : *headers) {
        if (key == name) return value;
      }
    }
    return "";
  }

  ServiceOptions options_ = {.threads = 1, .max_words = 10};

 private:
  ModelSet models_ = ModelSet({});
  std::unique_ptr<Service> service_;
};

TEST_F(ServiceTest, AnswersInOnePiece) {
  const Answer answer = ask({.method = "POST", .path = "/echo", .body = "hello"});
  EXPECT_EQ(answer.head.status, 200);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.route, "/echo");
  EXPECT_EQ(answer.outcome->words, 5);
  EXPECT_EQ(answer.outcome->sentences, 1);
  EXPECT_EQ(header(answer, "X-Content-Type-Options"), "nosniff");
}

TEST_F(ServiceTest, AnswersInPieces) {
  const Answer answer = get("/pieces");
  ASSERT_NE(answer.reply, nullptr);
  EXPECT_TRUE(answer.reply->is_streaming());
  EXPECT_EQ(answer.body, "abc");
}

TEST_F(ServiceTest, ErrorsOfHandlers) {
  const auto check = [this](const std::string& query, int status, const std::string& body) {
    const Answer answer = ask({.path = "/v1/fail", .query = query});
    EXPECT_EQ(answer.head.status, status);
    EXPECT_EQ(answer.body, body);
    EXPECT_EQ(answer.head.content_type, "application/json");
  };
  check("data", 400, "{\"error\":{\"message\":\"<data>:1: wrong\"}}\n");
  check("infeasible", 422, "{\"error\":{\"message\":\"no tree\"}}\n");
  check("request", 418, "{\"error\":{\"message\":\"a teapot\",\"where\":\"pot\"}}\n");
  check("bytes", 400, "{\"error\":{\"message\":\"'a\\\\xFF'\"}}\n");
  check("logic", 500, "{\"error\":{\"message\":\"internal error: oops; please report it\"}}\n");
  check("", 500, "{\"error\":{\"message\":\"internal error: no answer; please report it\"}}\n");
  EXPECT_EQ(ask({.method = "POST", .path = "/echo", .body = "more than ten"}).head.status, 413);
}

// As the errors of their routes are: JSON of /v1, lines of text of all others.
TEST_F(ServiceTest, WhatCannotBeReadIsRefusedInTheStyleOfItsPath) {
  const Answer json = service().refusal(413, "too long", "/v1/parse");
  EXPECT_EQ(json.body, "{\"error\":{\"message\":\"too long\"}}\n");
  EXPECT_EQ(json.head.content_type, "application/json");
  EXPECT_EQ(json.head.status, 413);
  EXPECT_EQ(service().refusal(413, "too long", "/echo").body, "too long\n");
  EXPECT_EQ(service().refusal(400, "no request", "").body, "no request\n");
}

TEST_F(ServiceTest, CompressedBodiesAreRefused) {
  Request request{.method = "POST", .path = "/echo", .headers = {{"Content-Encoding", "gzip"}}, .body = "x"};
  const Answer answer = ask(request);
  EXPECT_EQ(answer.head.status, 415);
  EXPECT_EQ(answer.body, "the body has the Content-Encoding 'gzip'; send it as it is\n");
  EXPECT_EQ(header(answer, "Accept-Encoding"), "identity");
  request.headers = {{"content-encoding", "Identity"}};
  EXPECT_EQ(ask(request).head.status, 200);
}

TEST_F(ServiceTest, PathsAndMethodsThatAreNotThere) {
  EXPECT_EQ(get("/nowhere").head.status, 404);
  EXPECT_EQ(get("/nowhere").route, "unknown");
  EXPECT_EQ(get("/v1/nowhere").head.content_type, "application/json");
  const Answer answer = get("/echo");
  EXPECT_EQ(answer.head.status, 405);
  EXPECT_EQ(header(answer, "Allow"), "POST, OPTIONS");
  EXPECT_EQ(ask({.method = "HEAD", .path = "/healthz"}).head.status, 200);
}

TEST_F(ServiceTest, Tokens) {
  options_.access.tokens = {"first-token", "second"};
  Request request{.method = "POST", .path = "/echo", .body = "x"};
  EXPECT_EQ(ask(request).head.status, 401);
  EXPECT_EQ(header(ask(request), "WWW-Authenticate"), "Bearer realm=\"copse\"");
  for (const char* wrong :
       {"Bearer", "Bearer ", "Bearer first-toke", "Bearer first-token2", "Basic second", "second"}) {
    request.headers = {{"Authorization", wrong}};
    EXPECT_EQ(ask(request).head.status, 401) << wrong;
  }
  for (const char* right : {"Bearer first-token", "bearer second"}) {
    request.headers = {{"authorization", right}};
    EXPECT_EQ(ask(request).head.status, 200) << right;
  }
  EXPECT_EQ(get("/healthz").head.status, 200);
  EXPECT_EQ(get("/metrics").head.status, 401);
  EXPECT_EQ(get("/nowhere").head.status, 401);
}

TEST_F(ServiceTest, PagesOfOtherOrigins) {
  Request request{.path = "/healthz"};
  request.headers = {{"Origin", "https://a.org"}};
  EXPECT_EQ(header(ask(request), "Access-Control-Allow-Origin"), "");
  AccessControl control{.origins = {"https://a.org", "https://b.org"}};
  EXPECT_EQ(control.cors_headers(request),
            (AccessControl::Headers{{"Vary", "Origin"}, {"Access-Control-Allow-Origin", "https://a.org"}}));
  request.headers = {{"Origin", "https://a.org.evil"}};
  EXPECT_EQ(control.cors_headers(request), (AccessControl::Headers{{"Vary", "Origin"}}));
  EXPECT_EQ(control.preflight_headers(request, "GET").size(), 1U);
  control.origins = {"*"};
  EXPECT_EQ(control.cors_headers(request), (AccessControl::Headers{{"Access-Control-Allow-Origin", "*"}}));
}

TEST_F(ServiceTest, Preflight) {
  options_.access.origins = {"https://a.org"};
  options_.access.tokens = {"secret"};
  Request request{.method = "OPTIONS", .path = "/echo"};
  request.headers = {{"Origin", "https://a.org"}, {"Access-Control-Request-Method", "POST"}};
  const Answer answer = ask(request);
  EXPECT_EQ(answer.head.status, 204);
  EXPECT_EQ(header(answer, "Access-Control-Allow-Origin"), "https://a.org");
  EXPECT_EQ(header(answer, "Access-Control-Allow-Methods"), "POST, OPTIONS");
  EXPECT_NE(header(answer, "Access-Control-Allow-Headers").find("Authorization"), std::string::npos);
}

TEST_F(ServiceTest, Stopping) {
  service().stop();
  const Answer answer = ask({.method = "POST", .path = "/echo", .body = "x"});
  EXPECT_EQ(answer.head.status, 503);
  EXPECT_EQ(header(answer, "Retry-After"), "1");
  EXPECT_EQ(get("/healthz").head.status, 503);
}

TEST(ConstantTime, Comparison) {
  EXPECT_TRUE(equal_in_constant_time("secret", "secret"));
  for (const char* wrong : {"", "s", "secre", "secrets", "secretsecret", "Secret"}) {
    EXPECT_FALSE(equal_in_constant_time(wrong, "secret")) << wrong;
  }
  EXPECT_FALSE(equal_in_constant_time("", ""));
}

TEST(TokenFile, Lines) {
  const std::string path = ::testing::TempDir() + "copse_tokens";
  const auto read = [&](const std::string& text) {
    std::ofstream(path) << text;
    return read_token_file(path);
  };
  EXPECT_EQ(read("# ours\n\n abc \r\ndef"), (std::vector<std::string>{"abc", "def"}));
  EXPECT_THROW(read(""), DataError);
  EXPECT_THROW(read("# nothing\n"), DataError);
  EXPECT_THROW(read("a b\n"), DataError);
  EXPECT_THROW(read("é\n"), DataError);
  std::filesystem::remove(path);
  EXPECT_THROW(read_token_file(path), DataError);
}

TEST(TokenFile, WhoCanReadIt) {
  const std::string path = ::testing::TempDir() + "copse_readable_tokens";
  std::ofstream(path) << "secret";
  using std::filesystem::perms;
  std::filesystem::permissions(path, perms::owner_read | perms::group_read);
  EXPECT_FALSE(is_readable_by_all(path));
  std::filesystem::permissions(path, perms::owner_read | perms::others_read);
  EXPECT_TRUE(is_readable_by_all(path));
  std::filesystem::remove(path);
}

TEST(Origins, WhatBrowsersSend) {
  for (const char* origin : {"*", "https://example.org", "http://localhost:8080", "http://[::1]:80"}) {
    EXPECT_TRUE(is_origin(origin)) << origin;
  }
  for (const char* wrong : {"", "foo", "example.org", "https://", "://x", "https://example.org/",
                            "https://a b", "https://a.org,https://b.org", "https://Example.org"}) {
    EXPECT_FALSE(is_origin(wrong)) << wrong;
  }
}

TEST(Metrics, Text) {
  Metrics metrics;
  metrics.count_request("/process", 200, 0.003);
  metrics.count_request("/process", 200, 0.005);
  metrics.count_request("/process", 503, 100.0);
  metrics.count_parsed(2, 7);
  metrics.count_parsed(1, 3);
  const std::string text = metrics.text(
      {.workers = 4, .busy_workers = 2, .waiting_requests = 3, .connections = 5, .resident_bytes = 6});
  for (const char* line :
       {"copse_requests_total{path=\"/process\",status=\"200\"} 2\n",
        "copse_requests_total{path=\"/process\",status=\"503\"} 1\n", "copse_sentences_total 3\n",
        "copse_words_total 10\n", "copse_request_seconds_bucket{path=\"/process\",le=\"0.0025\"} 0\n",
        "copse_request_seconds_bucket{path=\"/process\",le=\"0.005\"} 2\n",
        "copse_request_seconds_bucket{path=\"/process\",le=\"30\"} 2\n",
        "copse_request_seconds_bucket{path=\"/process\",le=\"+Inf\"} 3\n",
        "copse_request_seconds_sum{path=\"/process\"} 100.008000\n",
        "copse_request_seconds_count{path=\"/process\"} 3\n", "copse_workers 4\n", "copse_workers_busy 2\n",
        "copse_queue_length 3\n", "copse_connections 5\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(AccessLog, Lines) {
  const AccessRecord record{
      .client = "::1", .method = "GET", .path = "/\"\n", .status = 200, .seconds = 0.0012345};
  const auto line = nlohmann::json::parse(access_line(record, 1'700'000'000.25));
  EXPECT_EQ(line["time"], "2023-11-14T22:13:20.250Z");
  EXPECT_EQ(line["path"], "/\"\n");
  EXPECT_EQ(line["ms"], 1.235);
  EXPECT_FALSE(line.contains("error"));
  const std::string path = ::testing::TempDir() + "copse_access_log";
  std::filesystem::remove(path);
  AccessLog log(path);
  log.add(record);
  std::filesystem::rename(path, path + ".1");  // by who rotates logs
  log.add(record);
  log.add(record);
  const auto lines = [](const std::string& name) {
    std::ifstream file(name);
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  };
  EXPECT_EQ(lines(path + ".1"), 1);
  EXPECT_EQ(lines(path), 2);
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".1");
  EXPECT_THROW(AccessLog(::testing::TempDir() + "no/such/folder/log"), DataError);
}

// A pipe that is full, as when the reader of a service's log has got stuck.
TEST(AccessLog, NobodyWaitsForItsReader) {
  const std::string path = ::testing::TempDir() + "copse_access_pipe";
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  {
    AccessLog log(path);
    for (int k = 0; k < 2000; ++k) log.add({.path = "/" + std::string(60'000, 'x')});
  }
  std::string text(1 << 20, ' ');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(reader, text.data(), text.size()), 0)));
  ::close(reader);
  std::filesystem::remove(path);
  ASSERT_TRUE(text.ends_with('\n'));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(nlohmann::json::parse(line)["path"].get<std::string>().size(), 500U);
  }
}

}  // namespace
}  // namespace copse::testing
