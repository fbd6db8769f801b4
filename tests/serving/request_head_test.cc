#include "serving/request_head.h"

#include <gtest/gtest.h>

#include <random>

#include "serving/request_error.h"
#include "serving/request_property.h"

namespace copse::testing {
namespace {

int status_of(const std::string& head) {
  try {
    parse_request_head(head);
  } catch (const RequestError& error) {
    return error.status();
  }
  return 200;
}

TEST(RequestHead, Fields) {
  const RequestHead head = parse_request_head(
      "\r\nPOST //process/?a=%20b?c HTTP/1.1\r\nHost: x\r\nCONTENT-length:  12 \r\nExpect: "
      "100-Continue\r\n\r\n");
  EXPECT_EQ(head.request.method, "POST");
  EXPECT_EQ(head.request.path, "/process/");
  EXPECT_EQ(head.request.query, "a=%20b?c");
  EXPECT_EQ(head.request.header("host"), "x");
  EXPECT_EQ(head.content_length, 12U);
  EXPECT_TRUE(head.keeps_alive && head.expects_continue && head.has_body());
  EXPECT_FALSE(head.is_chunked || head.is_http_1_0);
}

TEST(RequestHead, Connections) {
  const auto keeps_alive = [](const std::string& version, const std::string& header) {
    return parse_request_head("GET / HTTP/" + version + "\r\nHost: x\r\n" + header + "\r\n").keeps_alive;
  };
  EXPECT_TRUE(keeps_alive("1.1", ""));
  EXPECT_FALSE(keeps_alive("1.1", "Connection: x, Close\r\n"));
  EXPECT_FALSE(keeps_alive("1.0", ""));
  EXPECT_TRUE(keeps_alive("1.0", "connection: Keep-Alive\r\n"));
}

TEST(RequestHead, WhatIsWrong) {
  EXPECT_EQ(status_of("GET http://host/models HTTP/1.1\r\nHost: host\r\n\r\n"), 200);
  EXPECT_EQ(status_of("GET /\n\n"), 400);
  EXPECT_EQ(status_of("GET\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET  HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("G(T / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / FTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /%zz HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /%ff HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /%00 HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET process HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nX\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nX : x\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\x01\r\n\r\n"), 400);
  for (const char* length : {"-1", "+1", "1 2", "0x10", "1,1", "", "9999999999999999999"}) {
    EXPECT_EQ(status_of(std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ") + length + "\r\n\r\n"),
              400)
        << length;
  }
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"), 400);
  EXPECT_EQ(
      status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
      400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"), 501);
  EXPECT_EQ(status_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n"), 417);
}

TEST(RequestHead, OneHost) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 200);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost:\r\n\r\n"), 200);
  EXPECT_EQ(status_of("GET / HTTP/1.0\r\n\r\n"), 200);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n"), 400);
}

TEST(RequestHead, PathOfWhatCannotBeRead) {
  EXPECT_EQ(requested_path("\r\nPOST /v1/parse?a HTTP/9"), "/v1/parse");
  EXPECT_EQ(requested_path("POST /v1/par"), "/v1/par");
  EXPECT_EQ(requested_path("POST"), "");
  EXPECT_EQ(requested_path(""), "");
}

TEST(RequestHead, Length) {
  EXPECT_EQ(head_length("GET / HTTP/1.1\r\nA: b\r\n\r\nbody"), 24U);
  EXPECT_EQ(head_length("\r\n\r\nGET / HTTP/1.1\n\nbody"), 20U);
  EXPECT_EQ(head_length("GET / HTTP/1.1\r\nA: b\r\n\r"), std::nullopt);
  EXPECT_EQ(head_length("\r\n\r\n\r\n"), std::nullopt);
  EXPECT_EQ(head_length(""), std::nullopt);
  // However much of it was looked at before.
  const std::string head = "GET / HTTP/1.1\r\nA: b\r\n\r\n";
  for (std::size_t searched = 0; searched < head.size(); ++searched) {
    EXPECT_EQ(head_length(head, searched), head.size()) << searched;
  }
}

TEST(ChunkedBody, Whole) {
  ChunkedBody body(100);
  const std::string text = "5;name=\"x\"\r\nhello\r\n00A\r\n, world\r\n!\r\n0\r\nTrailer: x\r\n\r\nGET";
  EXPECT_EQ(body.add(text), text.size() - 3);
  EXPECT_TRUE(body.is_complete());
  EXPECT_EQ(body.content(), "hello, world\r\n!");
}

TEST(ChunkedBody, WhatIsWrong) {
  const auto status = [](const std::string& text) {
    try {
      ChunkedBody body(10);
      body.add(text);
      return body.is_complete() ? 200 : 0;
    } catch (const RequestError& error) {
      return error.status();
    }
  };
  EXPECT_EQ(status("a\r\n0123456789\r\n0\r\n\r\n"), 200);
  EXPECT_EQ(status("b\r\n"), 413);
  EXPECT_EQ(status("5\r\nhello\r\n6\r\n"), 413);
  EXPECT_EQ(status("fffffffffffffff\r\n"), 413);
  EXPECT_EQ(status("10000000000000000\r\n"), 400);
  EXPECT_EQ(status("-1\r\n"), 400);
  EXPECT_EQ(status("\r\n"), 400);
  EXPECT_EQ(status("0x5\r\nhello\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(status("5\r\nhello!\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(status("5\r\nhello\r\n0\r\n"), 0);
  EXPECT_EQ(status(std::string(2000, '0')), 400);
  EXPECT_EQ(status("0\r\n" +
                   [] {
                     std::string trailers;
                     for (int k = 0; k < 1000; ++k) trailers += "Trailer: x\r\n";
                     return trailers;
                   }()),
            400);
}

TEST(RequestReader, OneAfterTheOther) {
  const std::string text =
      "\r\nPOST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc\r\nGET /b HTTP/1.1\r\nHost: "
      "x\r\n\r\nPOST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n0\r\n\r\n\r\n";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const ReadRequests all = read_requests(text, piece);
    ASSERT_EQ(all.requests.size(), 3U) << piece;
    EXPECT_EQ(all.requests[0].request.body, "abc");
    EXPECT_EQ(all.requests[1].request.path, "/b");
    EXPECT_EQ(all.requests[2].request.body, "de");
    EXPECT_FALSE(all.has_begun);
    EXPECT_EQ(all.error, 0);
  }
}

TEST(RequestReader, RefusesWhatIsTooLarge) {
  const std::string head = "POST /v1/parse HTTP/1.1\r\nHost: x\r\n";
  EXPECT_EQ(read_requests(head + "Content-Length: 11\r\n\r\n", 100, 10).error, 413);
  EXPECT_EQ(read_requests(head + "Transfer-Encoding: chunked\r\n\r\nb\r\n", 100, 10).error, 413);
  EXPECT_EQ(read_requests(head + std::string(std::size_t{64} << 10, 'x'), 1000).error, 431);
  RequestReader reader(10);
  reader.add(head + "Content-Length: 11\r\n\r\n");
  EXPECT_THROW(reader.next(), RequestError);
  EXPECT_EQ(reader.path(), "/v1/parse");
}

TEST(RequestReader, AClientThatWaitsForAWord) {
  RequestReader reader(10);
  reader.add("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n");
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_FALSE(reader.wants_continue());
  reader.add("\r\n");
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_TRUE(reader.wants_continue());
  EXPECT_FALSE(reader.wants_continue());
  reader.add("ab");
  EXPECT_EQ(reader.next()->request.body, "ab");
}

TEST(RequestHead, RandomDamage) {
  const char* given = std::getenv("COPSE_TEST_SEED");
  const unsigned seed = given == nullptr ? std::random_device()() : static_cast<unsigned>(std::stoul(given));
  SCOPED_TRACE("COPSE_TEST_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string chunked =
      "POST //process?a=%20b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: "
      "application/x-www-form-urlencoded\r\n\r\n5;x\r\nd=1&e\r\n3\r\n=%20\r\n0\r\nT: x\r\n\r\nGET";
  const std::string plain =
      "POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\nContent-Type: "
      "application/x-www-form-urlencoded\r\n\r\na=1&b=%20";
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = random() % 2 == 0 ? chunked : plain;
    for (std::size_t k = random() % 4; k > 0; --k) {
      const std::size_t at = random() % damaged.size();
      if (random() % 2 == 0) {
        damaged[at] = static_cast<char>(random());
      } else {
        damaged.erase(at, random() % 5);
      }
    }
    ASSERT_EQ(request_violation(damaged), std::nullopt) << damaged;
  }
}

}  // namespace
}  // namespace copse::testing
