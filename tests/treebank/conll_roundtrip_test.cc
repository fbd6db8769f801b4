#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/compress_helpers.h"
#include "io/slow_source.h"
#include "treebank/conll_helpers.h"
#include "treebank/conll_samples.h"
#include "treebank/conll_source.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

std::string file_content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string with_crlf(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result.push_back('\r');
    result.push_back(c);
  }
  return result;
}

std::string without_end(std::string text, size_t count) {
  text.resize(text.size() - count);
  return text;
}

std::string roundtrip(const std::string& text) { return write_text(read_text(text)); }

class RoundTrip : public ::testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, KeepsEveryByte) {
  const std::string sample = GetParam();
  const std::string crlf = with_crlf(sample);
  const std::vector<std::string> variants = {sample,
                                             crlf,
                                             "\xEF\xBB\xBF" + sample,
                                             "\xEF\xBB\xBF" + crlf,
                                             without_end(sample, 1),
                                             without_end(sample, 2),
                                             without_end(crlf, 2),
                                             without_end(crlf, 4),
                                             "\n\n" + sample,
                                             sample + "\n\n" + sample,
                                             "\xEF\xBB\xBF\r\n" + crlf + "\r\n" + crlf};
  for (const std::string& text : variants) {
    EXPECT_EQ(roundtrip(text), text);
  }
}

