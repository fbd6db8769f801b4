#include "serving/udpipe_formats.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "serving/request_error.h"

namespace copse::testing {
namespace {

std::vector<std::vector<std::string>> read(const std::string& format, const std::string& text) {
  std::vector<std::vector<std::string>> sentences;
  const auto reader = open_udpipe_input(format, text);
  for (Sentence sentence; reader->next(sentence);) {
    sentences.emplace_back();
    for (const Token& word : sentence.words()) sentences.back().emplace_back(word.form());
  }
  return sentences;
}

std::string written(const std::string& format, const std::string& conllu) {
  std::string text;
  const auto writer = open_udpipe_output(format, text);
  ConllReader reader = ConllReader::from_text(conllu);
  for (Sentence sentence; reader.next(sentence);) writer->write(sentence);
  writer->close();
  return text;
}

using Words = std::vector<std::vector<std::string>>;

TEST(UdpipeFormats, HorizontalInput) {
  EXPECT_EQ(read("horizontal", "It works .\r\n\n  Ten\u00A0thousand  more\t.\n"),
            (Words{{"It", "works", "."}, {"Ten thousand", "more", "."}}));
  EXPECT_EQ(read("horizontal", "\uFEFFlast"), (Words{{"last"}}));
  EXPECT_EQ(read("horizontal", " \n\n"), Words());
}

TEST(UdpipeFormats, VerticalInput) {
  EXPECT_EQ(read("vertical", "\nIt\tPRON\nworks\r\n\r\n\nTen thousand\nmore"),
            (Words{{"It", "works"}, {"Ten thousand", "more"}}));
  EXPECT_EQ(read("vertical", ""), Words());
  EXPECT_THROW(read("vertical", "It\n\tx\n"), DataError);
}

TEST(UdpipeFormats, ConlluInput) {
  const std::string rows = "1\tIt\t_\t_\t_\t_\t_\t_\t_\t_\n2\tworks\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  EXPECT_EQ(read("conllu", rows), (Words{{"It", "works"}}));
  EXPECT_EQ(read("conllu=v2", rows), (Words{{"It", "works"}}));
  EXPECT_THROW(read("conllu", "It works\n"), DataError);
}

TEST(UdpipeFormats, SentencesThatAreTooLong) {
  std::string text;
  for (int k = 0; k < 10'001; ++k) text += "a ";
  EXPECT_THROW(read("horizontal", text), DataError);
}

constexpr const char* kConllu =
    "# newpar\n# text = I can't  "
    "go.\n1\tI\t_\t_\t_\t_\t_\t_\t_\t_\n2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\s\\s\n"
    "2\tca\t_\t_\t_\t_\t_\t_\t_\t_\n3\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n4\tgo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter="
    "No\n"
    "5\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    "# newpar\n1\t10 000\t_\t_\t_\t_\t_\t_\t_\t_\n\n";

TEST(UdpipeFormats, Outputs) {
  EXPECT_EQ(written("conllu", kConllu), kConllu);
  EXPECT_EQ(written("conllu=v2", kConllu), kConllu);
  EXPECT_EQ(written("horizontal", kConllu), "I ca n't go .\n10\u00A0000\n");
  EXPECT_EQ(written("horizontal=paragraphs", kConllu), "I ca n't go .\n\n10\u00A0000\n");
  EXPECT_EQ(written("vertical", kConllu), "I\nca\nn't\ngo\n.\n\n10\u00A0000\n\n");
  EXPECT_EQ(written("plaintext=normalized_spaces", kConllu), "I can't go.\n\n10 000\n");
  EXPECT_EQ(written("plaintext", kConllu).substr(0, 12), "I can't  go.");
}

TEST(UdpipeFormats, UnknownNames) {
  std::string text;
  EXPECT_THROW(open_udpipe_input("tsv", ""), RequestError);
  EXPECT_THROW(open_udpipe_input("", ""), RequestError);
  EXPECT_THROW(open_udpipe_output("matxin", text), RequestError);
}

}  // namespace
}  // namespace copse::testing
