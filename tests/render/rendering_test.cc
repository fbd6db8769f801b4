#include "render/rendering.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "inference/test_settings.h"
#include "render/xml_checker.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

const std::string kSample =
    "# sent_id = s\"1\"\n# text = <a> & \"b\" \\n\n# tree_log_probability = -0.5000\n# tree_entropy = 0.25\n"
    "1-2\tc<d\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "1\t<a>\tlemma\tX\tY\tF=1|G=2\t2\tnsubj:pass\t2:nsubj\tA=b|P=0.4\n"
    "2\t\"&amp;\\\t_\t_\tVBZ\t_\t0\troot\t_\tP=0.95\n"
    "2.1\te\t_\t_\t_\t_\t_\t_\t2:x\t_\n"
    "3\t_\t_\t_\t_\t_\t_\t_\t_\t_\n\n";

std::string rendered(const std::vector<Sentence>& sentences, RenderFormat format) {
  std::string text;
  RenderedWriter writer = RenderedWriter::to_text(text, make_rendering(format));
  for (const Sentence& sentence : sentences) writer.write(sentence);
  writer.close();
  writer.close();
  return text;
}

TEST(Rendering, NamesOfFormats) {
  EXPECT_EQ(parse_render_format("svg"), RenderFormat::svg);
  EXPECT_EQ(parse_render_format("html"), RenderFormat::html);
  EXPECT_EQ(parse_render_format("conllu"), std::nullopt);
}

TEST(Rendering, Json) {
  EXPECT_EQ(
      rendered(read_text(kSample), RenderFormat::json),
      R"({"sent_id":"s\"1\"","text":"<a> & \"b\" \\n","tree_log_probability":-0.5,"tree_entropy":0.25,)"
      R"("comments":["# sent_id = s\"1\"","# text = <a> & \"b\" \\n","# tree_log_probability = -0.5000",)"
      R"("# tree_entropy = 0.25"],"words":[)"
      R"({"id":1,"form":"<a>","lemma":"lemma","upos":"X","xpos":"Y","feats":"F=1|G=2","head":2,)"
      R"("deprel":"nsubj:pass","deps":"2:nsubj","misc":"A=b|P=0.4","head_probability":0.4},)"
      R"({"id":2,"form":"\"&amp;\\","lemma":null,"upos":null,"xpos":"VBZ","feats":null,"head":0,)"
      R"("deprel":"root","deps":null,"misc":"P=0.95","head_probability":0.95},)"
      R"({"id":3,"form":"_","lemma":null,"upos":null,"xpos":null,"feats":null,"head":null,)"
      R"("deprel":null,"deps":null,"misc":null}],)"
      R"("multiword_tokens":[{"first":1,"last":2,"form":"c<d","lemma":null,"upos":null,"xpos":null,)"
      R"("feats":null,"head":null,"deprel":null,"deps":null,"misc":"SpaceAfter=No"}],)"
      R"("empty_nodes":[{"word":2,"index":1,"form":"e","lemma":null,"upos":null,"xpos":null,"feats":null,)"
      R"("head":null,"deprel":null,"deps":"2:x","misc":null}]})"
      "\n");
}

TEST(Rendering, Dot) {
  EXPECT_EQ(rendered(read_text(kSample), RenderFormat::dot),
            R"dot(digraph "s\"1\"" {
  label="<a> &amp; \"b\" \\n";
  ordering=out;
  node [shape=plaintext];
  0 [shape=point];
  1 [label="<a>\nX"];
  2 [label="\"&amp;amp;\\\nVBZ"];
  3 [label="_"];
  2 -> 1 [label="nsubj:pass", tooltip="40%", penwidth=0.70];
  0 -> 2 [label="root", tooltip="95%", penwidth=1.25];
}
)dot");
}

TEST(Rendering, TreesHaveTitles) {
  const std::string one = "1\ta\t_\tX\t_\t_\t2\t_\t_\tP=0.4\n2\tb\t_\tX\t_\t_\t0\t_\t_\tP=1\n\n";
  EXPECT_EQ(rendered(read_text("# sent_id = first\n# tree_log_probability = -0.5\n# tree_entropy = 0.7\n" +
                               one + one),
                     RenderFormat::tree),
            "first, log-probability -0.5, entropy 0.7\n"
            "  ╭─► a   40% ███▎     ?\n"
            "──┴─► b  100% ████████\n"
            "\n"
            "sentence 2\n"
            "  ╭─► a   40% ███▎     ?\n"
            "──┴─► b  100% ████████\n");
}

