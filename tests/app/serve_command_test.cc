// The server as a program, over sockets.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "app/background_program.h"
#include "app/serve_client.h"
#include "app/toy_program.h"

namespace copse::testing {
namespace {

class ServeCommandTest : public ToyProgramTest {
 protected:
  // Starts the server with the model in the box and any free port.
  void start(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"serve", "--port", "0"});
    program_ = std::make_unique<BackgroundProgram>(folder(), arguments);
    const std::string line = program_->read_until("\n");
    const std::string expected = "listening on http://127.0.0.1:";
    ASSERT_EQ(line.substr(0, expected.size()), expected) << read_file("errors");
    port_ = std::atoi(line.c_str() + expected.size());
    ASSERT_GT(port_, 0);
  }

  HttpAnswer ask(const std::string& bytes) const {
    Client client(port_);
    client.send(bytes);
    return client.read_answer();
  }
  HttpAnswer get(const std::string& target, const std::string& headers = "") const {
    return ask("GET " + target + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n");
  }
  HttpAnswer post(const std::string& target, const std::string& body, const std::string& headers = "",
                  const std::string& type = "application/x-www-form-urlencoded") const {
    return ask(post_bytes(target, body, headers, type));
  }
  static std::string post_bytes(const std::string& target, const std::string& body,
                                const std::string& headers = "",
                                const std::string& type = "application/x-www-form-urlencoded") {
    return "POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Type: " + type +
           "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
  }
  static std::string result(const HttpAnswer& answer) {
    EXPECT_EQ(answer.status, 200) << answer.head << answer.body;
    return answer.status == 200 ? nlohmann::json::parse(answer.body).at("result").get<std::string>() : "";
  }
  // A text that takes a server seconds.
  static std::string long_text() {
    std::string text;
    for (int k = 0; k < 20'000; ++k) {
      text += "The committee criticised the proposal for a new law in the report. ";
    }
    return text;
  }
  int stop(int signal = SIGTERM) {
    program_->send(signal);
    return program_->wait();
  }

  std::unique_ptr<BackgroundProgram> program_;
  int port_ = 0;
};

TEST_F(ServeCommandTest, Help) { expect_help("serve"); }

TEST_F(ServeCommandTest, UdpipeByQueryFormAndMultipart) {
  start();
  const HttpAnswer by_query = get("//process?data=It%20works.&tokenizer=&tagger=&parser=");
  const nlohmann::json answer = nlohmann::json::parse(by_query.body);
  EXPECT_EQ(answer["model"], "english");
  EXPECT_TRUE(answer["acknowledgements"].is_array());
  const std::string parsed = answer["result"];
  EXPECT_EQ(parsed.substr(0, 58), "# newdoc\n# newpar\n# sent_id = 1\n# text = It works.\n1\tIt\tit")
      << parsed;
  EXPECT_NE(parsed.find("\t0\troot\t"), std::string::npos);
  EXPECT_EQ(result(post("/process", "data=It+works.&tokenizer=&tagger=&parser=")), parsed);
  EXPECT_EQ(result(post("/process?tokenizer=&tagger=&parser=",
                        "--X\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\nIt works.\r\n--X--", "",
                        "multipart/form-data; boundary=X")),
            parsed);
  // What the command line says about the same text.
  const Outcome outcome = run("parse --output-format conllu", "It works.");
  EXPECT_NE(outcome.output.find(parsed.substr(parsed.find("1\tIt"))), std::string::npos) << outcome.output;
  EXPECT_EQ(stop(), 0);
}

TEST_F(ServeCommandTest, UdpipeDoesWhatIsAskedFor) {
  start();
  EXPECT_EQ(result(post("/process", "data=It+works.&tokenizer=ranges")),
            "# newdoc\n# newpar\n# sent_id = 1\n# text = It works.\n"
            "1\tIt\t_\t_\t_\t_\t_\t_\t_\tTokenRange=0:2\n2\tworks\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|"
            "TokenRange=3:8\n"
            "3\t.\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|TokenRange=8:9\n\n");
  const std::string tagged = result(post("/process", "data=It+works+.&input=horizontal&tagger="));
  EXPECT_EQ(tagged.substr(0, 13), "1\tIt\tit\tPRON\t") << tagged;
  EXPECT_EQ(tagged.find("root"), std::string::npos);
  // The same tags as together with trees.
  const std::string both = result(post("/process", "data=It+works+.&input=horizontal&tagger=&parser="));
  EXPECT_EQ(both.substr(0, both.find("\t2\tnsubj")), tagged.substr(0, tagged.find("\t_\t_\t_\t_\n")));
  const std::string parsed = result(post("/process", "data=It%0Aworks%0A.&input=vertical&parser="));
  EXPECT_EQ(parsed.substr(0, 24), "1\tIt\t_\t_\t_\t_\t2\tnsubj\t_\t_") << parsed;
  const std::string row = "1\tIt\tit\tX\tY\tA=B\t_\t_\t_\tC=D\n\n";
  std::string encoded;
  for (const char c : row) encoded += c == '\t' ? "%09" : c == '\n' ? "%0A" : std::string(1, c);
  EXPECT_EQ(result(post("/process", "data=" + encoded)), row);
  EXPECT_EQ(result(post("/process", "parser=&data=" + encoded)), "1\tIt\tit\tX\tY\tA=B\t0\troot\t_\tC=D\n\n");
  EXPECT_EQ(result(post("/process", "data=He+couldn't.+No.&tokenizer=&output=horizontal")),
            "He could n't .\nNo .\n");
  EXPECT_EQ(result(post("/process", "data=One+two%0Athree.&tokenizer=presegmented&output=vertical")),
            "One\ntwo\n\nthree\n.\n\n");
  EXPECT_EQ(result(post("/process", "data=So++it+is.&tokenizer=&output=plaintext")), "So  it is.");
  EXPECT_EQ(result(post("/process", "data=&tokenizer=&tagger=&parser=")), "");
}

TEST_F(ServeCommandTest, UdpipeModels) {
  start({"--model", "english-a=english", "--model", "second=english"});
  const nlohmann::json models = nlohmann::json::parse(get("/models").body);
  EXPECT_EQ(models["default_model"], "english-a");
  EXPECT_EQ(models["models"]["second"], (nlohmann::json{"tokenizer", "tagger", "parser"}));
  EXPECT_EQ(nlohmann::json::parse(post("/models", "").body), models);
  const auto used = [this](const std::string& name) {
    return nlohmann::json::parse(get("/process?data=x&tokenizer=&model=" + name).body)["model"];
  };
  EXPECT_EQ(used(""), "english-a");
  EXPECT_EQ(used("english"), "english-a");
  EXPECT_EQ(used("second-ud-2.15"), "second");
  const HttpAnswer unknown = get("/process?data=x&tokenizer=&model=german");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(unknown.body, "there is no model 'german'; the models are: english-a, second\n");
}

TEST_F(ServeCommandTest, UdpipeErrorsAreLinesOfText) {
  start();
  const auto check = [](const HttpAnswer& answer, const std::string& message) {
    EXPECT_EQ(answer.status, 400);
    EXPECT_TRUE(answer.has("Content-Type: text/plain")) << answer.head;
    EXPECT_EQ(answer.body, message + "\n");
  };
  check(get("/process"), "the parameter data is missing; send the text or the sentences in it");
  check(post("/process", "data=x&tokenizer=&output=xml"),
        "there is no output format 'xml'; use conllu, horizontal, vertical or plaintext");
  check(post("/process", "data=%E9&tokenizer="), "'\\xE9' is not UTF-8; encode text in UTF-8");
  check(post("/process", "{}", "", "application/json"),
        "the body is 'application/json'; send multipart/form-data or application/x-www-form-urlencoded");
  EXPECT_EQ(post("/process", "data=It+works&parser=").status, 400);
}

TEST_F(ServeCommandTest, KeepAliveAndPipelining) {
  start();
  Client client(port_);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(client.send(post_bytes("/process", "data=It+works.&tokenizer=")));
    ASSERT_EQ(client.read_answer().status, 200);
  }
  client.send(
      "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /models HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "ok\n");
  EXPECT_EQ(client.read_answer().body[0], '{');
  EXPECT_EQ(client.read_answer().body, "ok\n");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServeCommandTest, Chunks) {
  start();
  Client client(port_);
  client.send(
      "POST /process HTTP/1.1\r\nHost: x\r\nContent-Type: "
      "application/x-www-form-urlencoded\r\nTransfer-Encoding: "
      "chunked\r\n"
      "Expect: 100-continue\r\n\r\n");
  client.send("10\r\ntokenizer=&data=\r\n");
  client.send("8;x=y\r\nIt works\r\n0\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 200);
  EXPECT_EQ(ask("POST /process HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n").status,
            400);
}

TEST_F(ServeCommandTest, ManyConnectionsThatSayNothingDoNotStarveOthers) {
  start({"--threads", "1"});
  std::vector<std::unique_ptr<Client>> idle;
  for (int k = 0; k < 64; ++k) {
    idle.push_back(std::make_unique<Client>(port_));
    if (k % 2 == 0) {
      idle.back()->send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
      EXPECT_EQ(idle.back()->read_answer().status, 200);
    }
  }
  EXPECT_EQ(post("/process", "data=It+works.&tokenizer=&parser=").status, 200);
  for (const auto& client : idle) {
    client->send(post_bytes("/process", "data=It+works.&tokenizer="));
    EXPECT_EQ(client->read_answer().status, 200);
  }
}

TEST_F(ServeCommandTest, FullQueue) {
  start({"--threads", "1", "--queue", "1", "--max-words", "1000000"});
  Client busy(port_);
  Client waiting(port_);
  const std::string body = "tokenizer=&parser=&data=" + long_text();
  busy.send(post_bytes("/process", body));
  const auto metric = [this](const std::string& name) {
    const std::string text = get("/metrics").body;
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? -1 : std::atoi(text.c_str() + at + name.size() + 2);
  };
  ASSERT_TRUE(wait_for([&] { return metric("copse_workers_busy") == 1; }));
  waiting.send(post_bytes("/process", body));
  ASSERT_TRUE(wait_for([&] { return metric("copse_queue_length") == 1; }));
  const HttpAnswer refused = post("/process", "data=x&tokenizer=");
  EXPECT_EQ(refused.status, 503);
  EXPECT_TRUE(refused.has("Retry-After: 1")) << refused.head;
  EXPECT_EQ(get("/models").status, 200);  // what needs no worker is answered all the same
}

TEST_F(ServeCommandTest, TimeoutsReallyStop) {
  start({"--threads", "1", "--timeout", "0.5", "--max-words", "1000000"});
  const auto begin = std::chrono::steady_clock::now();
  const HttpAnswer answer = post("/process", "tokenizer=&parser=&data=" + long_text());
  EXPECT_EQ(answer.status, 504);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  // The worker is free again.
  EXPECT_TRUE(wait_for(
      [this] { return get("/metrics").body.find("\ncopse_workers_busy 0\n") != std::string::npos; }));
}

TEST_F(ServeCommandTest, LinesComeWhenTheyAreThere) {
  start({"--threads", "1", "--max-words", "1000000"});
  const std::string body = nlohmann::json{{"text", long_text()}, {"stream", true}}.dump();
  Client client(port_);
  client.send(post_bytes("/v1/parse", body, "", "application/json"));
  EXPECT_TRUE(client.sees("\"sent_id\""));
  EXPECT_NE(get("/metrics").body.find("\ncopse_workers_busy 1\n"), std::string::npos);
}

TEST_F(ServeCommandTest, Limits) {
  start({"--max-body", "1000", "--max-words", "5"});
  const HttpAnswer large = post("/process", "data=" + std::string(2000, 'x'));
  EXPECT_EQ(large.status, 413);
  EXPECT_TRUE(large.has("Connection: close")) << large.head;
  EXPECT_EQ(ask("POST /process HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\n").status, 413);
  EXPECT_EQ(ask("POST /process HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n").status,
            413);
  EXPECT_EQ(post("/process", "data=a+b+c+d+e+f+g&tokenizer=").status, 413);
  EXPECT_EQ(get("/", "X: " + std::string(100'000, 'x') + "\r\n").status, 431);
  EXPECT_EQ(get("/" + std::string(100'000, 'x')).status, 431);
  EXPECT_EQ(ask("nonsense\r\n\r\n").status, 400);
  EXPECT_EQ(ask("POST /process HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n").status, 400);
  EXPECT_EQ(get("/healthz").status, 200);
  // As all errors of /v1.
  const HttpAnswer json_answer = post("/v1/parse", std::string(2000, 'x'), "", "application/json");
  EXPECT_EQ(json_answer.status, 413);
  EXPECT_TRUE(json_answer.has("Content-Type: application/json")) << json_answer.head;
  EXPECT_EQ(nlohmann::json::parse(json_answer.body)["error"]["message"],
            "the body is longer than 1000 bytes; send less at a time, or raise max_body");
}

TEST_F(ServeCommandTest, OneHost) {
  start();
  EXPECT_EQ(ask("GET /healthz HTTP/1.1\r\n\r\n").status, 400);
  EXPECT_EQ(get("/healthz", "Host: y\r\n").status, 400);
  const HttpAnswer answer = ask("POST /v1/parse HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(nlohmann::json::parse(answer.body)["error"]["message"],
            "the header Host is missing, which HTTP/1.1 requires");
}

TEST_F(ServeCommandTest, CompressedBodies) {
  start();
  const std::string bytes = "\x1f\x8b\x08\x01\x02";
  const HttpAnswer said = post("/v1/parse", bytes, "Content-Encoding: gzip\r\n", "application/json");
  EXPECT_EQ(said.status, 415);
  EXPECT_EQ(nlohmann::json::parse(said.body)["error"]["message"],
            "the body has the Content-Encoding 'gzip'; send it as it is");
  EXPECT_EQ(post("/v1/parse", bytes, "", "application/json").status, 415);
  EXPECT_EQ(post("/process", "data=x&tokenizer=", "Content-Encoding: br\r\n").status, 415);
}

TEST_F(ServeCommandTest, TheModelIsCalledByItsName) {
  start();
  EXPECT_EQ(nlohmann::json::parse(get("/models").body)["default_model"], "english");
  std::filesystem::copy(std::filesystem::path(std::getenv("COPSE_MODELS")) / "english-ewt.copse",
                        folder() + "/mine.copse");
  ::setenv("COPSE_MODEL", (folder() + "/mine.copse").c_str(), 1);
  start();
  ::unsetenv("COPSE_MODEL");
  EXPECT_EQ(nlohmann::json::parse(get("/models").body)["default_model"], "mine");
}

TEST_F(ServeCommandTest, SlowAndBrokenSenders) {
  start({"--timeout", "1"});
  const auto begin = std::chrono::steady_clock::now();
  Client slow_head(port_);
  Client slow_body(port_);
  slow_head.send("GET /heal");
  slow_body.send("POST /process HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n");
  // A byte now and then does not help.
  for (int k = 0; k < 6; ++k) {
    slow_body.send("x");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(slow_head.read_answer().status, 408);
  EXPECT_EQ(slow_body.read_answer().status, 408);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  // Who has nothing more to say still gets an answer; who stops in the middle is told.
  Client half(port_);
  half.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  half.close_sending();
  EXPECT_EQ(half.read_answer().status, 200);
  Client broken(port_);
  broken.send("POST /process HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
  broken.close_sending();
  EXPECT_EQ(broken.read_answer().status, 400);
}

TEST_F(ServeCommandTest, TokensAreForOneUser) {
  write_file("tokens", "s3cret-token\n");
  using std::filesystem::perms;
  const std::string path = folder() + "/tokens";
  std::filesystem::permissions(path, perms::owner_read);
  start({"--token-file", "tokens"});
  EXPECT_EQ(read_file("errors"), "");
  std::filesystem::permissions(path, perms::owner_read | perms::others_read);
  start({"--token-file", "tokens"});
  EXPECT_EQ(
      read_file("errors"),
      "copse: warning: tokens: every user of this machine can read the tokens; say `chmod 600 tokens`\n");
}

TEST_F(ServeCommandTest, TokensAndOrigins) {
  write_file("tokens", "s3cret-token\n");
  start({"--token-file", "tokens", "--cors", "https://example.org"});
  EXPECT_EQ(get("/models").status, 401);
  EXPECT_EQ(get("/models", "Authorization: Bearer wrong\r\n").status, 401);
  EXPECT_EQ(get("/models", "Authorization: Bearer s3cret-token\r\n").status, 200);
  EXPECT_EQ(get("/healthz").status, 200);
  const HttpAnswer preflight = ask(
      "OPTIONS /process HTTP/1.1\r\nHost: x\r\nOrigin: https://example.org\r\nAccess-Control-Request-Method: "
      "POST\r\n\r\n");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_TRUE(preflight.has("Access-Control-Allow-Origin: https://example.org")) << preflight.head;
  EXPECT_TRUE(preflight.has("Access-Control-Allow-Methods: GET, POST, HEAD, OPTIONS")) << preflight.head;
  const HttpAnswer other = get("/healthz", "Origin: https://elsewhere.org\r\n");
  EXPECT_FALSE(other.has("Access-Control-Allow-Origin")) << other.head;
}

TEST_F(ServeCommandTest, Http10) {
  start();
  const HttpAnswer answer = ask("GET /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
  EXPECT_TRUE(answer.has("Connection: keep-alive")) << answer.head;
  EXPECT_TRUE(answer.has("Keep-Alive: timeout=15")) << answer.head;
  Client client(port_);
  client.send("GET /healthz HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "ok\n");
  EXPECT_TRUE(client.is_closed());
  const std::string body = "{\"text\": \"It works.\", \"stream\": true}";
  const HttpAnswer lines =
      ask("POST /v1/parse HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: " +
          std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_TRUE(lines.has("Content-Length: ")) << lines.head;
  EXPECT_NE(lines.body.find("\n{\"done\":true"), std::string::npos) << lines.body;
  Client head(port_);
  head.send("HEAD /models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(head.read_answer().has("Content-Length: "));
}

TEST_F(ServeCommandTest, AccessLog) {
  start({"--log", "access"});
  post("/process", "data=secret&tokenizer=");
  get("/models?data=secret");
  EXPECT_EQ(stop(SIGINT), 0);
  const std::string text = read_file("access");
  EXPECT_EQ(text.find("secret"), std::string::npos);
  const nlohmann::json line = nlohmann::json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(line["client"], "127.0.0.1");
  EXPECT_EQ(line["method"], "POST");
  EXPECT_EQ(line["path"], "/process");
  EXPECT_EQ(line["status"], 200);
  EXPECT_EQ(line["words"], 1);
}

TEST_F(ServeCommandTest, StopsWhenWhatRunsIsAnswered) {
  start({"--threads", "1", "--max-words", "1000000", "--timeout", "60"});
  Client busy(port_);
  Client idle(port_);
  Client slow(port_);
  slow.send("POST /process HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n");
  std::string text;
  for (int k = 0; k < 400; ++k) text += "The committee criticised the proposal for a new law in the report. ";
  busy.send(post_bytes("/process", "tokenizer=&tagger=&parser=&data=" + text));
  ASSERT_TRUE(wait_for(
      [this] { return get("/metrics").body.find("\ncopse_workers_busy 1\n") != std::string::npos; }));
  program_->send(SIGTERM);
  ASSERT_TRUE(wait_for([this] { return get("/healthz").status != 200; }));
  EXPECT_NE(read_file("errors").find("stopping"), std::string::npos);
  const HttpAnswer late = post("/process", "data=x&tokenizer=");
  EXPECT_TRUE(late.status == 503 || late.status == 0) << late.status;
  const HttpAnswer answer = busy.read_answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.has("Connection: close")) << answer.head;
  EXPECT_TRUE(idle.is_closed());
  EXPECT_EQ(slow.read_answer().status, 503);
  EXPECT_EQ(program_->wait(), 0);
}

TEST_F(ServeCommandTest, ASecondSignalStopsAtOnce) {
  start({"--threads", "1", "--max-words", "1000000", "--timeout", "60"});
  Client busy(port_);
  busy.send(post_bytes("/process", "tokenizer=&tagger=&parser=&data=" + long_text()));
  ASSERT_TRUE(wait_for(
      [this] { return get("/metrics").body.find("\ncopse_workers_busy 1\n") != std::string::npos; }));
  program_->send(SIGTERM);
  ASSERT_TRUE(wait_for([this] { return read_file("errors").find("stopping") != std::string::npos; }));
  const auto begin = std::chrono::steady_clock::now();
  const int status = stop();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST_F(ServeCommandTest, BadUsage) {
  expect_one_line_error(run("serve --model x=no-such-file"), 1, "");
  expect_one_line_error(run("serve --model =english"), 2, "");
  expect_one_line_error(run("serve --port 70000"), 2, "");
  expect_one_line_error(run("serve --max-body 0"), 2, "--max-body: 0 is no size of a request");
  expect_one_line_error(run("serve --max-body -1"), 2, "--max-body: -1 is no size of a request");
  expect_one_line_error(run("serve --cors foo"), 2, "--cors: foo is no origin; write https://example.org");
  expect_one_line_error(run("serve --cors https://example.org/"), 2, "--cors: https://example.org/ is no");
  expect_one_line_error(run("serve --host example.invalid"), 2, "--host: example.invalid is no address");
  expect_one_line_error(run("serve --model a=english --model a=english"), 1, "two models are called a");
  expect_one_line_error(run("serve --token-file nothing"), 1, "nothing: cannot be read");
  expect_one_line_error(run("serve --host 192.0.2.1 --port 0"), 1, "cannot listen on 192.0.2.1:0");
  start();
  expect_one_line_error(run("serve --port " + std::to_string(port_)), 1,
                        "cannot listen on 127.0.0.1:" + std::to_string(port_) + " (Address already in use)");
}

}  // namespace
}  // namespace copse::testing
