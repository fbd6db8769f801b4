#include "segmentation/segmenter.h"

#include <gtest/gtest.h>

#include <random>

#include "copse/error.h"
#include "copse/treebank/text_range.h"
#include "evaluation/aligned_scores.h"
#include "inference/test_settings.h"
#include "io/temporary_folder.h"
#include "segmentation/segmented_toys.h"
#include "segmentation/surface_text.h"
#include "segmentation/text_of.h"
#include "text/attribute_list.h"
#include "text/utf8.h"

namespace copse::testing {
namespace {

const SegmenterModel& toys() {
  static const SegmenterModel segmenter = toy_segmenter();
  return segmenter;
}

std::string without_space_at_end(std::string text) {
  const std::vector<std::string> kSpaces = {" ",      "\t",     "\r",    "\n", std::string("\0", 1),
                                            "\u00A0", "\u3000", "\u2028"};
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (const std::string& space : kSpaces) {
      if (!text.ends_with(space)) continue;
      text.resize(text.size() - space.size());
      is_done = false;
    }
  }
  return text;
}

// What has to hold for any text: the sentences are CoNLL-U that can be read, and give the text back.
void expect_text_back(const SegmenterModel& segmenter, const std::string& text) {
  const std::vector<Sentence> sentences = segment_text(segmenter, text);
  for (const Sentence& sentence : sentences) ASSERT_FALSE(sentence.empty());
  ASSERT_EQ(without_space_at_end(text_of(sentences)), without_space_at_end(text));
  ASSERT_EQ(without_space_at_end(text_of(read_text(write_text(sentences)))), without_space_at_end(text));
}

std::vector<std::string> forms(const Sentence& sentence) {
  std::vector<std::string> forms;
  for (const Token& word : sentence.words()) forms.emplace_back(word.form());
  return forms;
}

TEST(SegmenterModel, LearnsSentencesTokensAndWords) {
  const std::vector<Sentence> gold = read_text(segmented_toys(60, 2));
  const std::vector<Sentence> found = segment_text(toys(), text_of(gold));
  const AlignedScores scores = evaluate_aligned(gold, found);
  for (const AlignedMeasure measure :
       {AlignedMeasure::tokens, AlignedMeasure::sentences, AlignedMeasure::words}) {
    EXPECT_EQ(scores[measure].f1(), 1.0) << kAlignedMeasureNames[static_cast<std::size_t>(measure)];
  }
  EXPECT_EQ(text_of(found), text_of(gold));
}

TEST(SegmenterModel, WritesWhatTheTextWas) {
  const std::vector<Sentence> found =
      segment_text(toys(), "Dr. Ben wouldn't see  the dog.The\nchild!\n\n\n Mr. Cleo");
  EXPECT_EQ(write_text(found),
            "# newpar\n"
            "# text = Dr. Ben wouldn't see the dog.\n"
            "1\tDr.\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "2\tBen\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "3-4\twouldn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "3\twould\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "4\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "5\tsee\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\s\\s\n"
            "6\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "7\tdog\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
            "8\t.\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\n"
            "# text = The child!\n"
            "1\tThe\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\n\n"
            "2\tchild\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
            "3\t!\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
            "# newpar\n"
            "# text = Mr. Cleo\n"
            "1\tMr.\t_\t_\t_\t_\t_\t_\t_\tSpacesBefore=\\n\\s\n"
            "2\tCleo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\n");
}

TEST(SegmenterModel, EmptyLinesEndSentencesWhateverIsInThem) {
  for (const char* gap : {"\n\n", "\r\n\r\n", "\n \t\n", "\n\n\n\n"}) {
    const std::string text = std::string("The dog") + gap + "likes the tree";
    EXPECT_EQ(segment_text(toys(), text).size(), 2U);
    expect_text_back(toys(), text);
  }
  EXPECT_EQ(segment_text(toys(), "The dog\nlikes the tree").size(), 1U);
}

// The characters that a token's range says, of a text that need not be ASCII.
std::string characters(std::string_view text, const TextRange& range) {
  std::string_view rest = first_characters(text, static_cast<std::size_t>(range.end));
  return std::string(last_characters(rest, static_cast<std::size_t>(range.end - range.begin)));
}

TEST(SegmenterModel, RangesSayWhereTokensStand) {
  std::string text = "\xEF\xBB\xBF \r\nThe 𝄞dog.\r\n\r\n  Dr. Ben wouldn't é́ see\u00A0 it!\n\n";
  for (int k = 0; k < 40; ++k) {  // more than one block without an empty line
    text += text_of(read_text(segmented_toys(10, static_cast<std::uint32_t>(k)))) + "é→𝄞 ";
  }
  std::size_t end = text.find("\n\n", 100);
  while (end != std::string::npos) {
    text[end] = ' ';
    end = text.find("\n\n", end);
  }
  const std::vector<Sentence> found = segment_text(toys(), text, {.ranges = true});
  std::int64_t last = 0;
  int tokens = 0;
  for (const Sentence& sentence : found) {
    const std::vector<std::optional<TextRange>> ranges = text_ranges(sentence);
    for (const SurfaceToken& token : surface_tokens(sentence)) {
      for (int word = token.first; word <= token.last; ++word) {
        const std::optional<TextRange> range = ranges[static_cast<std::size_t>(word)];
        ASSERT_TRUE(range.has_value());
        EXPECT_EQ(characters(text, *range), token.form);
        EXPECT_EQ(range, ranges[static_cast<std::size_t>(token.first)]);
      }
      EXPECT_GE(ranges[static_cast<std::size_t>(token.first)]->begin, last);
      last = ranges[static_cast<std::size_t>(token.first)]->end;
      ++tokens;
    }
  }
  EXPECT_GT(tokens, 1000);
  // Nothing else is different.
  std::vector<Sentence> without = found;
  for (Sentence& sentence : without) {
    for (Token& word : sentence.words()) word.set_misc(without_attribute(word.misc(), "TokenRange"));
    for (MultiwordToken& token : sentence.multiwords()) {
      token.set_misc(without_attribute(token.misc(), "TokenRange"));
    }
  }
  EXPECT_EQ(write_text(without), write_text(segment_text(toys(), text)));
}

TEST(SegmenterModel, EveryTextCountsFromItsBeginning) {
  std::vector<Sentence> found;
  Segmenter segmenter(toys(), [&found](Sentence&& sentence) { found.push_back(std::move(sentence)); },
                      {.ranges = true});
  for (int k = 0; k < 2; ++k) {
    segmenter.add("\n\nThe dog");
    segmenter.finish();
  }
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(text_range(found[1][1]), (TextRange{2, 5}));
  EXPECT_EQ(found[0], found[1]);
}

TEST(SegmenterModel, LinesCanBeSentences) {
  const std::string text = "The dog. The child!\nThe\r\n \nlikes\n\n\nthe tree";
  const TextOptions options{.lines = TextLines::sentences};
  const std::vector<Sentence> found = segment_text(toys(), text, options);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].text(), "The dog. The child!");
  EXPECT_EQ(forms(found[0]), (std::vector<std::string>{"The", "dog", ".", "The", "child", "!"}));
  EXPECT_EQ(found[1].text(), "The");
  EXPECT_EQ(found[2].text(), "likes");
  EXPECT_EQ(found[3].text(), "the tree");
  EXPECT_FALSE(begins_paragraph(found[1]));
  EXPECT_TRUE(begins_paragraph(found[2]));
  EXPECT_EQ(text_of(found), text);
  // Long lines are cut, and everything is still there.
  std::string line;
  for (int k = 0; k < 3000; ++k) line += "The dog. ";
  const std::vector<Sentence> pieces = segment_text(toys(), line, options);
  EXPECT_EQ(pieces.size(), 4U);
  line.pop_back();  // space at the end is not kept
  EXPECT_TRUE(text_of(pieces).starts_with(line));
}

