#include <gtest/gtest.h>

#include "serving/json_toys.h"
#include "serving/parse_request.h"

namespace copse::testing {
namespace {

struct Refusal {
  std::string body;
  std::string where;
  std::string message;  // a part of it
};

class RefusedRequest : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedRequest, SaysWhereAndWhy) {
  const auto& [body, where, message] = GetParam();
  try {
    read_parse_request(body);
    FAIL() << "was taken: " << body;
  } catch (const RequestError& error) {
    EXPECT_EQ(error.status(), 400);
    EXPECT_EQ(error.where(), where);
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "not one line";
  }
}

std::string nested(int depth) {
  return R"({"tokens":)" + std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']') + "}";
}

INSTANTIATE_TEST_SUITE_P(
    Json, RefusedRequest,
    ::testing::Values(
        Refusal{"", "", "line 1, column 1: unexpected end of input"},
        Refusal{"{\"text\":\n \"a\",}", "", "line 2, column 6: unexpected '}'; expected string literal"},
        Refusal{"text", "", "line 1, column 2: invalid literal"},
        Refusal{R"({"text":"a"} x)", "", "invalid literal"},
        Refusal{R"({"text":"a"}{"text":"b"})", "", "column 13: unexpected '{'; expected end of input"},
        Refusal{"{\"text\":\"a\xff\"}", "", "ill-formed UTF-8"},
        Refusal{"{\"text\":\"\xed\xa0\x80\"}", "", "ill-formed UTF-8"},
        Refusal{"{\"text\":\"\xc0\x80\"}", "", "ill-formed UTF-8"},
        Refusal{R"({"text":"\ud83c"})", "", "surrogate"}, Refusal{R"({"text":"\udf33"})", "", "surrogate"},
        Refusal{R"({"text":"a\u0000b"})", "", "NUL"},
        Refusal{std::string("{\"text\":\"a\"}\0{}", 14), "", "byte 13 is 0"},
        Refusal{"{\"text\":\"a\nb\"}", "", "control character"},
        Refusal{R"({"text":"a)", "", "missing closing quote"},
        Refusal{R"({"text":"a","kbest":1e999})", "", "number overflow"},
        Refusal{R"({"text":"a","text":"b"})", "", "'text' is given twice"},
        Refusal{R"({"tokens":[["a"]],"constraints":[{"word":1,"word":2}]})", "", "'word' is given twice"},
        Refusal{nested(8), "", "nested more than 8 deep"},
        Refusal{nested(100'000), "", "nested more than 8 deep"},
        Refusal{"[]", "", "must be a JSON object, not an array"}, Refusal{"null", "", "not null"}));

INSTANTIATE_TEST_SUITE_P(
    Members, RefusedRequest,
    ::testing::Values(
        Refusal{"{}", "", "give exactly one of \"text\", \"tokens\" and \"conllu\"; there is none"},
        Refusal{R"({"text":"a","conllu":""})", "", "there are 2"},
        Refusal{R"({"text":"a","k_best":3})", "k_best", "did you mean \"kbest\"?"},
        Refusal{R"({"text":"a","Model":"toy"})", "Model", "did you mean \"model\"?"},
        Refusal{R"({"text":"a","colour":"red"})", "colour", "there is no such member; there are \"text\""},
        Refusal{R"({"text":"a","a\nb":1})", "'a\\x0Ab'", "no such member"},
        Refusal{R"({"text":5})", "text", "must be a string, not a number"},
        Refusal{R"({"text":null})", "text", "must be a string, not null"},
        Refusal{R"({"conllu":["a"]})", "conllu", "must be a string, not an array"},
        Refusal{R"({"text":"a","model":1})", "model", "must be a string"},
        Refusal{R"({"text":"a","labels":1})", "labels", "must be true or false, not a number"},
        Refusal{R"({"text":"a","tag":"sometimes"})", "tag",
                "must be \"missing\", \"always\" or \"never\", not 'sometimes'"},
        Refusal{R"({"text":"a","decode":"MBR"})", "decode", "must be \"best\" or \"mbr\""},
        Refusal{R"({"text":"a","kbest":-1})", "kbest", "from 0 to 1000"},
        Refusal{R"({"text":"a","kbest":1001})", "kbest", "from 0 to 1000"},
        Refusal{R"({"text":"a","kbest":1.5})", "kbest", "whole number"},
        Refusal{R"({"text":"a","kbest":18446744073709551616})", "kbest", "from 0 to 1000"},
        Refusal{R"({"text":"a","kbest":"5"})", "kbest", "must be a number, not a string"},
        Refusal{R"({"text":"a","kbest":5,"decode":"mbr"})", "kbest", "leave out \"decode\""},
        Refusal{R"({"text":"a","kbest_labels":true})", "kbest_labels", "say how many"},
        Refusal{R"({"text":"a","kbest":2,"kbest_labels":true,"labels":false})", "kbest_labels",
                "leave out \"labels\""},
        Refusal{R"({"text":"a","min_confidence":1.1})", "min_confidence", "from 0 to 1"},
        Refusal{R"({"text":"a","min_alternative":-0.1})", "min_alternative", "from 0 to 1"},
        Refusal{R"({"text":"a","prune":2})", "prune", "from 0 to 1"},
        Refusal{R"({"tokens":[["a"]],"lines":true})", "lines", "leave it out"},
        Refusal{R"({"tokens":"a b"})", "tokens", "must be an array, not a string"},
        Refusal{R"({"tokens":["a","b"]})", "tokens[0]", "must be an array, not a string"},
        Refusal{R"({"tokens":[["a"],[]]})", "tokens[1]", "at least one word"},
        Refusal{R"({"tokens":[["a"],["b",""]]})", "tokens[1][1]", "must not be empty"},
        Refusal{R"({"tokens":[["a",1]]})", "tokens[0][1]", "must be a string, not a number"}));

std::string with_constraints(const std::string& constraints) {
  return R"({"tokens":[["a","b"]],"constraints":)" + constraints + "}";
}

INSTANTIATE_TEST_SUITE_P(
    Constraints, RefusedRequest,
    ::testing::Values(
        Refusal{with_constraints("true"), "constraints", "which is not given; list them"},
        Refusal{with_constraints("{}"), "constraints", "must be true, or an array"},
        Refusal{with_constraints("[1]"), "constraints[0]", "must be an object, not a number"},
        Refusal{with_constraints(R"([{"word":1,"head":2}])"), "constraints[0]",
                "lacks the member \"sentence\""},
        Refusal{with_constraints(R"([{"sentence":1,"head":2}])"), "constraints[0]",
                "lacks the member \"word\""},
        Refusal{with_constraints(R"([{"sentence":1,"word":1}])"), "constraints[0]",
                "neither a \"head\" nor a"},
        Refusal{with_constraints(R"([{"sentence":0,"word":1,"head":2}])"), "constraints[0].sentence",
                "from 1"},
        Refusal{with_constraints(R"([{"sentence":1,"word":1,"head":-1}])"), "constraints[0].head", "from 0"},
        Refusal{with_constraints(R"([{"sentence":1,"word":2,"head":2}])"), "constraints[0].head",
                "its own head"},
        Refusal{with_constraints(R"([{"sentence":1,"word":1,"heads":2}])"), "constraints[0].heads",
                "did you mean \"head\"?"},
        Refusal{with_constraints(R"([{"sentence":1,"word":1,"deprel":""}])"), "constraints[0].deprel",
                "empty"},
        Refusal{with_constraints(R"([{"sentence":1,"word":2,"head":1},{"sentence":1,"word":1,"head":0},
                                     {"sentence":1,"word":2,"head":0}])"),
                "constraints[2]", "word 2 of sentence 1 is in constraints[0] already"}));

TEST(ParseRequest, WhatIsNotGivenHasDefaults) {
  const ParseRequest request = read_parse_request("\xEF\xBB\xBF {\"text\": \"a\"} ");
  EXPECT_EQ(request.input, ParseRequest::Input::text);
  EXPECT_EQ(request.text, "a");
  EXPECT_EQ(request.model, "");
  EXPECT_TRUE(request.options.probabilities);
  EXPECT_TRUE(request.options.labels);
  EXPECT_EQ(request.options.min_alternative, 0.01);
  EXPECT_EQ(request.options.kbest, 0);
  EXPECT_EQ(request.options.decoder, Decoder::best);
  EXPECT_FALSE(request.options.min_confidence);
  EXPECT_FALSE(request.options.keep_known);
  EXPECT_FALSE(request.has_lines || request.returns_conllu || request.is_stream);
}

TEST(ParseRequest, EveryOptionIsRead) {
  const ParseRequest request = read_parse_request(R"({
    "tokens": [["\u6728", "\ud83c\udf33"], ["b"]], "model": "toy", "tag": "never", "labels": false,
    "probabilities": false, "min_alternative": 0.5, "kbest": 7.0, "min_confidence": 0.9, "doubtful": "mark",
    "constraints": [{"sentence": 2, "word": 1, "head": 0, "deprel": "root"}, {"sentence": 1, "word": 2, "deprel": "x"}],
    "conflict": "drop", "prune": 0, "return_conllu": true, "stream": true})");
  EXPECT_EQ(request.tokens, (std::vector<std::vector<std::string>>{{"木", "🌳"}, {"b"}}));
  EXPECT_EQ(request.model, "toy");
  EXPECT_EQ(request.options.tags, TagUse::never);
  EXPECT_FALSE(request.options.labels);
  EXPECT_FALSE(request.options.probabilities);
  EXPECT_EQ(request.options.min_alternative, 0.5);
  EXPECT_EQ(request.options.kbest, 7);
  EXPECT_EQ(request.options.min_confidence, 0.9);
  EXPECT_EQ(request.options.low_confidence, LowConfidence::mark);
  EXPECT_TRUE(request.options.keep_known);
  EXPECT_TRUE(request.options.drop_conflicts);
  EXPECT_EQ(request.options.prune_threshold, 0.0);
  EXPECT_TRUE(request.returns_conllu);
  EXPECT_TRUE(request.is_stream);
  ASSERT_EQ(request.constraints.size(), 2U);
  EXPECT_EQ(request.constraints[0].sentence, 1);
  EXPECT_EQ(request.constraints[0].head, std::nullopt);
  EXPECT_EQ(request.constraints[0].where, "constraints[1]");
  EXPECT_EQ(request.constraints[1].head, 0);
  EXPECT_EQ(request.constraints[1].deprel, "root");
}

TEST(ParseRequest, WithoutProbabilitiesNoAlternativesAreLookedFor) {
  EXPECT_EQ(read_parse_request(R"({"text":"a","probabilities":false})").options.min_alternative, 0.0);
}

}  // namespace
}  // namespace copse::testing