TEST_P(RoundTrip, WorksWithAnyBuffering) {
  const std::string text = GetParam();
  for (const std::string& bytes : {text, gzip_bytes(text), zstd_bytes(text)}) {
    for (const size_t step : {1, 2, 3, 7, 100}) {
      EXPECT_EQ(write_text(read_all(ConllSource::open(std::make_unique<SlowSource>(bytes, step), "slow"))),
                text);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, RoundTrip, ::testing::Values(kConlluSample, kConllxSample, kTab3Sample));

TEST(RoundTripEnds, DropsBlankLinesAtTheVeryEnd) {
  EXPECT_EQ(roundtrip(std::string(kConllxSample) + "\n\n"), kConllxSample);
}

TEST(RoundTripEnds, MixedLineEndsFollowTheFirstLineOfTheSentence) {
  EXPECT_EQ(roundtrip("a\tA\t2\r\nb\tB\t0\n\na\tA\t2\nb\tB\t0\r\n\r\n"),
            "a\tA\t2\r\nb\tB\t0\r\n\r\na\tA\t2\nb\tB\t0\n\n");
}

TEST(RoundTripEnds, SentencesOfSeveralFilesStayApart) {
  const Sentence nothing = read_text(
      "\xEF\xBB\xBF"
      "a\tA\t0")[0];
  const Sentence line_end = read_text(
      "\xEF\xBB\xBF"
      "b\tB\t0\n")[0];
  EXPECT_EQ(write_text({nothing, line_end, nothing}),
            "\xEF\xBB\xBF"
            "a\tA\t0\n\nb\tB\t0\n\na\tA\t0");
}

TEST(RoundTripEnds, TheByteOrderMarkBelongsToTheFirstSentence) {
  const std::vector<Sentence> sentences = read_text(std::string("\xEF\xBB\xBF") + kConllxSample);
  EXPECT_EQ(write_text({sentences[1]}), "1\tJa\tja\tAdv\tAdv\t_\t0\tROOT\t_\t_\n\n");
}

TEST(Reader, AFileWithoutSentencesHasNone) {
  for (const std::string text : {"", "\n", "\r\n\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\n"}) {
    EXPECT_TRUE(read_text(text).empty());
    EXPECT_TRUE(read_text(gzip_bytes(text)).empty());
  }
}

TEST(Reader, GivesASentenceAsSoonAsItsBlankLineIsRead) {
  // A source that must not be asked for more than the first sentence.
  class OneSentence : public ByteSource {
   public:
    size_t read(std::span<char> out) override {
      if (asked_) throw DataError("read too far");
      asked_ = true;
      return std::string_view("a\tA\t0\n\n").copy(out.data(), out.size());
    }

   private:
    bool asked_ = false;
  };
  ConllReader reader = ConllSource::open(std::make_unique<OneSentence>(), "pipe");
  Sentence sentence;
  EXPECT_TRUE(reader.next(sentence));
  EXPECT_EQ(sentence[1].form(), "a");
  EXPECT_THROW(reader.next(sentence), DataError);
}

TEST(Reader, KnowsTheLineOfEachSentence) {
  ConllReader reader = ConllReader::from_text(kConlluSample);
  Sentence sentence;
  EXPECT_EQ(reader.format(), ConllFormat::detect);
  ASSERT_TRUE(reader.next(sentence));
  EXPECT_EQ(reader.first_line(), 1U);
  ASSERT_TRUE(reader.next(sentence));
  EXPECT_EQ(reader.first_line(), 15U);
  EXPECT_FALSE(reader.next(sentence));
  EXPECT_TRUE(sentence.empty());
  EXPECT_FALSE(reader.next(sentence));
  EXPECT_EQ(reader.format(), ConllFormat::conllu);
}

TEST(Writer, WritesFilesThatAppearWhenClosed) {
  const fs::path path = fs::path(::testing::TempDir()) / "copse_conll_writer_test";
  fs::remove(path);
  const std::vector<Sentence> sentences = read_text(kConlluSample);
  const auto fail_while_writing = [&] {
    ConllWriter abandoned(path);
    abandoned.write(sentences[0]);
    abandoned.flush();
    throw DataError("something else went wrong");
  };
  EXPECT_THROW(fail_while_writing(), DataError);
  EXPECT_FALSE(fs::exists(path));
  {
    ConllWriter forgotten(path);
    forgotten.write(sentences[0]);
  }
  EXPECT_EQ(read_conll(path).size(), 1U);
  fs::remove(path);
  ConllWriter writer(path);
  for (const Sentence& sentence : sentences) writer.write(sentence);
  EXPECT_FALSE(fs::exists(path));
  writer.close();
  EXPECT_EQ(file_content(path), kConlluSample);
  EXPECT_EQ(read_conll(path), sentences);
  fs::remove(path);
}

TEST(Writer, RefusesSentencesThatCannotBeRead) {
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text);
  EXPECT_THROW(writer.write(Sentence()), DataError);
  Sentence sentence;
  sentence.add_word("a").set_head(2);
  EXPECT_EQ(error_of([&] { writer.write(sentence); }),
            "cannot write a sentence: the head of word 1 is 2, outside 0..1; use the ID of a word, 0 for the "
            "root or "
            "_ for none");
  sentence[1].set_head(1);
  writer.write(sentence);  // cycles are the reader's business
  Sentence with_range = sentence;
  with_range.add_multiword(1, 2);
  EXPECT_THROW(writer.write(with_range), DataError);
  Sentence with_node = sentence;
  with_node.add_empty_node(2);
  EXPECT_THROW(writer.write(with_node), DataError);
  EXPECT_EQ(text, "1\ta\t_\t_\t_\t_\t1\t_\t_\t_\n\n");
}

// Lets a file stand in for the standard input or output.
class Redirection {
 public:
  Redirection(int descriptor, const fs::path& path, int flags)
      : descriptor_(descriptor), original_(::dup(descriptor)) {
    const int file = ::open(path.c_str(), flags, 0600);
    ::dup2(file, descriptor_);
    ::close(file);
  }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;
  ~Redirection() {
    ::dup2(original_, descriptor_);
    ::close(original_);
  }

 private:
  int descriptor_;
  int original_;
};

TEST(StandardStreams, AreCalledByADash) {
  const fs::path in = fs::path(::testing::TempDir()) / "copse_conll_stdin";
  const fs::path out = fs::path(::testing::TempDir()) / "copse_conll_stdout";
  std::ofstream(in, std::ios::binary) << zstd_bytes(kConlluSample) << zstd_bytes("broken");
  std::string message;
  {
    const Redirection input(STDIN_FILENO, in, O_RDONLY);
    const Redirection output(STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC);
    message = error_of([] {
      ConllReader reader("-");
      ConllWriter writer("-");
      for (Sentence sentence; reader.next(sentence);) {
        writer.write(sentence);
        writer.flush();
      }
    });
  }
  EXPECT_EQ(file_content(out), kConlluSample);
  EXPECT_EQ(message.substr(0, 39), "<stdin>:21: 1 column found, 10 expected");
  fs::remove(in);
  fs::remove(out);
}

class SharedData : public ::testing::TestWithParam<const char*> {};

TEST_P(SharedData, RoundTripsEveryFile) {
  const char* root = std::getenv("COPSE_SHARED_DATA");
  const fs::path folder = fs::path(root == nullptr ? "" : root) / GetParam();
  if (root == nullptr || !fs::is_directory(folder)) {
    GTEST_SKIP() << "needs the treebank " << GetParam() << " in the folder that COPSE_SHARED_DATA names";
  }
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".conllu" && extension != ".dp") continue;
    ++files;
    ConllReader reader(entry.path());
    std::string written;
    ConllWriter writer = ConllWriter::to_text(written);
    for (Sentence sentence; reader.next(sentence);) writer.write(sentence);
    EXPECT_EQ(reader.format(), extension == ".dp" ? ConllFormat::tab3 : ConllFormat::conllu) << entry.path();
    EXPECT_TRUE(written == file_content(entry.path())) << entry.path();
  }
  EXPECT_GT(files, 0);
}

INSTANTIATE_TEST_SUITE_P(Treebanks, SharedData, ::testing::Values("en_ewt", "zh_gsd", "cs_mix", "en_ptb"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace copse
