#include "evaluation/aligned_scores.h"

#include <gtest/gtest.h>

#include <sstream>

#include "treebank/conll_helpers.h"

namespace copse {
namespace {

// Words as "form lemma UPOS FEATS head label"; a line "N-M form" is a range.
std::vector<Sentence> sentences_of(const std::string& text) {
  std::istringstream lines(text);
  std::string rows;
  int index = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string form;
    if (!(cells >> form)) {
      rows += "\n";
      index = 0;
    } else if (form.find('-') != std::string::npos) {
      std::string token;
      cells >> token;
      rows += form + "\t" + token + "\t_\t_\t_\t_\t_\t_\t_\t_\n";
    } else {
      std::string lemma;
      std::string upos;
      std::string feats;
      std::string head;
      std::string label;
      cells >> lemma >> upos >> feats >> head >> label;
      rows += std::to_string(++index) + "\t" + form + "\t" + lemma + "\t" + upos + "\t_\t" + feats + "\t" +
              head + "\t" + label + "\t_\t_\n";
    }
  }
  ConllReadOptions options;
  options.format = ConllFormat::conllu;
  options.validate_trees = false;
  return read_text(rows, options);
}

AlignedScores scores_of(const std::string& gold, const std::string& system) {
  return evaluate_aligned(sentences_of(gold), sentences_of(system));
}

// A chain of words, of which tokens "abc=a+b+c" are multiword tokens.
std::string chain(const std::string& tokens) {
  std::istringstream words(tokens);
  std::string text;
  int index = 0;
  for (std::string item; words >> item;) {
    const size_t equals = item.find('=');
    if (equals == std::string::npos) {
      text += item + " _ X _ " + std::to_string(index) + " dep\n";
      ++index;
      continue;
    }
    std::string parts = item.substr(equals + 1);
    const auto count = 1 + std::count(parts.begin(), parts.end(), '+');
    text +=
        std::to_string(index + 1) + "-" + std::to_string(index + count) + " " + item.substr(0, equals) + "\n";
    std::replace(parts.begin(), parts.end(), '+', ' ');
    std::istringstream forms(parts);
    for (std::string form; forms >> form; ++index)
      text += form + " _ X _ " + std::to_string(index) + " dep\n";
  }
  return text;
}

int64_t aligned_words(const std::string& gold, const std::string& system) {
  return scores_of(chain(gold), chain(system))[AlignedMeasure::words].correct;
}

TEST(AlignedScores, TokensAlignByTheirCharacters) {
  EXPECT_EQ(aligned_words("ab c d", "ab c d"), 3);
  EXPECT_EQ(aligned_words("abcd", "a b c d"), 0);
  EXPECT_EQ(aligned_words("abc d", "a b c d"), 1);
  EXPECT_EQ(aligned_words("a bc d", "a b c d"), 2);
  EXPECT_EQ(aligned_words("ä bc d", "ä b cd"), 1);
}

TEST(AlignedScores, WordsOfMultiwordTokensAlignByTheirForms) {
  EXPECT_EQ(aligned_words("abc=a+b+c", "a b c"), 3);
  EXPECT_EQ(aligned_words("a b c", "abc=a+b+c"), 3);
  EXPECT_EQ(aligned_words("x abc=A+B+C y", "x abc=a+b+c y"), 5);
  EXPECT_EQ(aligned_words("abc=a+b+c", "abc=c+b+a"), 1);
  EXPECT_EQ(aligned_words("abc=x+y", "abc=a+b"), 0);
  EXPECT_EQ(aligned_words("abc=a+q+c", "abc=a+c"), 2);
}

TEST(AlignedScores, OverlappingMultiwordTokensAreOneSpan) {
  EXPECT_EQ(aligned_words("abc=a+b+c de=d+e", "a bcd=b+c+d e"), 5);
  EXPECT_EQ(aligned_words("abcd=a+b+c+d e", "ab=a+b cde=c+d+e"), 5);
  // A word that reaches into the span without being in it takes no part.
  EXPECT_EQ(aligned_words("a bc=b+c d", "ab c d"), 2);
  EXPECT_EQ(aligned_words("a bc=b+c d", "a b cd"), 2);
}

TEST(AlignedScores, OnlyOneWordIsLeftBehindBeforeASpan) {
  // The rules of the shared task: of the words before a span that face a longer gold token, the first is
  // passed over, and the others may align with words of the same form inside.
  EXPECT_EQ(aligned_words("abx xy=b+y", "a b x x y"), 2);
  EXPECT_EQ(aligned_words("abx xy=a+y", "a b x x y"), 1);
}

TEST(AlignedScores, SpacesDoNotCount) {
  std::vector<Sentence> gold = sentences_of(chain("NewYork x"));
  std::vector<Sentence> system = gold;
  gold[0][1].set_form("New\u00A0York");
  system[0][1].set_form("New Yo\u3000rk");
  EXPECT_EQ(evaluate_aligned(gold, system)[AlignedMeasure::words].correct, 2);
  // But they do in the forms of the words of a multiword token.
  gold = sentences_of(chain("ab=ab+c"));
  system = sentences_of(chain("ab=ab+c"));
  system[0][1].set_form("a b");
  EXPECT_EQ(evaluate_aligned(gold, system)[AlignedMeasure::words].correct, 1);
}

TEST(AlignedScores, SentencesAreSpansOfCharacters) {
  const std::string two = chain("a b") + "\n" + chain("c d");
  const AlignedScores scores = scores_of(two, chain("a b c d"));
  EXPECT_EQ(scores[AlignedMeasure::sentences], (AlignedScore{0, 2, 1, {}}));
  EXPECT_EQ(scores[AlignedMeasure::tokens], (AlignedScore{4, 4, 4, {}}));
  // c is a root on one side only.
  EXPECT_EQ(scores[AlignedMeasure::uas], (AlignedScore{3, 4, 4, 4}));
  EXPECT_EQ(scores_of(two, chain("a b") + "\n" + chain("c") + "\n" + chain("d"))[AlignedMeasure::sentences],
            (AlignedScore{1, 2, 3, {}}));
}

TEST(AlignedScores, TagsFeaturesAndLemmas) {
  const AlignedScores scores = scores_of(
      "a x NOUN Number=Sing|Case=Nom 0 root\n"
      "b _ VERB Number[psor]=Sing 1 dep\n"
      "c y ADJ Tense=Past 1 dep\n"
      "d z X Number=Sing 1 dep\n",
      "a x NOUN Case=Nom|Foo=Bar|Number=Sing 0 root\n"
      "b other VERB _ 1 dep\n"
      "c _ NOUN Tense=Past 1 dep\n"
      "d Z X Number=Plur 1 dep\n");
  EXPECT_EQ(scores[AlignedMeasure::upos], (AlignedScore{3, 4, 4, 4}));
  EXPECT_EQ(scores[AlignedMeasure::xpos], (AlignedScore{4, 4, 4, 4}));
  EXPECT_EQ(scores[AlignedMeasure::ufeats], (AlignedScore{3, 4, 4, 4}));
  EXPECT_EQ(scores[AlignedMeasure::all_tags], (AlignedScore{2, 4, 4, 4}));
  EXPECT_EQ(scores[AlignedMeasure::lemmas], (AlignedScore{2, 4, 4, 4}));
  EXPECT_EQ(scores[AlignedMeasure::blex], (AlignedScore{2, 4, 4, 4}));
}

TEST(AlignedScores, HeadsAreFoundThroughTheAlignment) {
  const AlignedScores scores = scores_of(
      "a _ X _ 2 nsubj:pass\n"
      "b _ X _ 0 root\n"
      "cd _ X _ 2 obj\n"
      "e _ X _ 3 nmod\n",
      "a _ X _ 2 nsubj\n"
      "b _ X _ 0 root\n"
      "c _ X _ 2 obj\n"
      "d _ X _ 3 dep\n"
      "e _ X _ 3 nmod\n");  // the head is not aligned
  EXPECT_EQ(scores[AlignedMeasure::words], (AlignedScore{3, 4, 5, {}}));
  EXPECT_EQ(scores[AlignedMeasure::uas], (AlignedScore{2, 4, 5, 3}));
  EXPECT_EQ(scores[AlignedMeasure::las], (AlignedScore{2, 4, 5, 3}));
  EXPECT_DOUBLE_EQ(scores[AlignedMeasure::las].precision(), 0.4);
  EXPECT_DOUBLE_EQ(scores[AlignedMeasure::las].recall(), 0.5);
  EXPECT_DOUBLE_EQ(scores[AlignedMeasure::las].f1(), 4.0 / 9.0);
  EXPECT_DOUBLE_EQ(*scores[AlignedMeasure::las].aligned_accuracy(), 2.0 / 3.0);
}

TEST(AlignedScores, FunctionWordsCountWithTheirContentWords) {
  const std::string gold =
      "the _ DET Definite=Def 2 det\n"
      "dog _ NOUN _ 3 nsubj\n"
      "barks _ VERB _ 0 root\n"
      ". _ PUNCT _ 3 punct\n";
  EXPECT_EQ(scores_of(gold, gold)[AlignedMeasure::clas], (AlignedScore{2, 2, 2, 2}));
  const auto with = [&gold](const std::string& from, const std::string& to) {
    std::string system = gold;
    system.replace(system.find(from), from.size(), to);
    return scores_of(gold, system);
  };
  // Wrong in the function word: its features, its label, its head.
  EXPECT_EQ(with("Definite=Def", "Definite=Ind")[AlignedMeasure::mlas], (AlignedScore{1, 2, 2, 2}));
  EXPECT_EQ(with("Definite=Def", "Local=Yes|Definite=Def")[AlignedMeasure::mlas], (AlignedScore{2, 2, 2, 2}));
  EXPECT_EQ(with("2 det", "2 case")[AlignedMeasure::mlas], (AlignedScore{1, 2, 2, 2}));
  EXPECT_EQ(with("2 det", "3 det")[AlignedMeasure::mlas], (AlignedScore{0, 2, 2, 2}));
  EXPECT_EQ(with("2 det", "3 det")[AlignedMeasure::clas], (AlignedScore{2, 2, 2, 2}));
  // A function word that became a content word is one more for the system.
  EXPECT_EQ(with("2 det", "2 nmod")[AlignedMeasure::clas], (AlignedScore{2, 2, 3, 2}));
  // The part of speech of the content word, and punctuation, which does not count.
  EXPECT_EQ(with("NOUN", "PROPN")[AlignedMeasure::mlas], (AlignedScore{1, 2, 2, 2}));
  EXPECT_EQ(with("3 punct", "2 punct")[AlignedMeasure::mlas], (AlignedScore{2, 2, 2, 2}));
}

TEST(AlignedScores, NothingIsZero) {
  const AlignedScores scores = evaluate_aligned({}, {});
  for (const AlignedScore& score : scores.all()) {
    EXPECT_EQ(score.f1(), 0.0);
    EXPECT_EQ(score.precision(), 0.0);
  }
  EXPECT_EQ(scores[AlignedMeasure::clas].aligned_accuracy(), 0.0);
  EXPECT_FALSE(scores[AlignedMeasure::words].aligned_accuracy());
}

TEST(AlignedScores, DifferentTextsAreRefused) {
  const auto error = [](const std::string& gold, const std::string& system) {
    return error_of([&] { scores_of(gold, system); });
  };
  EXPECT_EQ(error(chain("a bc d"), chain("a b x")),
            "system:3: the text goes on with 'x'; that of gold:2 goes on with 'cd'; evaluate analyses of one "
            "text");
  EXPECT_EQ(error(chain("a") + "\n" + chain("aä"), chain("a aö")),
            "system:2: the text goes on with 'ö'; that of gold:3 goes on with 'ä'; evaluate analyses of one "
            "text");
  EXPECT_EQ(error(chain("a b"), chain("a")),
            "system:1: the text ends here; that of gold:2 goes on with 'b'; evaluate analyses of one text");
  EXPECT_EQ(error(chain("a"), chain("a b")),
            "system:2: the text goes on with 'b'; that of gold:1 ends here; evaluate analyses of one text");
  EXPECT_EQ(error(chain("a"), ""),
            "system: the text ends here; that of gold:1 goes on with 'a'; evaluate analyses of one text");
}

TEST(AlignedScores, OnlyTreesWithOneRootAreScored) {
  const std::string good = chain("a b");
  const auto error = [&good](const std::string& system) {
    return error_of([&] { scores_of(good, system); });
  };
  EXPECT_EQ(error("a _ X _ 0 root\nb _ X _ 0 root\n"),
            "system:2: word 2 'b' is a root beside word 1; aligned evaluation is for trees with one");
  EXPECT_EQ(error("a _ X _ 2 dep\nb _ X _ 1 dep\n"),
            "system:1: word 1 'a' is part of a cycle; give it another head");
  EXPECT_EQ(error("a _ X _ _ dep\nb _ X _ 0 dep\n"),
            "system:1: word 1 'a' has no head; aligned evaluation is for whole trees");
  std::vector<Sentence> spaces = sentences_of(good);
  spaces[0][2].set_form("\u00A0 ");
  EXPECT_EQ(error_of([&] { evaluate_aligned(spaces, spaces); }),
            "gold:2: the FORM has nothing but spaces; write what is in the text");
}

TEST(AlignedScores, SentencesWithoutHeadsAreNotParsed) {
  const AlignedScores scores = scores_of(chain("a b"), "a _ X _ _ _\nb _ X _ _ _\n");
  EXPECT_EQ(scores[AlignedMeasure::words].f1(), 1.0);
  EXPECT_EQ(scores[AlignedMeasure::sentences].f1(), 1.0);
  EXPECT_EQ(scores[AlignedMeasure::uas].correct, 0);
  EXPECT_EQ(scores[AlignedMeasure::uas].gold, 2);
}

TEST(AlignedScores, OverlapsOfAnyLengthDoNotTakeAllMemory) {
  // Ranges of two words each that are shifted against each other: one span from end to end.
  const auto shifted = [](int words, bool starts_alone) {
    Sentence sentence;
    for (int k = 0; k < words; ++k) {
      sentence.add_word(starts_alone ? "x" : "y");
      sentence[k + 1].set_head(k);
    }
    for (int first = starts_alone ? 2 : 1; first < words; first += 2) {
      sentence.add_multiword(first, first + 1).set_form("ab");
    }
    for (int word = 1; word <= words; ++word) sentence[word].set_lemma("_");
    return sentence;
  };
  Sentence gold = shifted(2000, false);
  Sentence system = shifted(2000, true);
  // 1,000 tokens "ab" against "a", 999 of "ba" and "b".
  system[1].set_form("a");
  system[2000].set_form("b");
  for (MultiwordToken& range : system.multiwords()) range.set_form("ba");
  const AlignedScores scores = evaluate_aligned(std::span(&gold, 1), std::span(&system, 1));
  EXPECT_EQ(scores[AlignedMeasure::words].correct, 0);
  EXPECT_EQ(scores[AlignedMeasure::tokens].correct, 0);
  EXPECT_EQ(scores[AlignedMeasure::sentences].correct, 1);
}

}  // namespace
}  // namespace copse
