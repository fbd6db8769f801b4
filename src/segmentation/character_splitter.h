#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/known_words.h"
#include "parallel/task_pool.h"
#include "segmentation/character_edit.h"
#include "sequence/sequence_labeller.h"
#include "sequence/sequence_model.h"

namespace copse {

// How tokens are split that training data does not have: an edit for each of their characters, by what the
// characters around look like and by which words begin and end there. For languages that write many words in
// one token, so that most tokens are new.
struct CharacterSplitter {
  // Of words that tokens consist of.
  enum Flag : KnownWords::Flags {
    kWhole = 1,  // a token by itself
    kFirst = 2,
    kInner = 4,
    kLast = 8,
    kSeen = 16,  // a token, whatever becomes of it
  };

  std::vector<CharacterEdit> edits;  // by label; the first one changes nothing
  KnownWords words;
  SequenceModel model;

  void save(ByteWriter& writer) const;
  static CharacterSplitter load(ByteReader& reader);
};

// A workspace for one thread.
class CharacterSplitterPass {
 public:
  // Borrows the splitter.
  explicit CharacterSplitterPass(const CharacterSplitter& splitter)
      : splitter_(&splitter), labeller_(splitter.model) {}

  // Overwrites words by those of a token; false if it is a word itself; nothing if training data has the
  // token, so that others know better.
  std::optional<bool> split(std::string_view form, std::vector<std::string>& words);

 private:
  const CharacterSplitter* splitter_;
  SequenceObservations observations_;
  SequenceLabeller labeller_;
  std::vector<const CharacterEdit*> edits_;
};

// Longer tokens are not split.
inline constexpr std::size_t kLongestSplitToken = 80;  // characters

// What is seen of a folded form, with what is known of words: a position for each character.
void observe_characters(std::u32string_view form, const KnownWords& words,
                        SequenceObservations& observations);

// A token that training data has, folded, and its words: itself alone if it is not split.
struct SplitExample {
  std::u32string form;
  std::vector<std::u32string> words;
};
// Nothing if there are too few tokens to learn from that are split. The same for any number of threads and
// processes, which all have the same examples.
std::optional<CharacterSplitter> train_character_splitter(const std::vector<SplitExample>& examples,
                                                          TaskPool& pool);

}  // namespace copse