TEST(Rendering, TreesOfOneSentenceAreCountedOnce) {
  const std::string word = "1\ta\t_\tX\t_\t_\t0\t_\t_\t_\n\n";
  const auto tree = [&](int rank) {
    return "# kbest_rank = " + std::to_string(rank) + "\n# tree_probability = 0.5\n" + word;
  };
  const std::vector<Sentence> sentences = read_text(tree(1) + tree(2) + tree(1) + word + tree(1) + tree(2));
  const std::string drawn = rendered(sentences, RenderFormat::tree);
  std::string titles;
  for (std::size_t begin = 0; begin < drawn.size(); begin = drawn.find('\n', begin) + 1) {
    if (drawn.compare(begin, 8, "sentence") == 0)
      titles += drawn.substr(begin, drawn.find('\n', begin) - begin + 1);
  }
  EXPECT_EQ(titles,
            "sentence 1, tree 1, probability 0.5\nsentence 1, tree 2, probability 0.5\n"
            "sentence 2, tree 1, probability 0.5\nsentence 3\n"
            "sentence 4, tree 1, probability 0.5\nsentence 4, tree 2, probability 0.5\n");
  const std::string graphs = rendered(sentences, RenderFormat::dot);
  for (const char* name : {"\"1\"", "\"1-k2\"", "\"2\"", "\"3\"", "\"4\"", "\"4-k2\""}) {
    EXPECT_NE(graphs.find(std::string("digraph ") + name + " {"), std::string::npos) << name;
  }
}

TEST(Rendering, TitlesAreNotCut) {
  const std::string name(200, 'n');
  const std::string drawn =
      rendered(read_text("# sent_id = " + name + "\n# kbest_rank = 1\n# tree_probability = 0.25\n" +
                         "1\ta\t_\tX\t_\t_\t0\t_\t_\t_\n"),
               RenderFormat::tree);
  EXPECT_EQ(drawn.substr(0, drawn.find('\n')), name + ", tree 1, probability 0.25");
}

