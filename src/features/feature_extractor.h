#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"
#include "features/coarse_tags.h"
#include "features/morphology.h"
#include "features/template_set.h"
#include "features/tuple_index.h"

namespace copse {

// What decides which features a sentence has. Models store it.
struct FeatureOptions {
  FeatureSet set = FeatureSet::rich;
  CoarseRule coarse = CoarseRule::treebank;
  bool has_lemmas = true;  // of the treebank: features of empty columns would say nothing
  bool has_feats = true;
  Morphology morphology;  // how FEATS is read beside that
  std::vector<std::string> conjunction_tags = {"CC", "CCONJ", "CONJ"};
  std::vector<std::uint64_t> left_out;  // identities of templates of the set that are not used
};

// The options for a treebank that nothing else is known about, but for the set and the rule of coarse tags.
// In a team, each process has its own share of the sentences, dealt out in turn.
FeatureOptions choose_features(FeatureSet set, CoarseRule coarse, std::span<const Sentence> sentences,
                               Team& team = Team::alone());

// The templates of a model, made ready to be evaluated. A feature is a 64-bit hash: the sum of one number per
// word of the tuple and one for the direction and distance. The numbers of a word depend on the template, the
// place and the word alone, so they are computed once per sentence, and every feature costs a few additions.
class FeatureExtractor {
 public:
  FeatureExtractor(const FeatureOptions& options, Factorization factorization);

  const FeatureOptions& options() const { return options_; }
  Factorization factorization() const { return factorization_; }

 private:
  friend class SentenceFeatures;

  // One atom of a template at one place.
  struct Reading {
    std::uint16_t term;  // number of its column among the templates of the group
    std::uint8_t attribute;
    std::int8_t offset;
    std::uint64_t salt;
  };
  // The templates that are evaluated together.
  struct Group {
    int templates = 0;
    std::array<std::vector<Reading>, kPlaces> readings;  // sorted by term
    std::array<std::vector<std::uint64_t>, kPlaces>
        salts;                                     // per template; 0 where it does not read the place
    std::vector<std::uint8_t> between_attributes;  // per template of a `between` group
    std::vector<std::uint64_t> identities;         // per template
  };
  static constexpr int kGroups = kScopes + 4;
  static constexpr int kBetween = kScopes;
  static constexpr int kCoordination = kScopes + 1;
  static constexpr int kFeaturePairs = kScopes + 2;
  static constexpr int kAgreement = kScopes + 3;

  static int group_of(const FeatureTemplate& feature);
  bool has_templates(int group) const { return groups_[static_cast<std::size_t>(group)].templates > 0; }

  FeatureOptions options_;
  Factorization factorization_;
  std::array<Group, kGroups> groups_;
  std::array<std::uint64_t, kAttributes> boundary_;  // values of positions outside the sentence
  std::array<std::uint64_t, kAttributes> root_;
  std::array<std::uint64_t, kAttributes> no_sibling_;
  std::vector<std::uint64_t> conjunctions_;  // values of the tags
  TagRefiner refiner_;
};

// The features of one sentence. A workspace: assign sentence after sentence to it.
class SentenceFeatures {
 public:
  // Borrows `extractor`.
  void assign(const FeatureExtractor& extractor, const Sentence& sentence);

  Factorization factorization() const { return extractor_->factorization(); }

  // Appends the features of a tuple to `hashes`.
  void append(Scope scope, const Tuple& tuple, std::vector<std::uint64_t>& hashes) const;
  // Appends the identities of the templates that these features come from, one for each.
  void append_templates(Scope scope, const Tuple& tuple, std::vector<std::uint64_t>& identities) const;

 private:
  void read_attributes(const Sentence& sentence);
  void find_repetitions();
  void fill_rows(int group);
  void fill_feature_rows();
  const std::uint64_t* row(int group, Place place, int word) const;
  void append_group(int group, const Tuple& tuple, std::span<const std::uint64_t> contexts,
                    std::vector<std::uint64_t>& hashes) const;
  void append_between(const Tuple& tuple, std::span<const std::uint64_t> contexts,
                      std::vector<std::uint64_t>& hashes) const;
  void append_feature_pairs(const Tuple& tuple, std::span<const std::uint64_t> contexts,
                            std::vector<std::uint64_t>& hashes) const;
  void append_agreement(const Tuple& tuple, std::span<const std::uint64_t> contexts,
                        std::vector<std::uint64_t>& hashes) const;
  // Calls use(word) for the words between that come first with their value, from the left.
  template <class Use>
  void for_each_between(int attribute, const Tuple& tuple, Use use) const;
  bool is_coordination(Scope scope, const Tuple& tuple) const {
    return scope == Scope::grandsibling && tuple.sibling != tuple.head &&
           is_conjunction_[static_cast<std::size_t>(tuple.sibling)] != 0;
  }
  std::uint64_t value(int attribute, int position) const {
    const int place = position + kMargin;
    return values_[attribute][static_cast<std::size_t>(place)];
  }

  static constexpr int kMargin = 2;  // the largest offset

  const FeatureExtractor* extractor_ = nullptr;
  int words_ = 0;
  std::array<std::vector<std::uint64_t>, kAttributes> values_;  // positions -2..n+2
  std::array<std::vector<int>, kAttributes> previous_;  // the nearest word to the left with the same value
  std::vector<std::uint8_t> is_conjunction_;
  SingleFeats feats_;
  // [group][place]: n + 2 rows, the last for the sibling that is not there, or a row for each feature of
  // FEATS where they are paired; a column per template.
  std::array<std::array<std::vector<std::uint64_t>, kPlaces>, FeatureExtractor::kGroups> rows_;
};

}  // namespace copse
