#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/sentence.h"
#include "features/coarse_tags.h"
#include "parallel/team.h"

namespace copse {

// How the column FEATS is read feature by feature: "Key=Value" of CoNLL-U, or bare ones such as "nom" of
// CoNLL-X. Models store it.
struct Morphology {
  // The key whose value tells most about the arcs of words with a coarse tag: together they are the refined
  // tag of a word, such as a noun in the genitive. Sorted by tag.
  struct Refinement {
    std::string tag;
    std::string key;  // "|2": the third of the bare features, which have no keys
    bool operator==(const Refinement&) const = default;
  };
  bool is_read = false;
  std::vector<Refinement> refinements;
  bool operator==(const Morphology&) const = default;
};

// Whether the features of a treebank should be read one by one. They should where fine tags are of little
// help: too many for what is said about one to be learnt, or silent about most of what FEATS says. In a
// team, here and below, each process has its own share of the sentences, dealt out in turn.
bool is_rich_in_morphology(std::span<const Sentence> sentences, Team& team = Team::alone());

// How to read FEATS of a treebank: not at all, unless it is rich in morphology.
Morphology choose_morphology(std::span<const Sentence> sentences, CoarseRule coarse,
                             Team& team = Team::alone());

// Hashes of the refined tags of words. Borrows the morphology.
class TagRefiner {
 public:
  TagRefiner() = default;
  explicit TagRefiner(const Morphology& morphology);
  // `coarse` is the hash of the coarse tag: that of the refined one, too, if the word lacks the feature.
  std::uint64_t refined_tag(std::uint64_t coarse, std::string_view feats) const;

 private:
  struct Entry {
    std::uint64_t tag;
    std::string key;
  };
  std::vector<Entry> entries_;  // sorted by tag
};

// The single features of the words of a sentence. A workspace.
class SingleFeats {
 public:
  // Features beyond these are not looked at: pairs of them are features of arcs.
  static constexpr int kMost = 16;
  struct Feature {
    std::uint64_t key;    // of a bare feature, the same as the entry
    std::uint64_t entry;  // all of it
  };

  void assign(const Sentence& sentence);

  // The features of all words, from the root on. The root and words without any have one, which says so.
  int size() const { return static_cast<int>(features_.size()); }
  const Feature& operator[](int feature) const { return features_[static_cast<std::size_t>(feature)]; }
  int begin(int word) const { return begins_[static_cast<std::size_t>(word)]; }
  int end(int word) const { return begins_[static_cast<std::size_t>(word) + 1]; }

  // A hash of the keys that both words have, with whether their values are the same.
  std::uint64_t agreement(int head, int modifier) const;

 private:
  std::vector<Feature> features_;
  std::vector<int> begins_;  // per word, and the end
};

}  // namespace copse