TEST(Rendering, SvgHasAllThatThereIs) {
  const std::string svg = rendered(read_text(kSample + kSample), RenderFormat::svg);
  EXPECT_EQ(xml_defect(svg), "");
  for (const char* part :
       {"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"copse\"", "prefers-color-scheme:dark",
        ">nsubj:pass 40%</text>", ">root</text>", "<g class=\"arc unlikely\" stroke-width=\"0.90\"",
        "<g class=\"arc\" stroke-width=\"1.45\"", "→ &lt;a&gt; (nsubj:pass): P = 0.4000</title>",
        "<title>&lt;a&gt; &amp; &quot;b&quot; \\n</title>", ">&lt;a&gt;</text>", ">&quot;&amp;amp;\\</text>",
        ">VBZ</text>", "class=\"bracket\"", ">c&lt;d</text>", ">s&quot;1&quot;</text>"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part << "\n" << svg;
  }
  EXPECT_EQ(svg.find("<svg", 5), std::string::npos);
}

TEST(Rendering, SvgWithoutLabelsHasNone) {
  const std::string svg =
      rendered(read_text("1\ta\t_\t_\t_\t_\t2\t_\t_\t_\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n"), RenderFormat::svg);
  EXPECT_EQ(xml_defect(svg), "");
  EXPECT_EQ(svg.find("class=\"label\""), std::string::npos);
  EXPECT_EQ(svg.find("class=\"tag\""), std::string::npos);
  EXPECT_NE(svg.find("<title>b → a</title>"), std::string::npos);
  // An arc whose probability nobody knows is not a doubtful one.
  EXPECT_NE(svg.find("<g class=\"arc\" stroke-width=\"1.50\" opacity=\"1.00\">"), std::string::npos);
  EXPECT_EQ(svg.find("class=\"arc "), std::string::npos);
}

TEST(Rendering, NothingIsStillADocument) {
  EXPECT_EQ(xml_defect(rendered({}, RenderFormat::svg)), "");
  EXPECT_NE(rendered({}, RenderFormat::html).find("<body>\n</body>\n</html>\n"), std::string::npos);
  EXPECT_EQ(rendered({}, RenderFormat::json), "");
  EXPECT_EQ(rendered({}, RenderFormat::dot), "");
  EXPECT_EQ(rendered({}, RenderFormat::tree), "");
}

TEST(Rendering, BadProbabilitiesAreNamed) {
  const std::vector<Sentence> sentences = read_text("1\ta\t_\tX\t_\t_\t0\t_\t_\tP=2\n");
  for (const RenderFormat format :
       {RenderFormat::tree, RenderFormat::svg, RenderFormat::dot, RenderFormat::json, RenderFormat::html}) {
    EXPECT_EQ(error_of([&] { rendered(sentences, format); }),
              "sentence 1: '2' is not a probability; write P= and a number from 0 to 1 in MISC");
  }
}

// The sentence that a line of JSON was made of, as far as docs/output.md promises.
void fill(Row& row, const nlohmann::json& json) {
  const auto text = [&](const char* key) {
    return json[key].is_null() ? std::string("_") : json[key].get<std::string>();
  };
  row.set_form(text("form"));
  row.set_lemma(text("lemma"));
  row.set_upos(text("upos"));
  row.set_xpos(text("xpos"));
  row.set_feats(text("feats"));
  row.set_deprel(text("deprel"));
  row.set_deps(text("deps"));
  row.set_misc(text("misc"));
}
Sentence from_json(const std::string& line) {
  const auto json = nlohmann::json::parse(line);
  Sentence sentence;
  for (const auto& comment : json["comments"]) sentence.add_comment(comment.get<std::string>());
  for (const auto& word : json["words"]) {
    Token token;
    fill(token, word);
    if (!word["head"].is_null()) token.set_head(word["head"]);
    sentence.add_word(token);
  }
  for (const auto& range : json["multiword_tokens"]) {
    fill(sentence.add_multiword(range["first"], range["last"]), range);
  }
  for (const auto& node : json["empty_nodes"]) fill(sentence.add_empty_node(node["word"]), node);
  return sentence;
}

std::string odd_text(std::mt19937_64& generator) {
  static const std::vector<std::string> kPieces = {
      "a",      "&",      "<",    ">", "\"", "'", "\\",     "\\n",    "]]>",    "&amp;",
      "-->",    "\x01",   "\x7f", "é", "北", "👩", "\u0301", "\u202E", "\uFFFE", "\uFFFF",
      "\u2028", "\u0085", "{}",   "|", "=",  "#", " ",      "\u200B"};
  std::string text;
  const int count = std::uniform_int_distribution<int>(1, 6)(generator);
  for (int k = 0; k < count; ++k) text += kPieces[generator() % kPieces.size()];
  return text;
}

TEST(Rendering, AnyTextSurvives) {
  for (int number = 0; number < scaled(300); ++number) {
    SCOPED_TRACE("seed " + std::to_string(base_seed()) + ", case " + std::to_string(number));
    std::mt19937_64 generator = case_generator(number);
    Sentence sentence;
    sentence.add_comment("# " + odd_text(generator));
    sentence.set_comment("sent_id", odd_text(generator));
    sentence.set_comment("text", odd_text(generator));
    const int words = std::uniform_int_distribution<int>(1, 6)(generator);
    for (int word = 1; word <= words; ++word) {
      Token& token = sentence.add_word(odd_text(generator));
      token.set_lemma(odd_text(generator));
      token.set_upos(odd_text(generator));
      token.set_xpos(odd_text(generator));
      token.set_deprel(odd_text(generator));
      token.set_head(word - 1);
    }
    if (words > 1) sentence.add_multiword(1, 2).set_form(odd_text(generator));
    sentence.add_empty_node(1).set_form(odd_text(generator));
    EXPECT_EQ(from_json(rendered({sentence}, RenderFormat::json)), sentence);
    EXPECT_EQ(xml_defect(rendered({sentence, sentence}, RenderFormat::svg)), "");
    const std::string html = rendered({sentence}, RenderFormat::html);
    const size_t body = html.find("<section>");
    EXPECT_EQ(xml_defect(html.substr(body, html.find("</body>") - body)), "");
    // Every string of the graph ends where it should.
    const std::string dot = rendered({sentence}, RenderFormat::dot);
    bool is_quoted = false;
    for (size_t k = 0; k < dot.size(); ++k) {
      if (dot[k] == '"') is_quoted = !is_quoted;
      if (dot[k] == '\\') {
        EXPECT_TRUE(is_quoted);
        ++k;
      } else if (dot[k] == '\n') {
        EXPECT_FALSE(is_quoted) << dot;
      }
    }
  }
}

}  // namespace
}  // namespace copse::testing
