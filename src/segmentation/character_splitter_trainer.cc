#include <algorithm>
#include <array>
#include <map>

#include "segmentation/character_splitter.h"
#include "sequence/sequence_trainer.h"

namespace copse {
namespace {

// Chosen on development data of several languages; docs/notes/segmentation.md has the figures.
constexpr std::size_t kFewestSplit = 30;     // of different tokens
constexpr std::int64_t kFewestOfAnEdit = 2;  // tokens
constexpr std::size_t kMostEdits = 500;
constexpr double kEditL2 = 1.0;

// What tokens get to know about words comes from other tokens: otherwise all their words would be known.
constexpr std::size_t kTokenFolds = 5;

// Comparing a token with its words takes time and memory by the product of their lengths.
bool is_short(const SplitExample& example) {
  std::size_t letters = 0;
  for (const std::u32string& word : example.words) letters += word.size();
  return std::max(example.form.size(), letters) <= kLongestSplitToken;
}

void add_words(const SplitExample& example, KnownWords& words) {
  const std::size_t count = example.words.size();
  if (count == 1) {
    words.add(text_hash(example.form), CharacterSplitter::kWhole);
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    const CharacterSplitter::Flag flag = k == 0           ? CharacterSplitter::kFirst
                                         : k + 1 == count ? CharacterSplitter::kLast
                                                          : CharacterSplitter::kInner;
    words.add(text_hash(example.words[k]), flag);
  }
}

class TokenSource : public SequenceSource {
 public:
  TokenSource(const std::vector<SplitExample>& examples, const std::map<CharacterEdit, Label>& labels,
              Team& team)
      : examples_(&examples) {
    for (std::size_t k = 0; k < examples.size(); ++k) {
      for (std::size_t fold = 0; fold < kTokenFolds; ++fold) {
        if (fold != k % kTokenFolds) add_words(examples[k], words_[fold]);
      }
      const std::u32string& form = examples[k].form;
      if (!is_own(team, k) || form.size() < 2 || !is_short(examples[k])) continue;
      std::vector<Label> gold;
      for (const CharacterEdit& edit : character_edits(form, examples[k].words)) {
        const auto found = labels.find(edit);
        if (found != labels.end()) gold.push_back(found->second);
      }
      if (gold.size() != form.size()) continue;  // with an edit that is too rare
      used_.push_back(k);
      gold_.push_back(std::move(gold));
    }
  }

  std::size_t size() const override { return used_.size(); }
  std::uint64_t number(std::size_t k) const override { return used_[k]; }
  void observe(std::size_t k, int /*worker*/, SequenceObservations& observations) const override {
    observe_characters((*examples_)[used_[k]].form, words_[used_[k] % kTokenFolds], observations);
  }
  std::span<const Label> gold(std::size_t k) const override { return gold_[k]; }

 private:
  const std::vector<SplitExample>* examples_;
  std::array<KnownWords, kTokenFolds> words_;
  std::vector<std::size_t> used_;
  std::vector<std::vector<Label>> gold_;
};

}  // namespace

std::optional<CharacterSplitter> train_character_splitter(const std::vector<SplitExample>& examples,
                                                          TaskPool& pool) {
  std::map<CharacterEdit, std::int64_t> counts;
  std::size_t split = 0;
  for (const SplitExample& example : examples) {
    if (example.words.size() < 2 || !is_short(example)) continue;
    ++split;
    for (const CharacterEdit& edit : character_edits(example.form, example.words)) ++counts[edit];
  }
  if (split < kFewestSplit) return std::nullopt;
  counts.erase(CharacterEdit());
  std::vector<std::pair<std::int64_t, CharacterEdit>> frequent;
  for (const auto& [edit, count] : counts) {
    if (count >= kFewestOfAnEdit) frequent.emplace_back(-count, edit);
  }
  std::sort(frequent.begin(), frequent.end());
  if (frequent.size() > kMostEdits) frequent.resize(kMostEdits);
  CharacterSplitter splitter;
  splitter.edits.emplace_back();
  std::map<CharacterEdit, Label> labels = {{CharacterEdit(), Label{0}}};
  for (const auto& [count, edit] : frequent) {
    labels.emplace(edit, static_cast<Label>(splitter.edits.size()));
    splitter.edits.push_back(edit);
  }
  for (const SplitExample& example : examples) {
    add_words(example, splitter.words);
    splitter.words.add(text_hash(example.form), CharacterSplitter::kSeen);
  }
  SequenceTrainingOptions options;
  options.order = 1;
  options.labels = static_cast<int>(splitter.edits.size());
  options.l2 = kEditL2;
  options.fewest_for_list = 20;
  options.fewest_for_general_list = 20;
  options.candidate_cutoff = 2;
  SequenceObserver nobody;
  splitter.model =
      train_sequence_model(TokenSource(examples, labels, pool.team()), nullptr, options, pool, nobody);
  return splitter;
}

}  // namespace copse