TEST(SegmenterModel, ParagraphsAreAnsweredWhenTheyEnd) {
  std::vector<Sentence> found;
  Segmenter segmenter(toys(), [&found](Sentence&& sentence) { found.push_back(std::move(sentence)); });
  segmenter.add("The dog.\n");
  EXPECT_TRUE(found.empty());
  segmenter.add("\nThe tr");
  ASSERT_EQ(found.size(), 1U);
  segmenter.add("ee.");
  segmenter.finish();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(forms(found[1]), (std::vector<std::string>{"The", "tree", "."}));
  segmenter.add("\xEF\xBB\xBFThe river");
  segmenter.finish();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[2].text(), "The river");
}

TEST(SegmenterModel, TheSizeOfThePiecesDoesNotMatter) {
  std::string text;
  for (int k = 0; k < 20; ++k)
    text += text_of(read_text(segmented_toys(30, static_cast<std::uint32_t>(k)))) + "é→𝄞 ";
  const std::string expected = write_text(segment_text(toys(), text));
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, std::size_t{100'000}}) {
    std::vector<Sentence> found;
    Segmenter segmenter(toys(), [&found](Sentence&& sentence) { found.push_back(std::move(sentence)); });
    for (std::size_t k = 0; k < text.size(); k += size) segmenter.add(std::string_view(text).substr(k, size));
    segmenter.finish();
    EXPECT_EQ(write_text(found), expected) << size;
  }
}

