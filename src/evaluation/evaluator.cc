#include "evaluation/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "copse/error.h"
#include "treebank/head_probability.h"

namespace copse {
namespace {

// A side without labels has kNoLabel everywhere.
int label_of(const ParseView& parse, size_t word) {
  return parse.labels.empty() ? kNoLabel : parse.labels[word];
}

void check_size(size_t found, size_t expected, std::string_view what) {
  if (found == expected) return;
  throw DataError(
      fmt::format("the {} have {} entries for {} words; give one for the root and one for each word", what,
                  found, expected - 1));
}

void check_sizes(const ParseView& parse, size_t expected, std::string_view side) {
  check_size(parse.heads.size(), expected, fmt::format("{} heads", side));
  if (!parse.labels.empty()) check_size(parse.labels.size(), expected, fmt::format("{} labels", side));
  if (!parse.probabilities.empty()) {
    check_size(parse.probabilities.size(), expected, fmt::format("{} probabilities", side));
  }
}

bool has_labels(const ParseView& parse) {
  return std::any_of(parse.labels.begin() + (parse.labels.empty() ? 0 : 1), parse.labels.end(),
                     [](int label) { return label != kNoLabel; });
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  sentences += other.sentences;
  scored_sentences += other.scored_sentences;
  complete += other.complete;
  labelled_complete += other.labelled_complete;
  words += other.words;
  words_without_gold_head += other.words_without_gold_head;
  scored_words += other.scored_words;
  attached += other.attached;
  right_heads += other.right_heads;
  right_labels += other.right_labels;
  roots += other.roots;
  right_roots += other.right_roots;
  return *this;
}

double Ratio::value() const {
  if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(part) / static_cast<double>(whole);
}

Ratio ratio(const Counts& counts, Measure measure) {
  switch (measure) {
    case Measure::uas:
      return {counts.right_heads, counts.scored_words};
    case Measure::las:
      return {counts.right_labels, counts.scored_words};
    case Measure::ra:
      return {counts.right_roots, counts.roots};
    case Measure::cm:
      return {counts.complete, counts.scored_sentences};
    case Measure::lcm:
      return {counts.labelled_complete, counts.scored_sentences};
    case Measure::coverage:
      return {counts.attached, counts.scored_words};
    case Measure::precision:
      return {counts.right_heads, counts.attached};
  }
  return {};
}

std::string_view compared_label(std::string_view label, const EvaluationOptions& options) {
  return options.keep_subtypes ? label : label.substr(0, label.find(':'));
}

int Evaluator::label_number(std::string_view label) {
  if (label == "_") return kNoLabel;
  label = compared_label(label, options_);
  const auto known = label_numbers_.find(label);
  if (known != label_numbers_.end()) return known->second;
  return label_numbers_.emplace(label, static_cast<int>(label_numbers_.size())).first->second;
}

void Evaluator::fill(ParseBuffer& buffer, const Sentence& sentence) {
  buffer.heads.assign(1, kNoHead);
  buffer.labels.assign(1, kNoLabel);
  for (const Token& word : sentence.words()) {
    buffer.heads.push_back(word.head());
    buffer.labels.push_back(label_number(word.deprel()));
  }
}

void Evaluator::add(const Sentence& gold, const Sentence& system) {
  fill(gold_, gold);
  fill(system_, system);
  system_.probabilities.assign(1, kNoProbability);
  for (const Token& word : system.words()) {
    system_.probabilities.push_back(head_probability(word).value_or(kNoProbability));
  }
  scored_.assign(1, 0);
  for (const Token& word : gold.words()) {
    scored_.push_back(static_cast<uint8_t>(!is_punctuation(word, options_.punctuation)));
  }
  add(gold_.view(), system_.view(), scored_);
}

void Evaluator::add(const ParseView& gold, const ParseView& system, std::span<const uint8_t> scored) {
  const size_t entries = scored.size();
  if (entries == 0)
    throw DataError("the mask of scored words is empty; give one entry for the root at least");
  check_sizes(gold, entries, "gold");
  check_sizes(system, entries, "system");
  Counts counts;
  counts.sentences = 1;
  counts.words = static_cast<int64_t>(entries) - 1;
  for (size_t word = 1; word < entries; ++word) {
    const int gold_head = gold.heads[word];
    const int system_head = system.heads[word];
    if (gold_head == kNoHead) {
      ++counts.words_without_gold_head;
      continue;
    }
    const bool has_right_head = system_head == gold_head;
    if (gold_head == 0) {
      ++counts.roots;
      counts.right_roots += has_right_head ? 1 : 0;
    }
    if (scored[word] == 0) continue;
    ++counts.scored_words;
    if (system_head == kNoHead) continue;
    ++counts.attached;
    counts.right_heads += has_right_head ? 1 : 0;
    counts.right_labels += has_right_head && label_of(gold, word) == label_of(system, word) ? 1 : 0;
    if (!system.probabilities.empty() && system.probabilities[word] != kNoProbability) {
      confidences_.push_back({system.probabilities[word], has_right_head});
    }
  }
  if (counts.scored_words > 0) {
    counts.scored_sentences = 1;
    counts.complete = counts.right_heads == counts.scored_words ? 1 : 0;
    counts.labelled_complete = counts.right_labels == counts.scored_words ? 1 : 0;
  }
  gold_has_labels_ = gold_has_labels_ || has_labels(gold);
  system_has_labels_ = system_has_labels_ || has_labels(system);
  sentences_.push_back(counts);
  total_ += counts;
}

}  // namespace copse
