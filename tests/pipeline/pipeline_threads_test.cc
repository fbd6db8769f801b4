#include <gtest/gtest.h>

#include "labelling/labeller_trainer.h"
#include "parsing/toy_model.h"
#include "pipeline/model_components.h"
#include "pipeline/parallel_pipeline.h"
#include "tagging/tagger_trainer.h"

namespace copse::testing {
namespace {

// Tagger, parser and labeller.
Model trained(int threads) {
  const std::vector<Sentence> sentences = read_text(toy_treebank(80, 1));
  TaskPool pool(threads);
  TaggerObserver nobody;
  ModelComponents all{toy_model(Factorization::grandsibling, RootMode::single, 1e-3)};
  all.tagger = train_tagger(sentences, {}, {}, pool, nobody);
  all.labeller = train_labeller(sentences, {}, {}, pool, nobody);
  return Model(std::make_shared<const ModelComponents>(std::move(all)));
}

TEST(ParallelPipeline, TheSameTreesForAnyNumberOfThreads) {
  const Model model = trained(3);
  std::vector<PipelineItem> untagged;
  for (Sentence& sentence : read_text(toy_treebank(60, 2))) {
    for (Token& word : sentence.words()) {
      word.set_upos("_");
      word.set_xpos("_");
    }
    untagged.push_back({std::move(sentence)});
  }
  ParseOptions options;
  options.probabilities = true;
  std::vector<std::string> texts;
  for (const int threads : {1, 3}) {
    std::vector<PipelineItem> items = untagged;
    TaskPool pool(threads);
    ParallelPipeline(model, options, pool).parse_and_write_columns(items);
    std::vector<Sentence> sentences;
    for (PipelineItem& item : items) {
      EXPECT_FALSE(item.error);
      sentences.push_back(std::move(item.sentence));
    }
    texts.push_back(write_text(sentences));
  }
  EXPECT_TRUE(texts[0] == texts[1]);
  EXPECT_NE(texts[0].find("PDEPREL="), std::string::npos);
}

}  // namespace
}  // namespace copse::testing