TEST(SegmenterModel, RandomTextsComeBack) {
  const std::vector<std::string> kPieces = {"The",
                                            "dog",
                                            "don't",
                                            "Dr.",
                                            ".",
                                            "!",
                                            "(",
                                            ")",
                                            " ",
                                            " ",
                                            " ",
                                            "  ",
                                            "\n",
                                            "\n\n",
                                            "\t",
                                            "\r\n",
                                            std::string("\0", 1),
                                            "\x01",
                                            "\x7F",
                                            "\u00A0",
                                            "\u3000",
                                            "\u2028",
                                            "\u200B",
                                            "\uFEFF",
                                            "\u0301",
                                            "e\u0301",
                                            "שלום",
                                            "العربية",
                                            "我喜歡",
                                            "ไทย",
                                            "𝄞",
                                            "👩‍👩‍👧",
                                            "1,000",
                                            "a_b",
                                            "_",
                                            "#",
                                            "|",
                                            "\\n",
                                            "’",
                                            "http://a.b/c?d=e"};
  for (int number = 0; number < scaled(300); ++number) {
    SCOPED_TRACE(case_name(number));
    std::mt19937_64 random = case_generator(number);
    std::string text;
    for (std::uint64_t left = random() % 60; left > 0; --left) text += kPieces[random() % kPieces.size()];
    // A byte order mark at the front would be left out.
    if (text.starts_with("\uFEFF")) text = "x" + text;
    expect_text_back(toys(), text);
    if (HasFatalFailure()) return;
  }
}

