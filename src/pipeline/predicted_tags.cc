#include "pipeline/predicted_tags.h"

#include <fmt/format.h>

#include "copse/error.h"
#include "tagging/treebank_tagger.h"

namespace copse {
namespace {

constexpr std::size_t kBlock = 32;  // neighbouring sentences belong to one text and to one fold

// One line per fold is enough.
class QuietObserver : public TaggerObserver {
 public:
  explicit QuietObserver(TaggerObserver& observer) : observer_(observer) {}
  bool should_stop() override { return observer_.should_stop(); }

 private:
  TaggerObserver& observer_;
};

}  // namespace

std::vector<Sentence> jackknife_tags(std::span<const Sentence> sentences, int folds,
                                     const TaggerTrainingOptions& options, TaskPool& pool,
                                     TaggerObserver& observer) {
  const auto count = static_cast<std::size_t>(folds);
  const auto all = static_cast<std::size_t>(pool.team().sum(std::ssize(sentences)));
  if (all < count) {
    throw DataError(fmt::format("{} sentences are too few for {} folds; use fewer folds", all, folds));
  }
  // Few sentences are dealt out one by one, so that every fold gets some.
  const std::size_t block = all >= count * kBlock ? kBlock : 1;
  std::vector<Sentence> result(sentences.begin(), sentences.end());
  for (std::size_t fold = 0; fold < count; ++fold) {
    observer.on_stage(fmt::format("tagging fold {} of {} with what the others teach", fold + 1, folds));
    const auto is_in_fold = [&](std::size_t k) {
      return number_of_own(pool.team(), k) / block % count == fold;
    };
    // The sentences of the fold are empty to others, so that these keep their numbers.
    std::vector<Sentence> others(sentences.size());
    std::vector<Sentence> in_fold;
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      if (is_in_fold(k))
        in_fold.push_back(sentences[k]);
      else
        others[k] = sentences[k];
    }
    QuietObserver quiet(observer);
    const TaggerModel tagger = train_tagger(others, {}, options, pool, quiet);
    BatchTagger(tagger, {}, pool).tag(in_fold);
    std::size_t next = 0;
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      if (is_in_fold(k)) result[k] = std::move(in_fold[next++]);
    }
  }
  return result;
}

}  // namespace copse
