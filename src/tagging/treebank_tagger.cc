#include "tagging/treebank_tagger.h"

#include <stdexcept>
#include <utility>

#include "parallel/team_values.h"

namespace copse {
namespace {

// So many that a thread that is done early does not wait long for the others, and so few that the memory of a
// batch does not matter.
constexpr std::int64_t kWordsPerThread = 16'384;

}  // namespace

BatchTagger::BatchTagger(const TaggerModel& tagger, const TaggingOptions& options, TaskPool& pool)
    : pool_(&pool) {
  for (int thread = 0; thread < pool.threads(); ++thread) taggers_.emplace_back(tagger, options);
}

void BatchTagger::tag(std::span<Sentence> sentences) {
  pool_->for_each(sentences.size(), [&](std::size_t k, int worker) {
    taggers_[static_cast<std::size_t>(worker)].tag(sentences[k]);
  });
}

TreebankTagger::TreebankTagger(TagBatch tag, int threads, SentenceWriter& writer, OnProgress on_progress)
    : tag_(std::move(tag)),
      writer_(&writer),
      on_progress_(std::move(on_progress)),
      max_words_(kWordsPerThread * threads) {}

void TreebankTagger::add(Sentence&& sentence) {
  batch_words_ += sentence.size();
  batch_.push_back(std::move(sentence));
  if (batch_words_ >= max_words_) flush();
}

void TreebankTagger::flush() {
  if (batch_.empty()) return;
  tag_(batch_);
  for (const Sentence& sentence : batch_) writer_->write(sentence);
  writer_->flush();
  sentences_ += static_cast<std::int64_t>(batch_.size());
  words_ += batch_words_;
  batch_.clear();
  batch_words_ = 0;
  on_progress_(sentences_, words_);
}

TaggingEvaluator::TaggingEvaluator(std::span<const Sentence> training, Team& team) {
  for (const Sentence& sentence : training) {
    for (const Token& word : sentence.words()) known_.emplace(word.form());
  }
  if (team.is_alone()) return;
  const std::vector<std::string> own(known_.begin(), known_.end());
  for (std::vector<std::string>& forms : gather_texts(team, own)) {
    known_.insert(std::make_move_iterator(forms.begin()), std::make_move_iterator(forms.end()));
  }
}

void TaggingEvaluator::add_up(Team& team) {
  for (TaggingScore& score : scores_) {
    std::int64_t sums[] = {score.words, score.right, score.unknown_words, score.unknown_right};
    team.add_up(sums);
    score = {sums[0], sums[1], sums[2], sums[3]};
  }
}

void TaggingEvaluator::add(const Sentence& gold, const Sentence& tagged) {
  if (gold.size() != tagged.size()) throw std::invalid_argument("the sentences have different words");
  for (int k = 1; k <= gold.size(); ++k) {
    const bool is_known = known_.contains(std::string(gold[k].form()));
    for (const TagAttribute attribute : kTagAttributes) {
      TaggingScore& score = scores_[static_cast<std::size_t>(attribute)];
      const bool is_right = value(gold[k], attribute) == value(tagged[k], attribute);
      ++score.words;
      score.right += is_right ? 1 : 0;
      if (is_known) continue;
      ++score.unknown_words;
      score.unknown_right += is_right ? 1 : 0;
    }
  }
}

}  // namespace copse
