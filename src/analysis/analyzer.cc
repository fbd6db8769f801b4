#include "analysis/analyzer.h"

#include <algorithm>
#include <cstdlib>

namespace copse {
namespace {

constexpr int kCurvePoints = 100;
constexpr int kRootLength = -1;  // arcs from the root have no length

std::string_view tag_of(const Token& word) { return word.upos() == "_" ? word.xpos() : word.upos(); }

bool has_labels(const Sentence& sentence) {
  return std::ranges::any_of(sentence.words(), [](const Token& word) { return word.deprel() != "_"; });
}

// Where one side has no labels at all, words are not wrong for it.
void forgive_labels(std::span<ComparedWord> words) {
  for (ComparedWord& word : words) {
    if (word.verdict == Verdict::wrong_label) word.verdict = Verdict::right;
  }
}

Outcome outcome_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::right:
      return Outcome::right;
    case Verdict::wrong_label:
      return Outcome::right_head;
    case Verdict::wrong_head:
      break;
  }
  return Outcome::wrong;
}

int64_t total_errors(const ComparedSentence& sentence, int64_t ComparedSentence::System::*errors) {
  int64_t sum = 0;
  for (const ComparedSentence::System& system : sentence.systems) sum += system.*errors;
  return sum;
}

}  // namespace

bool Analyzer::Better::operator()(const ComparedSentence& left, const ComparedSentence& right) const {
  for (const auto errors :
       {&ComparedSentence::System::wrong_heads, &ComparedSentence::System::wrong_labels}) {
    const int64_t left_errors = total_errors(left, errors);
    const int64_t right_errors = total_errors(right, errors);
    if (left_errors != right_errors) return left_errors < right_errors;
  }
  return left.number > right.number;
}

Analyzer::Analyzer(size_t systems, const AnalysisOptions& options)
    : options_(options), evaluators_(systems, Evaluator(options.evaluation)), labels_(systems) {
  for (size_t property = 0; property < kPropertyNames.size(); ++property) {
    counters_.emplace_back(static_cast<Property>(property), systems);
  }
  agreement_.only_right.assign(systems, std::vector<int64_t>(systems, 0));
}

void Analyzer::add(const Sentence& gold, std::span<const Sentence* const> systems) {
  ++sentences_;
  ComparedSentence compared;
  compared.number = sentences_;
  gold_structure_ = tree_structure(gold.heads());
  has_gold_labels_ = has_gold_labels_ || has_labels(gold);
  for (size_t k = 0; k < systems.size(); ++k) {
    evaluators_[k].add(gold, *systems[k]);
    ComparedSentence::System& system = compared.systems.emplace_back();
    system.words = verdicts(gold, *systems[k]);
    count_system(k, gold, *systems[k], system.words);
    if (!has_labels(gold) || !has_labels(*systems[k])) forgive_labels(system.words);
    for (size_t word = 1; word < system.words.size(); ++word) {
      if (!system.words[word].is_scored) continue;
      system.wrong_heads += system.words[word].verdict == Verdict::wrong_head ? 1 : 0;
      system.wrong_labels += system.words[word].verdict == Verdict::wrong_label ? 1 : 0;
    }
  }
  compared.scored_words = evaluators_.front().sentences().back().scored_words;
  count_agreement(gold, compared.systems);
  keep_if_bad(std::move(compared), gold, systems);
}

std::vector<ComparedWord> Analyzer::verdicts(const Sentence& gold, const Sentence& system) const {
  std::vector<ComparedWord> words(static_cast<size_t>(gold.size()) + 1);
  words[0].is_scored = false;
  for (int word = 1; word <= gold.size(); ++word) {
    const bool has_right_head = gold[word].head() == system[word].head();
    const bool has_right_label = compared_label(gold[word].deprel(), options_.evaluation) ==
                                 compared_label(system[word].deprel(), options_.evaluation);
    words[static_cast<size_t>(word)] = {
        !has_right_head   ? Verdict::wrong_head
        : has_right_label ? Verdict::right
                          : Verdict::wrong_label,
        gold[word].head() != kNoHead && !is_punctuation(gold[word], options_.evaluation.punctuation)};
  }
  return words;
}

Analyzer::ArcBins Analyzer::arc_bins(const Sentence& sentence, int word, const TreeStructure& structure) {
  const auto index = static_cast<size_t>(word);
  const int head = sentence[word].head();
  const auto bin = [](Property property, int number) { return number_bins(property).bin_of(number); };
  return {bin(Property::dependency_length, head == 0 ? kRootLength : std::abs(head - word)),
          bin(Property::root_distance, structure.root_distances[index]),
          bin(Property::siblings, structure.siblings[index]),
          bin(Property::modifiers, structure.modifiers[index]),
          counter(Property::direction)
              .bin_of(head == 0     ? "root"
                      : head > word ? "left"
                                    : "right"),
          counter(Property::projectivity)
              .bin_of(structure.is_non_projective[index] != 0 ? "non-projective" : "projective"),
          counter(Property::label).bin_of(compared_label(sentence[word].deprel(), options_.evaluation))};
}

