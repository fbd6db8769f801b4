#include "text/json_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "inference/test_settings.h"
#include "text/utf8.h"

namespace copse::testing {
namespace {

std::string quoted_json(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
  std::string text = "before ";
  JsonWriter json(text);
  json.begin_object();
  json.member("a", 1);
  json.key("b");
  json.begin_array();
  json.begin_array();
  json.end_array();
  json.begin_object();
  json.end_object();
  json.null();
  json.boolean(true);
  json.raw("[1]");
  json.end_array();
  json.member("c", "text");
  json.member("d", false);
  json.member("e", std::int64_t{-9'000'000'000});
  json.end_object();
  EXPECT_EQ(text, R"(before {"a":1,"b":[[],{},null,true,[1]],"c":"text","d":false,"e":-9000000000})");
}

TEST(JsonWriter, NumbersReadBackTheSame) {
  std::mt19937_64 random = case_generator(0);
  for (int k = 0; k < 2000; ++k) {
    const auto mantissa = static_cast<double>(random()) / 1.8446744073709552e19;
    const double value = std::ldexp(mantissa, static_cast<int>(random() % 80) - 60);
    std::string text;
    JsonWriter json(text);
    json.begin_array();
    json.number(value);
    json.probability(mantissa);
    json.end_array();
    const auto read = nlohmann::json::parse(text);
    EXPECT_EQ(read[0].get<double>(), value) << text;
    EXPECT_EQ(read[1].get<float>(), static_cast<float>(mantissa)) << text;
  }
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const double value : {std::numeric_limits<double>::infinity(), std::nan(""), 0.0, 1.0})
    json.number(value);
  for (const double probability : {-1e-17, 1.0 + 1e-9, 0.123456789}) json.probability(probability);
  json.end_array();
  EXPECT_EQ(text, "[null,null,0,1,0,1,0.12345679]");
}

TEST(JsonWriter, EscapesWhatJsonForbids) {
  EXPECT_EQ(quoted_json("plain"), R"("plain")");
  EXPECT_EQ(quoted_json("a\"b\\c\n\t\r"), R"("a\"b\\c\n\t\r")");
  EXPECT_EQ(quoted_json(std::string("\x01\x1f\0", 3)), R"("\u0001\u001f\u0000")");
  EXPECT_EQ(quoted_json("木\xF0\x9F\x8C\xB3"), "\"木\xF0\x9F\x8C\xB3\"");
}

// Whatever the bytes, the result is JSON; and of valid text, it is that text.
TEST(JsonWriter, AnyBytesBecomeJson) {
  std::mt19937_64 random = case_generator(1);
  int valid = 0;
  for (int k = 0; k < 3000; ++k) {
    std::string bytes;
    const std::string pool = "a\"\\\n\x7f\xc3\xa9\xe6\x9c\xa8\xff\xed\xa0\x80\xf0\x9f\x8c\xb3";
    for (auto length = random() % 8; length > 0; --length) bytes += pool[random() % pool.size()];
    const std::string read = nlohmann::json::parse(quoted_json(bytes)).get<std::string>();
    if (!is_valid_utf8(bytes)) continue;
    EXPECT_EQ(read, bytes);
    ++valid;
  }
  EXPECT_GT(valid, 100);
}

}  // namespace
}  // namespace copse::testing
