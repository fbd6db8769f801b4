// What /v1/parse answers, compared with the pipeline and with what must hold whatever the model says.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "copse/treebank/conll.h"
#include "inference/test_settings.h"
#include "pipeline/stream_parser.h"
#include "segmentation/text_reader.h"
#include "serving/json_toys.h"
#include "serving/parse_request.h"
#include "text/utf8.h"
#include "trees/heads.h"

namespace copse::testing {
namespace {

constexpr const char* kText = "The dog sees the tree with Anna. Dr. Ben wouldn't like a river!";

using Random = std::mt19937_64;

bool happens(Random& random, double probability) {
  return std::uniform_real_distribution<double>(0, 1)(random) < probability;
}
int uniform_int(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

std::vector<int> heads_of(const Json& sentence) {
  std::vector<int> heads = {kNoHead};
  for (const Json& word : sentence["words"]) {
    heads.push_back(word["head"].is_null() ? kNoHead : word["head"].get<int>());
  }
  return heads;
}

double probability_of(const Json& word, int head) {
  for (const Json& alternative : word["alternatives"]) {
    if (alternative["head"] == head) return alternative["p"];
  }
  return 0.0;
}

// The words of the toy language, without tags and trees.
std::vector<std::string> toy_words(std::uint32_t seed) {
  std::vector<std::string> words;
  const Sentence sentence = read_text(ToyGrammar(seed).sentence()).front();
  for (const Token& word : sentence.words()) words.emplace_back(word.form());
  return words;
}

// In an order in which the language does not have them, so that little is certain.
std::vector<std::string> shuffled_words(std::uint32_t seed) {
  std::vector<std::string> words = toy_words(seed);
  std::shuffle(words.begin(), words.end(), std::mt19937(seed));
  return words;
}

TEST(JsonParse, TextBecomesSentencesOfWords) {
  const Json answer = JsonClient().parse({{"text", kText}});
  EXPECT_EQ(answer["model"], "toy");
  EXPECT_FALSE(answer.contains("warnings"));
  ASSERT_EQ(answer["sentences"].size(), 2U);
  const Json& second = answer["sentences"][1];
  EXPECT_EQ(second["text"], "Dr. Ben wouldn't like a river!");
  EXPECT_EQ(second["sent_id"], nullptr);
  EXPECT_EQ(second["pieces"], 1);
  EXPECT_EQ(second["had_to_prune"], false);
  EXPECT_LE(second["log_probability"], 0.0);
  EXPECT_GE(second["entropy"], 0.0);
  ASSERT_EQ(second["multiword_tokens"].size(), 1U);
  EXPECT_EQ(
      second["multiword_tokens"][0],
      Json({{"first", 3}, {"last", 4}, {"form", "wouldn't"}, {"start", 41}, {"end", 49}, {"misc", nullptr}}));
  const Json& word = second["words"][2];
  EXPECT_EQ(word["form"], "would");
  EXPECT_EQ(word["start"], 41);
  EXPECT_EQ(word["end"], 49);
  for (const Json& sentence : answer["sentences"]) {
    EXPECT_TRUE(is_tree(heads_of(sentence)));
    int number = 0;
    for (const Json& one : sentence["words"]) {
      EXPECT_EQ(one["id"], ++number);
      EXPECT_TRUE(one["upos"].is_string());
      EXPECT_TRUE(one["deprel"].is_string());
      EXPECT_GT(one["p"], 0.0);
      EXPECT_GT(one["p_deprel"], 0.0);
      EXPECT_FALSE(one.contains("pinned") || one.contains("doubtful"));
      EXPECT_EQ(one["misc"].dump().find("TokenRange"), std::string::npos);
    }
    for (const char* absent : {"trees", "dropped", "conllu"}) EXPECT_FALSE(sentence.contains(absent));
  }
}

TEST(JsonParse, NothingIsAnEmptyAnswer) {
  for (const char* body :
       {R"({"text":""})", R"({"text":" \n\n "})", R"({"tokens":[]})", R"({"conllu":""})"}) {
    EXPECT_EQ(Json::parse(JsonClient().ask(body).body),
              Json({{"model", "toy"}, {"sentences", Json::array()}}));
  }
}

TEST(JsonParse, OnlyWhatIsAskedForIsAnswered) {
  const Json answer = JsonClient().parse({{"text", kText}, {"probabilities", false}, {"labels", false}});
  for (const Json& sentence : answer["sentences"]) {
    EXPECT_FALSE(sentence.contains("entropy") || sentence.contains("log_probability"));
    for (const Json& word : sentence["words"]) {
      EXPECT_TRUE(word["head"].is_number());
      EXPECT_EQ(word["deprel"], nullptr);
      for (const char* absent : {"p", "p_deprel", "alternatives"}) EXPECT_FALSE(word.contains(absent));
    }
  }
  const Json fewer = JsonClient().parse({{"text", kText}, {"min_alternative", 0}});
  EXPECT_FALSE(fewer["sentences"][0]["words"][0].contains("alternatives"));
  EXPECT_TRUE(fewer["sentences"][0]["words"][0].contains("p"));
}

// Every option that the command line has, and all of them as it would write them.
std::string written_by_stream_parser(SentenceReader& reader, const ParseOptions& options) {
  std::string text;
  ConllWriter writer = ConllWriter::to_text(text);
  TaskPool pool(1);
  ParsingObserver nobody;
  StreamParser parser(toy_pipeline_model(), options, pool, writer, nobody);
  for (Sentence sentence; reader.next(sentence);) parser.add(std::move(sentence));
  parser.flush();
  return text;
}

TEST(JsonParse, ConlluIsThatOfTheCommandLine) {
  const std::string conllu =
      toy_treebank(20, 3) +
      "# sent_id = x\n# tree_entropy = 5\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tTokenRange=4:6\n"
      "1\tde\t_\tDET\tDT\t_\t2\tdet\t_\tP=0.5|Gloss=x\n"
      "2\tdog\t_\tNOUN\tNN\t_\t0\troot\t0:root\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t2:a\t_\n\n";
  const std::vector<Json> variants = {
      Json::object(),
      {{"probabilities", false}},
      {{"kbest", 4}},
      {{"kbest", 3}, {"probabilities", false}},
      {{"min_confidence", 0.99}},
      {{"min_confidence", 0.99}, {"doubtful", "mark"}},
      {{"decode", "mbr"}},
      {{"tag", "always"}},
      {{"labels", false}},
      {{"prune", 0}},
  };
  std::string text;
  for (int k = 0; k < 9; ++k) text += std::string(kText) + (k % 3 == 0 ? "\r\n\r\n" : "  \n");
  for (const Json& variant : variants) {
    for (const bool is_text : {true, false}) {
      Json body = variant;
      body[is_text ? "text" : "conllu"] = is_text ? text : conllu;
      body["return_conllu"] = true;
      std::string joined;
      const Json answer = JsonClient().parse(body);
      for (const Json& sentence : answer["sentences"]) {
        joined += sentence["conllu"].get<std::string>();
      }
      const ParseOptions options = read_parse_request(body.dump()).options;
      TextReader text_reader(open_memory(text), *toy_pipeline_model().components().segmenter, "text");
      ConllReader conll_reader = ConllReader::from_text(conllu);
      SentenceReader& reader = is_text ? static_cast<SentenceReader&>(text_reader) : conll_reader;
      const std::string expected = written_by_stream_parser(reader, options);
      EXPECT_GT(expected.size(), 1000U);
      EXPECT_TRUE(joined == expected) << body.dump().substr(0, 200);
    }
  }
}

TEST(JsonParse, ColumnsOfTheInputComeBack) {
  const std::string conllu =
      "# sent_id = x\n# tree_entropy = 5\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tTokenRange=4:6\n"
      "1\tthe\tder\tDET\tDT\tA=b\t2\tdet\t_\tP=0.5|Gloss=x\n"
      "2\tdog\t_\tNOUN\tNN\t_\t0\troot\t_\tTokenRange=7:10\n2.1\tx\t_\t_\t_\t_\t_\t_\t2:a\t_\n\n";
  const Json sentence = JsonClient().parse({{"conllu", conllu}})["sentences"][0];
  EXPECT_EQ(sentence["sent_id"], "x");
  EXPECT_EQ(sentence["text"], nullptr);
  EXPECT_EQ(sentence["comments"], Json({"# sent_id = x"}));  // what an earlier parse has said is gone
  EXPECT_EQ(sentence["words"][0]["lemma"], "der");
  EXPECT_EQ(sentence["words"][0]["feats"], "A=b");
  EXPECT_EQ(sentence["words"][0]["misc"], "Gloss=x");
  EXPECT_EQ(sentence["words"][0]["start"], 4);  // of the token that it is part of
  EXPECT_EQ(sentence["words"][0]["end"], 6);
  EXPECT_EQ(sentence["multiword_tokens"][0]["misc"], "TokenRange=4:6");
  EXPECT_EQ(sentence["empty_nodes"][0]["form"], "x");
  EXPECT_EQ(sentence["empty_nodes"][0]["deps"], "2:a");
}

// Text in which characters have one to four bytes, marks combine, and lines end in different ways.
std::string strange_text(Random& random) {
  const std::vector<std::string> kWords = {
      "dog", "Dr.",    "wouldn't", "🌳🌳",    "e\xCC\x81t\xC3\xA9",          "木木",
      "(a",  "river)", "𝒳",        "don't", "\xE2\x80\x9Cyes\xE2\x80\x9D", ".",
      "!",   "ⅷ"};
  const std::vector<std::string> kSpaces = {" ",    " ",        " ",  "  ",       "\r\n",   "\n",
                                            "\n\n", "\r\n\r\n", "\t", "\xC2\xA0", ". The ", ""};
  std::string text = happens(random, 0.2) ? "\xEF\xBB\xBF" : "";
  for (int k = uniform_int(random, 0, 30); k > 0; --k) {
    text += kWords[random() % kWords.size()] + kSpaces[random() % kSpaces.size()];
  }
  return text;
}

std::string characters(const std::string& text, std::size_t begin, std::size_t end) {
  const std::string_view rest = std::string_view(text).substr(first_characters(text, begin).size());
  return std::string(first_characters(rest, end - begin));
}

TEST(JsonParse, OffsetsAreWhereTheWordsAre) {
  JsonClient client;
  int compared = 0;
  for (int number = 0; number < scaled(150); ++number) {
    SCOPED_TRACE(case_name(number));
    Random random = case_generator(number);
    const std::string text = strange_text(random);
    std::size_t behind = 0;
    const Json answer = client.parse({{"text", text}, {"lines", happens(random, 0.3)}});
    for (const Json& sentence : answer["sentences"]) {
      std::set<int> in_multiwords;
      for (const Json& token : sentence["multiword_tokens"]) {
        EXPECT_EQ(characters(text, token["start"], token["end"]), token["form"]);
        for (int word = token["first"]; word <= token["last"]; ++word) in_multiwords.insert(word);
      }
      for (const Json& word : sentence["words"]) {
        const std::size_t begin = word["start"];
        const std::size_t end = word["end"];
        EXPECT_LT(begin, end);
        if (!in_multiwords.contains(word["id"])) {
          EXPECT_EQ(characters(text, begin, end), word["form"]) << text;
          EXPECT_GE(begin, behind);
          ++compared;
        }
        behind = end;
      }
    }
    EXPECT_LE(behind, count_characters(text));
  }
  EXPECT_GT(compared, scaled(150));
}

TEST(JsonParse, AlternativesAreADistribution) {
  JsonClient client;
  int ambiguous = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const Json tokens = Json::array({shuffled_words(seed)});
    const Json all =
        client.parse({{"tokens", tokens}, {"min_alternative", 1e-300}, {"prune", 0}})["sentences"][0];
    const Json some = client.parse({{"tokens", tokens}, {"prune", 0}})["sentences"][0];
    for (std::size_t k = 0; k < all["words"].size(); ++k) {
      const Json& word = all["words"][k];
      double sum = 0.0;
      double last = 1.0;
      for (const Json& alternative : word["alternatives"]) {
        const double p = alternative["p"];
        EXPECT_LE(p, last);  // the best one first
        last = p;
        sum += p;
        const auto in_some = probability_of(some["words"][k], alternative["head"]);
        EXPECT_EQ(in_some, p >= 0.01 || alternative["head"] == word["head"] ? p : 0.0);
        if (alternative["head"] == word["head"]) {
          EXPECT_EQ(alternative["deprel"], word["deprel"]);
          EXPECT_EQ(alternative["p_deprel"], word["p_deprel"]);
        }
      }
      EXPECT_NEAR(sum, 1.0, 1e-6);
      EXPECT_NEAR(probability_of(word, word["head"]), word["p"], 1e-7);
      ambiguous += word["p"] < 0.99 ? 1 : 0;
    }
  }
  EXPECT_GT(ambiguous, 20);
}

// P(tree) = P(arc) P(tree | arc): what a client decides conditions everything else.
TEST(JsonParse, ConstraintsConditionTheDistribution) {
  JsonClient client;
  for (int number = 0; number < scaled(12); ++number) {
    SCOPED_TRACE(case_name(number));
    Random random = case_generator(number);
    const Json tokens = Json::array({toy_words(99), toy_words(static_cast<std::uint32_t>(random()))});
    const Json body = {{"tokens", tokens}, {"kbest", 1000}, {"min_alternative", 1e-9}, {"prune", 0}};
    const Json free = client.parse(body);
    const Json& words = free["sentences"][1]["words"];
    const int word = uniform_int(random, 1, static_cast<int>(words.size()));
    const Json& alternatives = words[static_cast<std::size_t>(word) - 1]["alternatives"];
    const Json chosen = alternatives[random() % alternatives.size()];
    Json constrained_body = body;
    constrained_body["constraints"] = {{{"sentence", 2}, {"word", word}, {"head", chosen["head"]}}};
    const Json constrained = client.parse(constrained_body);
    EXPECT_EQ(constrained["sentences"][0], free["sentences"][0]);  // the other one does not change
    const Json& pinned = constrained["sentences"][1]["words"][static_cast<std::size_t>(word) - 1];
    EXPECT_EQ(pinned["p"], 1.0);
    EXPECT_EQ(pinned["pinned"], true);
    EXPECT_EQ(pinned["head"], chosen["head"]);
    ASSERT_EQ(pinned["alternatives"].size(), 1U);
    EXPECT_EQ(pinned["alternatives"][0]["p"], 1.0);
    std::map<std::vector<int>, double> expected;
    for (const Json& tree : free["sentences"][1]["trees"]) {
      if (tree["heads"][static_cast<std::size_t>(word) - 1] != chosen["head"]) continue;
      expected[tree["heads"]] = tree["log_probability"].get<double>() - std::log(chosen["p"].get<double>());
    }
    int compared = 0;
    for (const Json& tree : constrained["sentences"][1]["trees"]) {
      const auto found = expected.find(tree["heads"]);
      if (found == expected.end()) continue;
      EXPECT_NEAR(tree["log_probability"], found->second, 1e-5);
      ++compared;
    }
    EXPECT_EQ(compared, static_cast<int>(expected.size()));
  }
}

TEST(JsonParse, LabelsCanBeGiven) {
  const Json tokens = Json::array({toy_words(5)});
  const Json sentence = JsonClient().parse({{"tokens", tokens},
                                            {"constraints",
                                             {{{"sentence", 1}, {"word", 1}, {"deprel", "mine"}},
                                              {{"sentence", 1}, {"word", 2}, {"head", 3}}}}})["sentences"][0];
  EXPECT_EQ(sentence["words"][0]["deprel"], "mine");
  EXPECT_EQ(sentence["words"][0]["p_deprel"], 1.0);
  EXPECT_FALSE(sentence["words"][0].contains("pinned"));
  for (const Json& alternative : sentence["words"][0]["alternatives"])
    EXPECT_EQ(alternative["deprel"], "mine");
  EXPECT_EQ(sentence["words"][1]["head"], 3);
}

constexpr const char* kHalf =
    "1\tthe\t_\t_\t_\t_\t2\tgiven\t_\t_\n2\tdog\t_\t_\t_\t_\t_\t_\t_\t_\n3\tsees\t_\t_\t_\t_\t0\t_\t_\t_\n"
    "4\tAnna\t_\t_\t_\t_\t1\t_\t_\t_\n\n";

TEST(JsonParse, ColumnsAreConstraintsIfAskedFor) {
  JsonClient client;
  const Json kept =
      client.parse({{"conllu", kHalf}, {"constraints", true}, {"conflict", "drop"}})["sentences"][0];
  EXPECT_EQ(kept["words"][0]["head"], 2);
  EXPECT_EQ(kept["words"][0]["deprel"], "given");
  EXPECT_EQ(kept["words"][0]["pinned"], true);
  EXPECT_EQ(kept["words"][1].value("pinned", false), false);
  EXPECT_EQ(kept["words"][2]["head"], 0);
  // The arc from 1 to 4 would cross the root: somebody has to give way.
  ASSERT_EQ(kept["dropped"].size(), 1U);
  const std::size_t dropped = kept["dropped"][0];
  EXPECT_FALSE(kept["words"][dropped - 1].contains("pinned"));
  const Json listed = client.parse(
      {{"conllu", kHalf}, {"constraints", {{{"sentence", 1}, {"word", 2}, {"head", 3}}}}})["sentences"][0];
  EXPECT_EQ(listed["words"][1]["pinned"], true);
  for (const std::size_t other : {0U, 2U, 3U}) EXPECT_FALSE(listed["words"][other].contains("pinned"));
  EXPECT_NE(listed["words"][0]["deprel"], "given");
}

TEST(JsonParse, ConflictsAre422) {
  JsonClient client;
  const RequestError error = client.error(
      Json{{"conllu", std::string("1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n") + kHalf}, {"constraints", true}});
  EXPECT_EQ(error.status(), 422);
  EXPECT_NE(std::string(error.what()).find("sentence 2: no tree of the model has all known heads; word 4"),
            std::string::npos)
      << error.what();
}

TEST(JsonParse, DepsStayWithTheirTree) {
  JsonClient client;
  const Json tokens = Json::array({toy_words(7)});
  const Json parsed = client.parse({{"tokens", tokens}, {"return_conllu", true}})["sentences"][0];
  std::vector<Sentence> sentences = read_text(parsed["conllu"]);
  for (Token& word : sentences.front().words()) word.set_deps(std::to_string(word.head()) + ":x");
  std::string conllu;
  ConllWriter writer = ConllWriter::to_text(conllu);
  writer.write(sentences.front());
  writer.close();
  const int head = parsed["words"][0]["head"];
  const auto with_head = [&](int given) {
    return client.parse(
        {{"conllu", conllu}, {"constraints", {{{"sentence", 1}, {"word", 1}, {"head", given}}}}});
  };
  EXPECT_EQ(with_head(head)["sentences"][0]["words"][0]["deps"], std::to_string(head) + ":x");
  EXPECT_EQ(with_head(0)["sentences"][0]["words"][0]["deps"], nullptr);
}

TEST(JsonParse, TheKBestTreesAreAnswered) {
  const Json sentence = JsonClient().parse(
      {{"tokens", Json::array({toy_words(11)})}, {"kbest", 1000}, {"prune", 0}})["sentences"][0];
  const Json& trees = sentence["trees"];
  ASSERT_GT(trees.size(), 10U);
  double sum = 0.0;
  for (std::size_t k = 0; k < trees.size(); ++k) {
    EXPECT_EQ(trees[k]["rank"], k + 1);
    EXPECT_EQ(trees[k]["heads"].size(), sentence["words"].size());
    EXPECT_EQ(trees[k]["deprels"].size(), sentence["words"].size());
    EXPECT_EQ(trees[k]["p"].size(), sentence["words"].size());
    if (k > 0) {
      EXPECT_LE(trees[k]["log_probability"], trees[k - 1]["log_probability"]);
    }
    EXPECT_NEAR(trees[k]["probability"], std::exp(trees[k]["log_probability"].get<double>()), 1e-6);
    sum += trees[k]["probability"].get<double>();
  }
  EXPECT_LE(sum, 1.0 + 1e-5);
  EXPECT_GT(sum, 0.5);
  // Arcs are as probable as the trees that have them.
  for (std::size_t word = 0; word < sentence["words"].size(); ++word) {
    double with_head = 0.0;
    for (const Json& tree : trees) {
      if (tree["heads"][word] == sentence["words"][word]["head"])
        with_head += tree["probability"].get<double>();
    }
    EXPECT_LE(with_head, sentence["words"][word]["p"].get<double>() + 1e-5);
    EXPECT_GE(with_head, sentence["words"][word]["p"].get<double>() - (1.0 - sum) - 1e-5);
  }
}

TEST(JsonParse, DoubtIsOpenedOrMarked) {
  JsonClient client;
  int doubtful = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const Json tokens = Json::array({shuffled_words(seed)});
    const Json plain = client.parse({{"tokens", tokens}})["sentences"][0]["words"];
    const Json body = {{"tokens", tokens}, {"min_confidence", 0.97}};
    Json marks_body = body;
    marks_body["doubtful"] = "mark";
    const Json opens = client.parse(body)["sentences"][0]["words"];
    const Json marks = client.parse(marks_body)["sentences"][0]["words"];
    for (std::size_t k = 0; k < plain.size(); ++k) {
      const double p = plain[k]["p"];
      const bool is_doubtful = p * plain[k]["p_deprel"].get<double>() < 0.97;
      doubtful += is_doubtful ? 1 : 0;
      EXPECT_EQ(opens[k].contains("doubtful"), is_doubtful);
      EXPECT_EQ(opens[k]["head"], p < 0.97 ? Json() : plain[k]["head"]);
      EXPECT_EQ(opens[k]["deprel"], is_doubtful ? Json() : plain[k]["deprel"]);
      EXPECT_EQ(opens[k]["p"], plain[k]["p"]);
      EXPECT_EQ(opens[k]["alternatives"].size(), plain[k]["alternatives"].size());
      Json marked = marks[k];
      EXPECT_EQ(marked.erase("doubtful") > 0, is_doubtful);
      EXPECT_EQ(marked, plain[k]);
    }
  }
  EXPECT_GT(doubtful, 10);
}

TEST(JsonParse, ModelsWithoutPartsSaySo) {
  JsonClient client;
  EXPECT_EQ(client.error(Json{{"text", "a"}, {"model", "bare"}}).where(), "text");
  EXPECT_EQ(client.error(Json{{"tokens", {{"a"}}}, {"model", "bare"}, {"tag", "always"}}).where(), "tag");
  EXPECT_EQ(client.error(Json{{"tokens", {{"a"}}}, {"model", "bare"}, {"prune", 0.1}}).where(), "prune");
  const RequestError unknown = client.error(Json{{"text", "a"}, {"model", "toys"}});
  EXPECT_EQ(unknown.where(), "model");
  EXPECT_NE(std::string(unknown.what()).find("toy, bare"), std::string::npos);
  const Json answer = client.parse({{"tokens", {{"the", "dog"}, {"a"}}}, {"model", "bare"}});
  EXPECT_EQ(answer["model"], "bare");
  EXPECT_EQ(answer["sentences"][0]["words"][0]["deprel"], nullptr);
  EXPECT_FALSE(answer["sentences"][0]["words"][0].contains("p_deprel"));
  ASSERT_EQ(answer["warnings"].size(), 2U);
  EXPECT_NE(answer["warnings"][0].get<std::string>().find("sentence 1 has 2 words without a tag"),
            std::string::npos);
}

}  // namespace
}  // namespace copse::testing
