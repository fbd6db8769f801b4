#include <gtest/gtest.h>

#include <random>

#include "inference/test_settings.h"
#include "serving/json_property.h"

namespace copse::testing {
namespace {

// Bytes and pieces that mean something to a reader of JSON or of CoNLL-U, in places where they do not belong.
std::string damaged(std::string text, std::mt19937_64& random) {
  const std::vector<std::string> kPieces = {"\"",
                                            "\\",
                                            "{",
                                            "}",
                                            "[",
                                            "]",
                                            ",",
                                            ":",
                                            "\\u0000",
                                            "\\n",
                                            "\\t",
                                            "\\ud800",
                                            "1e999",
                                            "-1",
                                            "null",
                                            "true",
                                            "99",
                                            "\xff",
                                            "\xc3",
                                            std::string(1, '\0'),
                                            "0.5",
                                            "\"text\":\"a\",",
                                            "\"kbest\":2,",
                                            "\\r\\n"};
  for (auto changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
    const std::size_t place = random() % text.size();
    switch (random() % 4) {
      case 0:
        text[place] = static_cast<char>(random());
        break;
      case 1:
        text.erase(place, 1 + random() % 5);
        break;
      case 2:
        text.insert(place, kPieces[random() % kPieces.size()]);
        break;
      default:
        text.insert(place, text.substr(random() % text.size(), random() % 30));
    }
  }
  return text;
}

TEST(JsonDamage, RequestsAreRefusedOrAnswered) {
  const std::vector<std::string> seeds = json_seeds();
  for (int number = 0; number < scaled(3000); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    const std::string body = damaged(seeds[random() % seeds.size()], random);
    ASSERT_EQ(json_request_violation(body), std::nullopt) << body;
  }
}

// The seeds themselves are answered, but for the one in which two words are heads of each other.
TEST(JsonDamage, SeedsAreWhole) {
  Workspace workspace;
  const Deadline never;
  int answered = 0;
  for (const std::string& seed : json_seeds()) {
    EXPECT_EQ(json_request_violation(seed), std::nullopt);
    RequestContext context{.models = tiny_models(), .deadline = never, .max_words = 40};
    RecordedReply reply;
    try {
      run_task(json_routes(tiny_models()).front().parse({.method = "POST", .body = seed}, context, reply),
               workspace);
      ++answered;
    } catch (const RequestError& error) {
      EXPECT_EQ(error.status(), 422) << error.what();
    }
  }
  EXPECT_EQ(answered, 5);
}

}  // namespace
}  // namespace copse::testing
