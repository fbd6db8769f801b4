#include <gtest/gtest.h>

#include "treebank/conll_helpers.h"
#include "treebank/conll_samples.h"

namespace copse {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

ConllFormat detected(const std::string& text) { return read_text(text).at(0).layout().format; }

TEST(Detection, TellsTheSamplesApart) {
  EXPECT_EQ(detected(kConlluSample), ConllFormat::conllu);
  EXPECT_EQ(detected(kConllxSample), ConllFormat::conllx);
  EXPECT_EQ(detected(kTab3Sample), ConllFormat::tab3);
}

TEST(Detection, LooksAtLinesThenAtColumnsThenAtTags) {
  const std::string dutch = "1\tzag\tzie\tV\tV\t_\t0\tROOT\t_\t_\n";
  EXPECT_EQ(detected(dutch), ConllFormat::conllx);
  EXPECT_EQ(detected("# a comment\n" + dutch), ConllFormat::conllu);
  EXPECT_EQ(detected(dutch + "1.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"), ConllFormat::conllu);
  EXPECT_EQ(detected("1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_\n" + dutch + "2\tx\tx\tV\tV\t_\t1\tx\t_\t_\n"),
            ConllFormat::conllu);
  EXPECT_EQ(detected("1\tzag\tzie\tV\tV\t_\t0\tROOT\t0:root\t_\n"), ConllFormat::conllu);
  EXPECT_EQ(detected("1\tzag\tzie\tV\tV\t_\t0\tROOT\t_\tSpaceAfter=No\n"), ConllFormat::conllu);
  EXPECT_EQ(detected("1\tsaw\tsee\tVERB\tV\t_\t0\tROOT\t0\tROOT\n"), ConllFormat::conllx);
  EXPECT_EQ(detected("1\tsaw\tsee\tVERB\tV\t_\t0\tROOT\t_\t_\n"), ConllFormat::conllu);
  EXPECT_EQ(detected("1\tsaw\tsee\t_\tV\t_\t0\tROOT\t_\t_\n"), ConllFormat::conllx);
}

TEST(Detection, AHashMayBeAWordOfThreeColumns) {
  EXPECT_EQ(detected("#\t#\t2\n5\tCD\t0\n"), ConllFormat::tab3);
  EXPECT_EQ(detected("# text = a\tb\tc\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n"), ConllFormat::conllu);
}

TEST(Detection, LaterSentencesCanShowThatAFileIsConllu) {
  const std::string plain = "1\tzag\tzie\tV\tV\t_\t0\tROOT\t_\t_\n\n";
  const std::vector<Sentence> sentences = read_text(plain + plain + "# text = zag\n" + plain + plain);
  std::vector<ConllFormat> formats;
  formats.reserve(sentences.size());
  for (const Sentence& sentence : sentences) formats.push_back(sentence.layout().format);
  EXPECT_EQ(formats, (std::vector{ConllFormat::conllx, ConllFormat::conllx, ConllFormat::conllu,
                                  ConllFormat::conllu}));
  EXPECT_EQ(write_text(sentences), plain + plain + "# text = zag\n" + plain + plain);
}

TEST(Detection, CanBeOverridden) {
  ConllReadOptions options;
  options.format = ConllFormat::conllu;
  EXPECT_EQ(read_text(kConllxSample, options)[0].layout().format, ConllFormat::conllu);
  EXPECT_THROW(read_text(kTab3Sample, options), DataError);
  options.format = ConllFormat::conllx;
  EXPECT_THROW(read_text(kConlluSample, options), DataError);
  options.format = ConllFormat::tab3;
  EXPECT_THROW(read_text(kConlluSample, options), DataError);
}

TEST(Detection, CommentsInConllxAreKept) {
  ConllReadOptions options;
  options.format = ConllFormat::conllx;
  const std::string text = "# note\n1\tzag\tzie\tV\tV\t_\t0\tROOT\t_\t_\n\n";
  EXPECT_EQ(write_text(read_text(text, options)), text);
}

TEST(Tab3, FillsFormFineTagAndHead) {
  const Sentence sentence = read_text(kTab3Sample)[0];
  EXPECT_EQ(sentence.size(), 3);
  EXPECT_EQ(sentence[1].columns(), "#\t_\t_\t#\t_\t2\t_\t_\t_");
  EXPECT_EQ(sentence.heads(), (std::vector<int>{kNoHead, 2, 0, 2}));
}

TEST(Conversion, FromThreeColumns) {
  const std::vector<Sentence> sentences = read_text("a\tDT\t2\nb\tNN\t0\n\n");
  EXPECT_EQ(write_text(sentences, ConllFormat::conllu),
            "1\ta\t_\t_\tDT\t_\t2\t_\t_\t_\n2\tb\t_\t_\tNN\t_\t0\t_\t_\t_\n\n");
  EXPECT_EQ(write_text(sentences, ConllFormat::conllx),
            "1\ta\t_\tDT\tDT\t_\t2\t_\t_\t_\n2\tb\t_\tNN\tNN\t_\t0\t_\t_\t_\n\n");
}

TEST(Conversion, FromConllu) {
  const std::vector<Sentence> sentences = read_text(kConlluSample);
  EXPECT_EQ(write_text({sentences[1]}, ConllFormat::conllx),
            "1\t海\t海\tNOUN\tNN\t_\t0\troot\t_\t_\n2\t_\t_\tSYM\tNFP\t_\t1\tpunct\t_\t_\n\n");
  EXPECT_EQ(write_text({sentences[1]}, ConllFormat::tab3), "海\tNN\t0\n_\tNFP\t1\n\n");
  EXPECT_EQ(first_line(write_text(sentences, ConllFormat::conllx)),
            "1\tVamos\tir\tVERB\tV\tMood=Imp|Number=Plur\t0\troot\t_\t_");
}

TEST(Conversion, FromConllx) {
  const std::vector<Sentence> sentences = read_text(kConllxSample);
  EXPECT_EQ(write_text({sentences[1]}, ConllFormat::conllu), "1\tJa\tja\tAdv\tAdv\t_\t0\tROOT\t_\t_\n\n");
  EXPECT_EQ(first_line(write_text(sentences, ConllFormat::conllu)),
            "1\tCathy\tCathy\tN\teigen|ev|neut\teigen|ev|neut\t2\tsu\t_\t_");
}

}  // namespace
}  // namespace copse