TEST(SegmenterModel, NothingButSpaceHasNoSentences) {
  for (const std::string& text :
       {std::string(), std::string(" "), std::string("\n\n\n"), std::string("\xEF\xBB\xBF"),
        std::string(3, '\0'), std::string("\u2029\u3000"), std::string(100'000, ' '),
        std::string(100'000, '\n')}) {
    EXPECT_TRUE(segment_text(toys(), text).empty());
  }
}

TEST(SegmenterModel, LongTextsWithoutBoundariesAreCut) {
  const auto repeat = [](const std::string& piece, int times) {
    std::string text;
    for (int k = 0; k < times; ++k) text += piece;
    return text;
  };
  for (const std::string& piece : {std::string("a"), std::string("é"), std::string("𝄞"), std::string("."),
                                   std::string("ab "), std::string("\u0301"), std::string("我")}) {
    expect_text_back(toys(), repeat(piece, 30'000));
    if (HasFatalFailure()) FAIL() << piece;
  }
  const std::vector<Sentence> found = segment_text(toys(), repeat("a", 1 << 20));
  EXPECT_LT(found.size(), 1000U);
  expect_text_back(toys(), "The dog. " + repeat("\u3000", 300) + "The tree.");
  const std::string much_space = "The dog. x" + repeat("\u3000", 3000) + "The tree.";
  EXPECT_EQ(read_text(write_text(segment_text(toys(), much_space))).back().words().back().form(), ".");
  EXPECT_EQ(read_text(write_text(segment_text(toys(), repeat("\u3000", 3000) + "x"))).size(), 1U);
  const std::string wide = "The dog." + std::string(50'000, ' ') + "The tree.";
  EXPECT_EQ(segment_text(toys(), wide).size(), 2U);
}

TEST(SegmenterModel, InvalidTextIsAnErrorWithItsLine) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      segment_text(toys(), text, {}, "file");
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("a\nb\n\nc \xFF d"), "file:4: invalid UTF-8, '\\xFF'; convert the text to UTF-8");
  EXPECT_EQ(message("a\xC3"), "file:1: invalid UTF-8, '\\xC3'; convert the text to UTF-8");
  EXPECT_EQ(message(std::string(100'000, '\x80')).substr(0, 21), "file:1: invalid UTF-8");
  EXPECT_EQ(message("\xFF\xFE" + std::string("a\0\n\0", 4)).substr(0, 21), "file:1: invalid UTF-8");
  std::string lines;
  for (int k = 0; k < 5000; ++k) lines += "The dog.\n";
  EXPECT_EQ(message(lines + "\xED\xA0\x80").substr(0, 24), "file:5001: invalid UTF-8");
}

TEST(SegmenterModel, ScriptsWithoutSpacesAreSegmented) {
  std::string text;
  std::mt19937 random(5);
  const std::vector<std::string> kWords = {"我", "喜歡", "北京", "大學", "他們", "的"};
  for (int sentence = 0; sentence < 200; ++sentence) {
    int id = 0;
    const auto add = [&](const std::string& form) {
      text += std::to_string(++id) + "\t" + form + "\t_\t_\t_\t_\t_\t_\t_\t_\n";
    };
    for (int word = 0; word < 6; ++word) add(kWords[random() % kWords.size()]);
    add("。");
    text += "\n";
  }
  const std::vector<Sentence> gold = read_text(text);
  TaskPool pool(1);
  SegmenterObserver observer;
  const SegmenterModel segmenter = train_segmenter(gold, {}, {}, pool, observer);
  const std::vector<Sentence> found = segment_text(segmenter, "我喜歡北京大學。他們的大學");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(forms(found[0]), (std::vector<std::string>{"我", "喜歡", "北京", "大學", "。"}));
  EXPECT_EQ(forms(found[1]), (std::vector<std::string>{"他們", "的", "大學"}));
}

TEST(SegmenterModel, TokensMayHaveSpaceInsideIfTheyDoInTrainingData) {
  std::string text;
  for (int k = 0; k < 100; ++k) {
    text += "1\t" + std::to_string(10 + k % 20) +
            " 000\t_\t_\t_\t_\t_\t_\t_\t_\n2\tcrowns\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
            "3\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
  }
  TaskPool pool(1);
  SegmenterObserver observer;
  const SegmenterModel segmenter = train_segmenter(read_text(text), {}, {}, pool, observer);
  const std::vector<Sentence> found =
      segment_text(segmenter, "12 000 crowns. 15\u00A0000 crowns. 15  000 crowns.");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0][1].form(), "12 000");
  EXPECT_EQ(found[1][1].form(), "15\u00A0000");
  EXPECT_EQ(found[2][1].form(), "15");
}

TEST(SegmenterModel, NothingToLearnFromIsAnError) {
  TaskPool pool(1);
  SegmenterObserver observer;
  EXPECT_THROW(train_segmenter({}, {}, {}, pool, observer), DataError);
  EXPECT_THROW(train_segmenter(read_text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"), {}, {}, pool, observer),
               DataError);
}

class SegmenterFile : public TemporaryFolderTest {};

TEST_F(SegmenterFile, KeepsEverythingBesideOtherSections) {
  SegmenterModel segmenter = toys();
  segmenter.add_fact("colour", "green");
  {
    SectionFileWriter file(path("model"));
    file.add("other/section", "text");
    segmenter.add_to(file);
    file.close();
  }
  const SegmenterModel loaded = SegmenterModel::load(path("model"));
  EXPECT_EQ(loaded.facts(), segmenter.facts());
  const std::string text = text_of(read_text(segmented_toys(50, 9)));
  EXPECT_EQ(write_text(segment_text(loaded, text)), write_text(segment_text(segmenter, text)));
  loaded.save(path("again"));
  segmenter.save(path("first"));
  EXPECT_TRUE(content(path("again")) == content(path("first")));
}

TEST_F(SegmenterFile, DamageIsAnError) {
  toys().save(path("model"));
  const std::string bytes = content(path("model"));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 50) {
    write(path("truncated"), bytes.substr(0, size));
    EXPECT_THROW(SegmenterModel::load(path("truncated")), DataError) << size;
  }
  SectionFileWriter(path("empty")).close();
  EXPECT_THROW(SegmenterModel::load(path("empty")), DataError);
  // Sections whose checksums are right, but not what they hold.
  const SectionFile file = SectionFile::open(path("model"));
  const std::span<const std::byte> settings = file.section("segmenter/settings");
  for (const std::string& section : {std::string(), std::string("no zstd frame"), std::string(100, '\0')}) {
    SectionFileWriter writer(path("wrong"));
    writer.add("segmenter/settings", settings);
    writer.add("segmenter/model", section);
    writer.close();
    EXPECT_THROW(SegmenterModel::load(path("wrong")), DataError);
  }
}

}  // namespace
}  // namespace copse::testing
