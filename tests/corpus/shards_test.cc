// Shards one after the other are the whole file, for every kind of reader and wherever the cuts are.
#include "corpus/shards.h"

#include <gtest/gtest.h>

#include <random>

#include "copse/error.h"
#include "inference/test_settings.h"
#include "io/byte_source.h"
#include "io/temporary_folder.h"
#include "segmentation/segmented_toys.h"
#include "segmentation/segmenter.h"
#include "treebank/token_lines.h"

namespace copse::testing {
namespace {

class Shards : public TemporaryFolderTest {
 protected:
  std::vector<Shard> cut(const std::string& text, CutPlaces places, std::uint64_t shard_bytes) const {
    write(path("file"), text);
    return cut_into_shards(path("file"), places, text.size(), shard_bytes);
  }
  // Where shards begin, but for the first.
  std::vector<std::uint64_t> cuts(const std::string& text, CutPlaces places,
                                  std::uint64_t shard_bytes) const {
    std::vector<std::uint64_t> places_of_cuts;
    const std::vector<Shard> shards = cut(text, places, shard_bytes);
    for (std::size_t k = 1; k < shards.size(); ++k) places_of_cuts.push_back(shards[k].begin);
    return places_of_cuts;
  }

  // What `read` makes of the text, and of its shards one after the other: both are to be the same.
  // Returns the number of shards.
  template <class Read>
  std::size_t expect_same(const std::string& text, CutPlaces places, std::uint64_t shard_bytes,
                          const Read& read) const {
    const std::vector<Shard> shards = cut(text, places, shard_bytes);
    std::string together;
    std::uint64_t end = 0;
    for (const Shard& shard : shards) {
      EXPECT_EQ(shard.begin, end);
      end = shard.end;
      together += read(text.substr(shard.begin, shard.end - shard.begin), shard.continues_paragraph);
    }
    EXPECT_EQ(end, text.size());
    EXPECT_EQ(together, read(text, false)) << "shards of " << shard_bytes << " bytes of:\n" << text;
    return shards.size();
  }