void Analyzer::count_system(size_t system, const Sentence& gold, const Sentence& analysis,
                            std::span<const ComparedWord> words) {
  const TreeStructure structure = tree_structure(analysis.heads());
  const int length_bin = number_bins(Property::sentence_length).bin_of(gold.size());
  const Counts& sentence_counts = evaluators_[system].sentences().back();
  if (sentence_counts.scored_sentences > 0) {
    counter(Property::sentence_length).count_sentence(system, length_bin, sentence_counts.complete > 0);
  }
  const auto count = [&](Outcome outcome, const ArcBins& bins, int tag_bin, auto count_in) {
    const auto count_as = [&](Property property, int bin) {
      (counter(property).*count_in)(system, bin, outcome);
    };
    count_as(Property::sentence_length, length_bin);
    count_as(Property::dependency_length, bins.dependency_length);
    count_as(Property::root_distance, bins.root_distance);
    count_as(Property::siblings, bins.siblings);
    count_as(Property::modifiers, bins.modifiers);
    count_as(Property::direction, bins.direction);
    count_as(Property::projectivity, bins.projectivity);
    count_as(Property::tag, tag_bin);
    count_as(Property::label, bins.label);
  };
  for (int word = 1; word <= gold.size(); ++word) {
    const ComparedWord& compared = words[static_cast<size_t>(word)];
    if (!compared.is_scored) continue;
    const Outcome outcome = outcome_of(compared.verdict);
    const int tag_bin = counter(Property::tag).bin_of(tag_of(gold[word]));
    count(outcome, arc_bins(gold, word, gold_structure_), tag_bin, &BreakdownCounter::count_gold);
    if (analysis[word].head() == kNoHead) continue;
    count(outcome, arc_bins(analysis, word, structure), tag_bin, &BreakdownCounter::count_predicted);
    LabelCounts& pair =
        labels_[system][{std::string(compared_label(gold[word].deprel(), options_.evaluation)),
                         std::string(compared_label(analysis[word].deprel(), options_.evaluation))}];
    ++pair.words;
    pair.right_heads += outcome != Outcome::wrong ? 1 : 0;
  }
}

void Analyzer::count_agreement(const Sentence& gold, std::span<const ComparedSentence::System> systems) {
  for (size_t word = 1; word <= static_cast<size_t>(gold.size()); ++word) {
    if (!systems.front().words[word].is_scored) continue;
    const auto is_right = [word](const ComparedSentence::System& system) {
      return system.words[word].verdict != Verdict::wrong_head;
    };
    ++agreement_.words;
    agreement_.all_right += std::all_of(systems.begin(), systems.end(), is_right) ? 1 : 0;
    agreement_.all_wrong += std::none_of(systems.begin(), systems.end(), is_right) ? 1 : 0;
    for (size_t a = 0; a < systems.size(); ++a) {
      for (size_t b = 0; b < systems.size(); ++b) {
        agreement_.only_right[a][b] += is_right(systems[a]) && !is_right(systems[b]) ? 1 : 0;
      }
    }
  }
}

void Analyzer::keep_if_bad(ComparedSentence compared, const Sentence& gold,
                           std::span<const Sentence* const> systems) {
  const auto most = static_cast<size_t>(options_.sentences);
  const bool has_errors = total_errors(compared, &ComparedSentence::System::wrong_heads) > 0 ||
                          total_errors(compared, &ComparedSentence::System::wrong_labels) > 0;
  if (!has_errors || most == 0) return;
  if (worst_.size() == most) {
    if (!Better()(*worst_.begin(), compared)) return;
    worst_.erase(worst_.begin());
  }
  compared.gold = gold;
  for (size_t k = 0; k < systems.size(); ++k) compared.systems[k].sentence = *systems[k];
  worst_.insert(std::move(compared));
}

Analysis Analyzer::result() const {
  Analysis analysis;
  analysis.options = options_;
  analysis.has_gold_labels = has_gold_labels_;
  analysis.agreement = agreement_;
  std::vector<uint8_t> labelled;
  for (size_t k = 0; k < evaluators_.size(); ++k) {
    const Evaluator& evaluator = evaluators_[k];
    SystemAnalysis& system = analysis.systems.emplace_back();
    system.scores = evaluator.scores();
    system.significance = significance(evaluator, evaluators_.front(), options_.significance);
    labelled.push_back(system.scores.labelled ? 1 : 0);
    if (system.scores.labelled) system.labels = label_pairs(k);
    if (evaluator.confidences().empty()) continue;
    const int64_t scored_words = system.scores.total.scored_words;
    system.calibration = calibration(evaluator.confidences(), options_.bins);
    system.precision_curve = precision_curve(evaluator.confidences(), scored_words);
    system.coverage_curve = precision_curve(evaluator.confidences(), scored_words,
                                            even_thresholds(evaluator.confidences(), kCurvePoints));
  }
  for (const BreakdownCounter& counter : counters_) {
    Breakdown breakdown = counter.result(labelled);
    if (breakdown.property != Property::label || has_gold_labels_) {
      analysis.breakdowns.push_back(std::move(breakdown));
    }
  }
  analysis.sentences.assign(worst_.rbegin(), worst_.rend());
  return analysis;
}

std::vector<LabelPair> Analyzer::label_pairs(size_t system) const {
  std::vector<LabelPair> pairs;
  for (const auto& [names, counts] : labels_[system]) {
    pairs.push_back({names.first, names.second, counts.words, counts.right_heads});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const LabelPair& left, const LabelPair& right) { return left.words > right.words; });
  return pairs;
}

const Breakdown* Analysis::breakdown(Property property) const {
  const auto found = std::ranges::find(breakdowns, property, &Breakdown::property);
  return found == breakdowns.end() ? nullptr : &*found;
}

}  // namespace copse
