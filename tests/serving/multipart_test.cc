#include "serving/multipart.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "serving/form.h"
#include "serving/multipart_property.h"
#include "serving/request_error.h"

namespace copse::testing {
namespace {

std::string refusal(const std::string& body, const std::string& boundary = "B") {
  try {
    parse_multipart(body, boundary);
  } catch (const RequestError& error) {
    EXPECT_EQ(error.status(), 400);
    return error.what();
  }
  return "";
}

TEST(Multipart, WhatCurlSends) {
  const auto parts = parse_multipart(
      "--------------------------d74496d66958873e\r\n"
      "Content-Disposition: form-data; name=\"data\"; filename=\"a.txt\"\r\n"
      "Content-Type: text/plain\r\n\r\n"
      "It works.\r\nReally.\r\n\r\n"
      "--------------------------d74496d66958873e\r\n"
      "Content-Disposition: form-data; name=\"tokenizer\"\r\n\r\n\r\n"
      "--------------------------d74496d66958873e--\r\n",
      "------------------------d74496d66958873e");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].name, "data");
  EXPECT_EQ(parts[0].filename, "a.txt");
  EXPECT_EQ(parts[0].content_type, "text/plain");
  EXPECT_EQ(parts[0].content, "It works.\r\nReally.\r\n");
  EXPECT_EQ(parts[1].name, "tokenizer");
  EXPECT_EQ(parts[1].content_type, "");
  EXPECT_EQ(parts[1].content, "");
}

TEST(Multipart, PreambleEpilogueAndSpaceBehindBoundaries) {
  const auto parts = parse_multipart(
      "This is a preamble,\r\nwith --B in it.\r\n"
      "--B \t \r\nContent-Disposition: form-data; name=a\r\n\r\none\r\n"
      "--B\t\r\nContent-Disposition: form-data; name=b\r\n\r\ntwo\r\n"
      "--B-- \r\nepilogue --B\r\n--B\r\nno part\r\n",
      "B");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].content, "one");
  EXPECT_EQ(parts[1].content, "two");
}

TEST(Multipart, TheBoundaryMayBeginLinesOfTheContent) {
  const auto parts = parse_multipart(
      "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n--Bear\r\n --B\r\n--B-\r\nx--B\r\n--B--", "B");
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].content, "--Bear\r\n --B\r\n--B-\r\nx--B");
}

TEST(Multipart, BoundariesWithAnyCharacter) {
  const std::string boundary = "'()+_,-./:=? gc0pJq0M:08jU534c0p";
  const auto parts = parse_multipart(
      "--" + boundary + "\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--" + boundary + "--",
      boundary);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].content, "x");
}

TEST(Multipart, LinesThatEndInLineFeedsAlone) {
  const auto parts = parse_multipart("--B\ncontent-disposition:form-data;name=\"a\"\n\nx\ny\n--B--\n", "B");
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].content, "x\ny");
}

TEST(Multipart, NamesQuotedEncodedAndFolded) {
  const auto name_of = [](const std::string& parameters) {
    return parse_multipart(
               "--B\r\nX-Other: 1\r\nContent-Disposition: form-data" + parameters + "\r\n\r\nx\r\n--B--", "B")
        .at(0)
        .name;
  };
  EXPECT_EQ(name_of("; name=data"), "data");
  EXPECT_EQ(name_of(" ; NAME = \"data\" ;"), "data");
  EXPECT_EQ(name_of(";\r\n\tname=\"data\""), "data");
  EXPECT_EQ(name_of("; name=\"a\\\"b;c\\\\d\""), "a\"b;c\\d");
  EXPECT_EQ(name_of("; name=\"a%22b%0D%0Ac%20\""), "a\"b\r\nc%20");
  EXPECT_EQ(name_of("; name=\"é\""), "é");
  EXPECT_EQ(name_of("; name=plain; name*=UTF-8'en'%c3%a9%20x"), "é x");
  EXPECT_EQ(name_of("; name*=iso-8859-1''%E9"), "é");
  EXPECT_EQ(name_of("; name*0=da; name*1=ta"), "data");
}

TEST(Multipart, TransferEncodings) {
  const auto content_of = [](const std::string& encoding, const std::string& content) {
    return parse_multipart("--B\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: " +
                               encoding + "\r\n\r\n" + content + "\r\n--B--",
                           "B")
        .at(0)
        .content;
  };
  EXPECT_EQ(content_of("8bit", "é=41"), "é=41");
  EXPECT_EQ(content_of("BINARY", "x"), "x");
  EXPECT_EQ(content_of("base64", "SXQg\r\nd29ya3Mu"), "It works.");
  EXPECT_EQ(content_of("base64", "SXQgd29ya3M="), "It works");
  EXPECT_EQ(content_of("base64", "SXQgd29yaw=="), "It work");
  EXPECT_EQ(content_of("quoted-printable", "=C3=A9 100% sure =\r\nof it=2E  \r\nend"),
            "é 100% sure of it.\r\nend");
}

