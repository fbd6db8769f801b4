#include "evaluation/aligned_scores.h"

#include <fmt/format.h>

#include <algorithm>

#include "copse/error.h"
#include "evaluation/analysed_text.h"
#include "evaluation/open_treebank.h"
#include "evaluation/word_alignment.h"
#include "text/utf8.h"

namespace copse {
namespace {

double share(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool is_inside_character(std::string_view text, size_t position) {
  return position < text.size() && continues_character(text[position]);
}

void check_same_characters(const AnalysedText& gold, const AnalysedText& system) {
  const std::string_view expected = gold.characters();
  const std::string_view found = system.characters();
  if (found == expected) return;
  const auto difference = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  auto position = static_cast<size_t>(difference.first - expected.begin());
  while (position > 0 && (is_inside_character(expected, position) || is_inside_character(found, position))) {
    --position;
  }
  const auto continuation = [position](const AnalysedText& text) {
    const std::string_view rest = text.characters().substr(position);
    return rest.empty() ? std::string("ends here") : "goes on with " + quoted(rest);
  };
  throw DataError(fmt::format("{}: the text {}; that of {} {}; evaluate analyses of one text",
                              system.place(position), continuation(system), gold.place(position),
                              continuation(gold)));
}

// Counts what two aligned texts have in common.
class AlignedComparison {
 public:
  AlignedComparison(const AnalysedText& gold, const AnalysedText& system, StringNumbers& numbers)
      : gold_(gold),
        system_(system),
        gold_of_system_(align_words(gold, system)),
        no_lemma_(numbers.of("_")) {}

  AlignedScores scores() {
    scores_[AlignedMeasure::tokens] = span_score(gold_.tokens(), system_.tokens());
    scores_[AlignedMeasure::sentences] = span_score(gold_.sentences(), system_.sentences());
    prepare_totals();
    for (size_t word = 0; word < system_.words().size(); ++word) {
      if (gold_of_system_[word] != kNotAligned)
        count(gold_word(gold_of_system_[word]), system_.words()[word]);
    }
    AlignedScore& words = scores_[AlignedMeasure::words];
    words.correct = *words.aligned;
    words.aligned.reset();
    return scores_;
  }

 private:
  static constexpr auto kFirstWordMeasure = static_cast<size_t>(AlignedMeasure::words);

  static bool is_about_content(AlignedMeasure measure) { return measure >= AlignedMeasure::clas; }

  static AlignedScore span_score(const std::vector<TextSpan>& gold, const std::vector<TextSpan>& system) {
    AlignedScore score{0, static_cast<int64_t>(gold.size()), static_cast<int64_t>(system.size()), {}};
    for (auto g = gold.begin(), s = system.begin(); g != gold.end() && s != system.end();) {
      if (*g == *s) ++score.correct;
      const size_t reached = std::min(g->begin, s->begin);
      if (g->begin == reached) ++g;
      if (s->begin == reached) ++s;
    }
    return score;
  }

  const AnalysedWord& gold_word(int64_t index) const { return gold_.words()[static_cast<size_t>(index)]; }
  const AnalysedWord& system_word(int64_t index) const { return system_.words()[static_cast<size_t>(index)]; }

  static int64_t content_words(const AnalysedText& text) {
    return std::ranges::count_if(text.words(), &AnalysedWord::has_content_relation);
  }

  void prepare_totals() {
    const AlignedScore words{0, static_cast<int64_t>(gold_.words().size()),
                             static_cast<int64_t>(system_.words().size()), 0};
    const AlignedScore content{0, content_words(gold_), content_words(system_), 0};
    for (size_t k = kFirstWordMeasure; k < kAlignedMeasureNames.size(); ++k) {
      const auto measure = static_cast<AlignedMeasure>(k);
      scores_[measure] = is_about_content(measure) ? content : words;
    }
  }

  void count(const AnalysedWord& gold, const AnalysedWord& system) {
    for (size_t k = kFirstWordMeasure; k < kAlignedMeasureNames.size(); ++k) {
      const auto measure = static_cast<AlignedMeasure>(k);
      if (is_about_content(measure) && !gold.has_content_relation) continue;
      AlignedScore& score = scores_[measure];
      ++*score.aligned;
      score.correct += is_right(measure, gold, system) ? 1 : 0;
    }
  }

  bool is_right(AlignedMeasure measure, const AnalysedWord& gold, const AnalysedWord& system) const {
    switch (measure) {
      case AlignedMeasure::upos:
        return gold.upos == system.upos;
      case AlignedMeasure::xpos:
        return gold.xpos == system.xpos;
      case AlignedMeasure::ufeats:
        return gold.feats == system.feats;
      case AlignedMeasure::all_tags:
        return gold.xpos == system.xpos && has_same_morphology(gold, system);
      case AlignedMeasure::lemmas:
        return has_same_lemma(gold, system);
      case AlignedMeasure::uas:
        return has_same_parent(gold, system);
      case AlignedMeasure::las:
      case AlignedMeasure::clas:
        return has_same_arc(gold, system);
      case AlignedMeasure::mlas:
        return has_same_arc(gold, system) && has_same_morphology(gold, system) &&
               has_same_functional_children(gold, system);
      case AlignedMeasure::blex:
        return has_same_arc(gold, system) && has_same_lemma(gold, system);
      default:
        return true;  // an aligned word is correct
    }
  }

  static bool has_same_morphology(const AnalysedWord& gold, const AnalysedWord& system) {
    return gold.upos == system.upos && gold.feats == system.feats;
  }
  // A gold lemma that is not there cannot be missed.
  bool has_same_lemma(const AnalysedWord& gold, const AnalysedWord& system) const {
    return gold.lemma == no_lemma_ || gold.lemma == system.lemma;
  }
  bool has_same_parent(const AnalysedWord& gold, const AnalysedWord& system) const {
    if (system.parent == AnalysedWord::kUnknown) return false;
    if (system.parent == AnalysedWord::kRoot) return gold.parent == AnalysedWord::kRoot;
    return gold_of_system_[static_cast<size_t>(system.parent)] == gold.parent;
  }
  bool has_same_arc(const AnalysedWord& gold, const AnalysedWord& system) const {
    return gold.deprel == system.deprel && has_same_parent(gold, system);
  }
  bool has_same_functional_children(const AnalysedWord& gold, const AnalysedWord& system) const {
    int64_t g = gold.first_functional_child;
    int64_t s = system.first_functional_child;
    while (g != AnalysedWord::kNone && s != AnalysedWord::kNone) {
      const AnalysedWord& gold_child = gold_word(g);
      const AnalysedWord& system_child = system_word(s);
      if (gold_of_system_[static_cast<size_t>(s)] != g || gold_child.deprel != system_child.deprel ||
          !has_same_morphology(gold_child, system_child)) {
        return false;
      }
      g = gold_child.next_functional_sibling;
      s = system_child.next_functional_sibling;
    }
    return g == s;
  }

  const AnalysedText& gold_;
  const AnalysedText& system_;
  std::vector<int64_t> gold_of_system_;
  StringNumbers::Number no_lemma_;
  AlignedScores scores_;
};

AlignedScores compare(const AnalysedText& gold, const AnalysedText& system, StringNumbers& numbers) {
  check_same_characters(gold, system);
  return AlignedComparison(gold, system, numbers).scores();
}

AnalysedText analysed(std::span<const Sentence> sentences, const std::string& name, StringNumbers& numbers) {
  AnalysedText text(name, numbers);
  size_t line = 1;  // in the file that these sentences would make
  for (const Sentence& sentence : sentences) {
    text.add(sentence, line);
    line = line_of_word(sentence, line, sentence.size() + 1) + 1;
  }
  return text;
}

AnalysedText read(const std::string& path, int max_words, StringNumbers& numbers) {
  ConllReadOptions options;
  options.max_words = max_words;
  OpenTreebank treebank(path, options);
  AnalysedText text(treebank.name(), numbers);
  while (treebank.next()) text.add(treebank.sentence(), treebank.first_line());
  return text;
}

}  // namespace

double AlignedScore::precision() const { return share(correct, system); }
double AlignedScore::recall() const { return share(correct, gold); }
double AlignedScore::f1() const { return share(2 * correct, gold + system); }
std::optional<double> AlignedScore::aligned_accuracy() const {
  if (!aligned) return std::nullopt;
  return share(correct, *aligned);
}

AlignedScores evaluate_aligned(std::span<const Sentence> gold, std::span<const Sentence> system) {
  StringNumbers numbers;
  const AnalysedText gold_text = analysed(gold, "gold", numbers);
  return compare(gold_text, analysed(system, "system", numbers), numbers);
}

std::vector<AlignedScores> evaluate_aligned_files(const std::string& gold_path,
                                                  std::span<const std::string> system_paths, int max_words) {
  StringNumbers numbers;
  const AnalysedText gold = read(gold_path, max_words, numbers);
  std::vector<AlignedScores> scores;
  for (const std::string& path : system_paths)
    scores.push_back(compare(gold, read(path, max_words, numbers), numbers));
  return scores;
}

}  // namespace copse
