#include "training/train_part.h"

#include <filesystem>
#include <system_error>

#include "io/output_file.h"
#include "segmentation/segmenter.h"
#include "segmentation/surface_text.h"
#include "training/model_facts.h"
#include "training/team_data.h"
#include "treebank/dealt_sentences.h"

namespace copse {
namespace {

// Trains by learn(sentences, dev, pool), saves the model, and hands it to evaluate(model, sentences, dev,
// pool) if there is development data. Returns the size of the file.
template <class Observer, class Learn, class Evaluate>
std::int64_t train_part(const PartRequest& request, Team& team, Observer& observer, const Learn& learn,
                        const Evaluate& evaluate) {
  if (team.leads()) {
    const OutputFile model(request.model);  // goes away again: better now than after the work
  }
  TeamData data(team);
  const std::vector<Sentence> sentences = data.read_treebanks(request.train, request.max_words);
  const std::vector<Sentence> dev = data.read_development(request.dev, request.max_words);
  data.compare();
  TaskPool pool(request.threads, team);
  observer.on_start();
  auto model = learn(sentences, dev, pool);
  observer.on_learnt();
  model.add_fact("training files", file_names(request.train));
  if (!request.dev.empty()) model.add_fact("development files", file_names(request.dev));
  model.add_fact("program", "copse " COPSE_VERSION);
  if (team.leads()) model.save(request.model);
  if (!request.dev.empty()) evaluate(model, sentences, dev, pool);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(request.model, error);
  return error ? 0 : static_cast<std::int64_t>(size);
}

}  // namespace

TaggerResult train(const PartRequest& request, const TaggerTrainingOptions& options, Team& team,
                   PartTrainObserver<TaggerObserver>& observer) {
  TaggerResult result;
  result.bytes = train_part(
      request, team, observer,
      [&](const auto& sentences, const auto& dev, TaskPool& pool) {
        TaggerModel tagger = train_tagger(sentences, dev, options, pool, observer);
        result.attributes = tagger.attributes();
        return tagger;
      },
      [&](const TaggerModel& tagger, const auto& sentences, const auto& dev, TaskPool& pool) {
        std::vector<Sentence> tagged = dev;
        BatchTagger(tagger, {}, pool).tag(tagged);
        TaggingEvaluator& evaluator = result.development.emplace(sentences, team);
        for (std::size_t k = 0; k < dev.size(); ++k) evaluator.add(dev[k], tagged[k]);
        evaluator.add_up(team);
      });
  return result;
}

SegmenterResult train(const PartRequest& request, const SegmenterTrainingOptions& options, Team& team,
                      PartTrainObserver<SegmenterObserver>& observer) {
  SegmenterResult result;
  result.bytes = train_part(
      request, team, observer,
      [&](const auto& sentences, const auto& dev, TaskPool& pool) {
        return train_segmenter(sentences, dev, options, pool, observer);
      },
      [&](const SegmenterModel& segmenter, const auto&, const auto& own, TaskPool&) {
        std::vector<Sentence> dev = gather_sentences(team, own);
        if (!team.leads()) return;
        std::string text;
        TextWriter writer = TextWriter::to_text(text);
        for (Sentence& sentence : dev) {
          writer.write(sentence);
          for (Token& word : sentence.words()) word.set_head(kNoHead);  // which has nothing to do with this
        }
        writer.close();
        result.development = evaluate_aligned(dev, segment_text(segmenter, text));
      });
  return result;
}

}  // namespace copse
