#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "features/known_words.h"
#include "parallel/task_pool.h"
#include "segmentation/word_splitter.h"
#include "sequence/sequence_labeller.h"
#include "sequence/sequence_model.h"

namespace copse {

// How tokens are split that training data splits now in one way and now in another, or now and then not at
// all, as French "des": by the tokens around them.
struct ContextSplitter {
  KnownWords forms;               // that it decides
  std::vector<WordSplit> splits;  // label k + 1; label 0: the token is a word
  SequenceModel model;

  bool decides(std::uint64_t form) const { return forms.find(form) != 0; }

  void save(ByteWriter& writer) const;
  static ContextSplitter load(ByteReader& reader);
};

// A workspace for one thread.
class ContextSplitterPass {
 public:
  // Borrows the splitter.
  explicit ContextSplitterPass(const ContextSplitter& splitter)
      : splitter_(&splitter), labeller_(splitter.model) {}

  // Decides for the tokens of a sentence.
  void assign(std::span<const std::string_view> tokens);
  // How a token is split; null: it is a word; nothing: others decide.
  std::optional<const WordSplit*> decision(std::size_t token) const { return decisions_[token]; }

 private:
  const ContextSplitter* splitter_;
  SequenceObservations observations_;
  SequenceLabeller labeller_;
  std::vector<std::uint32_t> places_;
  std::vector<std::optional<const WordSplit*>> decisions_;
};

// Nothing if no token is split in different ways often enough. The same for any number of threads and
// processes, which all have the same sentences.
std::optional<ContextSplitter> train_context_splitter(std::span<const Sentence> sentences, TaskPool& pool);

}  // namespace copse