  // Texts put together by chance from the given pieces, in shards of many sizes.
  template <class Read>
  void expect_same_for_chance_texts(const std::vector<std::string>& pieces, CutPlaces places,
                                    const Read& read) const {
    std::size_t shards = 0;
    const int cases = scaled(50);
    for (int k = 0; k < cases && !HasFailure(); ++k) {
      SCOPED_TRACE(case_name(k));
      std::mt19937_64 random = case_generator(k);
      std::string text = random() % 4 == 0 ? "\xEF\xBB\xBF" : "";
      const std::size_t size = random() % 40;
      for (std::size_t n = 0; n < size; ++n) text += pieces[random() % pieces.size()];
      for (const std::uint64_t shard_bytes : {1, 2, 7, 30, 200, 5000}) {
        shards += expect_same(text, places, shard_bytes, read);
      }
    }
    EXPECT_GT(shards, static_cast<std::size_t>(4 * cases)) << "hardly anything was cut";
  }
};

std::string row(const std::string& id, const std::string& form) {
  return id + "\t" + form + "\t_\tNOUN\tNN\t_\t_\t_\t_\t_";
}

TEST_F(Shards, TreebanksAreCutBetweenSentences) {
  const std::string sentence = row("1", "a") + "\n\n";
  const std::size_t size = sentence.size();
  const std::string text = sentence + sentence + "\n\n" + sentence;
  EXPECT_EQ(cuts(text, CutPlaces::sentences, text.size()), std::vector<std::uint64_t>());
  EXPECT_EQ(cuts(text, CutPlaces::nowhere, 1), std::vector<std::uint64_t>());
  // Further empty lines go with the next sentence. The first cut comes after a line that was seen whole.
  EXPECT_EQ(cuts(text, CutPlaces::sentences, 1), std::vector<std::uint64_t>({2 * size}));
  EXPECT_EQ(cuts(text, CutPlaces::sentences, size - 2), std::vector<std::uint64_t>({2 * size}));
  EXPECT_EQ(cuts("", CutPlaces::sentences, 1), std::vector<std::uint64_t>());
}

TEST_F(Shards, SentencesOfTreebanks) {
  const auto read = [](const std::string& text, bool) {
    ConllReadOptions options;
    options.format = ConllFormat::conllu;
    return write_text(read_text(text, options));
  };
  const std::string one = row("1", "dog") + "\n";
  const std::string windows = row("1", "dog") + "\r\n";
  const std::vector<std::string> pieces = {one + "\n",
                                           one + row("2", "cat") + "\n\n",
                                           "# sent_id = x\n" + one + "\n",
                                           windows + "\r\n",
                                           "# text = b\r\n" + windows + "\r\n",
                                           "\n",
                                           "\r\n",
                                           row("1-2", "cannot") + "\n" + one + row("2", "not") + "\n\n"};
  expect_same_for_chance_texts(pieces, CutPlaces::sentences, read);
  expect_same("\xEF\xBB\xBF\n\n" + one + "\n" + one + "\n" + one, CutPlaces::sentences, 1, read);
}

TEST_F(Shards, ParagraphsOfText) {
  const SegmenterModel segmenter = toy_segmenter();
  const std::vector<std::string> pieces = {
      "The dog sees Dr. Anna. ",
      "Ben likes the tree!",
      "A heading\nThe text below it goes on and on until the line is full",
      "\n",
      "\n\n",
      "\n\n\n",
      " \t\n",
      "\r\n\r\n",
      "\xC2\xA0\n",  // space, but not for who looks for empty lines
      "\xC2\xA0",
      "\xE2\x80\xA6\n\n",
      std::string(1, '\0'),
      "\xEF\xBB\xBFThe mark of another file. ",
      std::string(4090, 'x') + " ",
      std::string(9000, 'y'),
      std::string(9000, ' ')};
  for (const TextLines lines : {TextLines::headings, TextLines::space}) {
    TextOptions options;
    options.lines = lines;
    expect_same_for_chance_texts(pieces, CutPlaces::paragraphs, [&](const std::string& text, bool) {
      return write_text(segment_text(segmenter, text, options));
    });
  }
  expect_same_for_chance_texts(pieces, CutPlaces::text_lines,
                               [&](const std::string& text, bool continues_paragraph) {
                                 TextOptions options;
                                 options.lines = TextLines::sentences;
                                 options.continues_paragraph = continues_paragraph;
                                 return write_text(segment_text(segmenter, text, options));
                               });
}

TEST_F(Shards, LinesOfTokens) {
  expect_same_for_chance_texts({"the dog\n", "a\tb  c\r\n", "\n", "   \n", "\xEF\xBB\xBFmark\n", "no end "},
                               CutPlaces::lines, [](const std::string& text, bool) {
                                 TokenLineReader reader(open_memory(text), "text");
                                 std::vector<Sentence> sentences;
                                 for (Sentence sentence; reader.next(sentence);)
                                   sentences.push_back(sentence);
                                 return write_text(sentences);
                               });
}

TEST_F(Shards, LinesOfMessagesAreThoseOfTheFile) {
  write(path("file"), "a\nb\n\nc\n");
  EXPECT_EQ(count_lines_before(path("file"), 0), 0U);
  EXPECT_EQ(count_lines_before(path("file"), 5), 3U);
  EXPECT_EQ(with_lines_before("a:b.conllu:7: 9 columns; 1:2", "a:b.conllu", 100),
            "a:b.conllu:107: 9 columns; 1:2");
  for (const std::string message : {"file: cannot be read", "other:7: bad", "file:7", "file:x: bad"}) {
    EXPECT_EQ(with_lines_before(message, "file", 100), message);
  }
}

TEST_F(Shards, FilesThatBecomeShorterAreFound) {
  write(path("file"), "0123456789");
  std::string bytes(4, ' ');
  const std::unique_ptr<ByteSource> source = open_file_part(path("file"), 3, 20);
  EXPECT_EQ(source->read(bytes), 4U);
  EXPECT_EQ(bytes, "3456");
  const auto read_on = [&] {
    while (source->read(bytes) > 0) {
    }
  };
  EXPECT_EQ(error_of(read_on), path("file") + ": has become shorter while it was read; start again");
  EXPECT_EQ(error_of([&] { open_file_part(path("none"), 0, 1); }).substr(0, path("none").size() + 13),
            path("none") + ": cannot open");
}

}  // namespace
}  // namespace copse::testing