TEST(Multipart, CharacterSets) {
  EXPECT_EQ(part_as_utf8({"a", "", "text/plain; charset=ISO-8859-2", "\xB1"}, ""), "ą");
  EXPECT_EQ(part_as_utf8({"a", "", "text/plain", "\xE9"}, "windows-1252"), "é");
  EXPECT_EQ(part_as_utf8({"a", "", "text/plain; charset=utf-8", "é"}, "iso-8859-1"), "é");
  EXPECT_EQ(part_as_utf8({"a", "", "", "é"}, ""), "é");
  for (const char* charset : {"utf-8", "us-ascii", "no-such-charset"}) {
    EXPECT_THROW(part_as_utf8({"a", "", std::string("text/plain; charset=") + charset, "\xE9"}, ""),
                 RequestError)
        << charset;
  }
}

TEST(Multipart, WhatIsWrong) {
  EXPECT_EQ(refusal("", "B"), "multipart/form-data: the body has no boundary 'B'");
  EXPECT_EQ(refusal("--B--", ""), "multipart/form-data: a boundary has 1 to 200 characters");
  EXPECT_EQ(refusal("--B\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n"),
            "multipart/form-data: the body ends before its last boundary; was it cut off?");
  EXPECT_EQ(refusal("--B\r\n\r\nx\r\n--B--"), "multipart/form-data: a part has no Content-Disposition");
  EXPECT_EQ(refusal("--B\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--B--"),
            "multipart/form-data: the Content-Disposition 'attachment; name=a' is not form-data with a name");
  EXPECT_EQ(refusal("--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--"),
            "multipart/form-data: a part has no name; write Content-Disposition: form-data; name=\"data\"");
  EXPECT_EQ(
      refusal("--B\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--B--"),
      "multipart/form-data: the Content-Disposition 'form-data; name=\"a' is not form-data with a name");
  EXPECT_EQ(refusal("--B\r\nnonsense\r\n\r\nx\r\n--B--"), "multipart/form-data: 'nonsense' is no header");
  const std::string head = "--B\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: ";
  EXPECT_EQ(refusal(head + "gzip\r\n\r\nx\r\n--B--"),
            "multipart/form-data: the Content-Transfer-Encoding 'gzip' is unknown; use binary");
  EXPECT_NE(refusal(head + "base64\r\n\r\nab*c\r\n--B--"), "");
  EXPECT_NE(refusal(head + "base64\r\n\r\nabcde\r\n--B--"), "");
  EXPECT_NE(refusal(head + "base64\r\n\r\nab==cd\r\n--B--"), "");
  EXPECT_NE(refusal(head + "quoted-printable\r\n\r\n=4\r\n--B--"), "");
  EXPECT_EQ(refusal("--B\r\nX: " + std::string(20'000, 'x') + "\r\n\r\nx\r\n--B--"),
            "multipart/form-data: the headers of a part are longer than 16384 bytes");
  std::string many;
  for (int k = 0; k < 1001; ++k) many += "--B\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n";
  EXPECT_EQ(refusal(many + "--B--"), "multipart/form-data: more than 1000 parts");
}

// What was put together from parts gives these parts, and what is damaged gives parts or a refusal.
TEST(Multipart, RandomPartsAndDamage) {
  const char* given = std::getenv("COPSE_TEST_SEED");
  const unsigned seed = given == nullptr ? std::random_device()() : static_cast<unsigned>(std::stoul(given));
  SCOPED_TRACE("COPSE_TEST_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    const RandomForm form = random_form(random);
    const auto parts = parse_multipart(form.body, form.boundary);
    ASSERT_EQ(parts.size(), form.parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      ASSERT_EQ(parts[k].name, form.parts[k].name);
      ASSERT_EQ(parts[k].content, form.parts[k].content);
    }
    std::string damaged = form.body;
    for (int k = 0; k < 3 && !damaged.empty(); ++k) {
      const std::size_t at = random() % damaged.size();
      if (random() % 2 == 0) {
        damaged[at] = static_cast<char>(random());
      } else {
        damaged.erase(at, random() % 20);
      }
    }
    ASSERT_EQ(multipart_violation(damaged, form.boundary), std::nullopt);
  }
}

}  // namespace
}  // namespace copse::testing
