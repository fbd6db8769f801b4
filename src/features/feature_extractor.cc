#include "features/feature_extractor.h"

#include <algorithm>
#include <cstddef>

#include "features/hashing.h"
#include "features/row_kernels.h"
#include "features/word_attributes.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr int index(Attribute attribute) { return static_cast<int>(attribute); }
constexpr int index(Place place) { return static_cast<int>(place); }
constexpr int index(Scope scope) { return static_cast<int>(scope); }

// Directions and distances, as hashes to be added. The context numbers of different scopes need not differ:
// the templates do.
constexpr std::uint64_t context(std::uint64_t kind, std::uint64_t number) {
  return mix(0xC0117E87ULL + kind * 64 + number);
}

// At most two contexts per scope: the coarser and the finer one.
struct Contexts {
  std::array<std::uint64_t, 2> hashes;
  int count;
  std::span<const std::uint64_t> all() const { return {hashes.data(), static_cast<std::size_t>(count)}; }
};

int direction(int from, int to) { return to < from ? 0 : 1; }

Contexts contexts_of(Scope scope, const Tuple& tuple) {
  const int arc = direction(tuple.head, tuple.modifier);
  const auto single = [](int number) {
    return Contexts{{context(0, static_cast<std::uint64_t>(number)), 0}, 1};
  };
  switch (scope) {
    case Scope::head:
    case Scope::modifier:
    case Scope::arc:
      return {{context(0, static_cast<std::uint64_t>(arc)),
               context(1, static_cast<std::uint64_t>(arc_shape(tuple.head, tuple.modifier)))},
              2};
    case Scope::sibling:
    case Scope::sibling_pair:
    case Scope::trisibling:
    case Scope::trisibling_pair:
    case Scope::trisibling_triple:
      return single(arc);
    case Scope::grandchild:
    case Scope::grandsibling:
    case Scope::outermost:
    case Scope::grandtrisibling:
      return single(2 * direction(tuple.grandparent, tuple.head) + arc);
    case Scope::grandchild_pair:
    case Scope::outermost_pair:
      return single(direction(tuple.grandparent, tuple.modifier));
    case Scope::grandsibling_pair:
      return single(tuple.sibling == tuple.head ? 2 + arc : direction(tuple.grandparent, tuple.sibling));
    case Scope::grandsibling_triple:
      return single(2 * direction(tuple.grandparent, tuple.modifier) + arc);
  }
  return {};
}

}  // namespace

FeatureOptions choose_features(FeatureSet set, CoarseRule coarse, std::span<const Sentence> sentences,
                               Team& team) {
  FeatureOptions options;
  options.set = set;
  options.coarse = coarse;
  bool has_lemmas = false;
  bool has_feats = false;
  for (const Sentence& sentence : sentences) {
    for (const Token& word : sentence.words()) {
      has_lemmas |= word.lemma() != "_";
      has_feats |= word.feats() != "_";
    }
  }
  options.has_lemmas = team.any(has_lemmas);
  options.has_feats = team.any(has_feats);
  options.morphology = choose_morphology(sentences, coarse, team);
  return options;
}

int FeatureExtractor::group_of(const FeatureTemplate& feature) {
  switch (feature.firing) {
    case Firing::always:
      break;
    case Firing::between:
      return kBetween;
    case Firing::coordination:
      return kCoordination;
    case Firing::feature_pairs:
      return kFeaturePairs;
    case Firing::agreement:
      return kAgreement;
  }
  return index(feature.scope);
}

FeatureExtractor::FeatureExtractor(const FeatureOptions& options, Factorization factorization)
    : options_(options), factorization_(factorization), refiner_(options.morphology) {
  const TemplateSet set(options.set, factorization,
                        {options.coarse != CoarseRule::none, options.has_lemmas, options.has_feats,
                         options.morphology.is_read});
  for (const FeatureTemplate& feature : set.templates()) {
    const auto& left_out = options.left_out;
    if (std::find(left_out.begin(), left_out.end(), feature.identity) != left_out.end()) continue;
    Group& group = groups_[static_cast<std::size_t>(group_of(feature))];
    const int term = group.templates++;
    group.identities.push_back(feature.identity);
    for (int place = 0; place < kPlaces; ++place) group.salts[place].push_back(0);
    for (const Atom& atom : feature.atoms) {
      const int place = index(atom.place);
      const auto attribute = static_cast<std::uint8_t>(atom.attribute);
      const std::uint64_t salt = mix(0xA7033ULL + static_cast<std::uint64_t>(attribute) * 16 +
                                     static_cast<std::uint64_t>(atom.offset + 8));
      group.readings[place].push_back(
          {static_cast<std::uint16_t>(term), attribute, static_cast<std::int8_t>(atom.offset), salt});
      group.salts[place].back() = mix(feature.identity + static_cast<std::uint64_t>(place) + 1);
      if (atom.place == Place::between) group.between_attributes.push_back(attribute);
    }
  }
  for (int attribute = 0; attribute < kAttributes; ++attribute) {
    boundary_[attribute] = hash_text("\x01 boundary");
    root_[attribute] = hash_text("\x01 root");
    no_sibling_[attribute] = hash_text("\x01 none");
  }
  for (const std::string& tag : options.conjunction_tags) conjunctions_.push_back(hash_text(tag));
}

void SentenceFeatures::assign(const FeatureExtractor& extractor, const Sentence& sentence) {
  extractor_ = &extractor;
  words_ = sentence.size();
  read_attributes(sentence);
  find_repetitions();
  for (int group = 0; group < FeatureExtractor::kGroups; ++group) {
    if (group != FeatureExtractor::kFeaturePairs) fill_rows(group);
  }
  if (!extractor.options_.morphology.is_read) return;
  feats_.assign(sentence);
  fill_feature_rows();
}

void SentenceFeatures::read_attributes(const Sentence& sentence) {
  const auto positions = static_cast<std::size_t>(words_ + 1 + 2 * kMargin);
  for (int attribute = 0; attribute < kAttributes; ++attribute) {
    values_[attribute].assign(positions, extractor_->boundary_[attribute]);
    values_[attribute][kMargin] = extractor_->root_[attribute];
  }
  const bool needs_all =
      extractor_->options_.set == FeatureSet::rich || extractor_->options_.set == FeatureSet::labels;
  is_conjunction_.assign(static_cast<std::size_t>(words_) + 1, 0);
  for (int word = 1; word <= words_; ++word) {
    const Token& token = sentence[word];
    const auto set = [&](Attribute attribute, std::uint64_t hash) {
      values_[index(attribute)][static_cast<std::size_t>(word + kMargin)] = hash;
    };
    const std::uint64_t fine = hash_text(fine_tag(token));
    const std::uint64_t coarse = hash_text(coarse_tag(token, extractor_->options_.coarse));
    set(Attribute::form, hash_text(token.form()));
    set(Attribute::fine_tag, fine);
    set(Attribute::coarse_tag, coarse);
    if (extractor_->options_.morphology.is_read) {
      set(Attribute::refined_tag, extractor_->refiner_.refined_tag(coarse, token.feats()));
    }
    if (needs_all) {
      set(Attribute::lemma, hash_text(token.lemma()));
      set(Attribute::feats, hash_text(token.feats()));
      set(Attribute::suffix, hash_text(last_characters(token.form(), 3)));
      set(Attribute::prefix, hash_text(first_characters(token.form(), 3)));
      set(Attribute::shape, word_shape(token.form()));
    }
    const auto& tags = extractor_->conjunctions_;
    is_conjunction_[static_cast<std::size_t>(word)] =
        std::find(tags.begin(), tags.end(), fine) != tags.end() ||
        std::find(tags.begin(), tags.end(), coarse) != tags.end();
  }
}

void SentenceFeatures::find_repetitions() {
  for (const std::uint8_t attribute : extractor_->groups_[FeatureExtractor::kBetween].between_attributes) {
    std::vector<int>& previous = previous_[attribute];
    previous.assign(static_cast<std::size_t>(words_) + 1, -1);
    for (int word = 1; word <= words_; ++word) {
      const std::uint64_t own = value(attribute, word);
      int before = word - 1;
      while (before > 0 && value(attribute, before) != own) --before;
      previous[static_cast<std::size_t>(word)] = before;
    }
  }
}

void SentenceFeatures::fill_rows(int group_number) {
  const FeatureExtractor::Group& group = extractor_->groups_[static_cast<std::size_t>(group_number)];
  const auto templates = static_cast<std::size_t>(group.templates);
  for (int place = 0; place < kPlaces; ++place) {
    std::vector<std::uint64_t>& rows = rows_[static_cast<std::size_t>(group_number)][place];
    if (group.readings[place].empty()) {
      rows.clear();
      continue;
    }
    const bool has_none = place == index(Place::sibling) || place == index(Place::second_sibling);
    rows.assign((static_cast<std::size_t>(words_) + 2) * templates, 0);
    for (int word = 0; word <= words_ + (has_none ? 1 : 0); ++word) {
      std::uint64_t* row = rows.data() + static_cast<std::size_t>(word) * templates;
      for (const auto& reading : group.readings[place]) {
        const std::uint64_t read = word > words_ ? extractor_->no_sibling_[reading.attribute]
                                                 : value(reading.attribute, word + reading.offset);
        row[reading.term] += mix(read + reading.salt);
      }
      for (std::size_t k = 0; k < templates; ++k) {
        if (group.salts[place][k] != 0) row[k] = mix(row[k] + group.salts[place][k]);
      }
    }
  }
}

void SentenceFeatures::fill_feature_rows() {
  constexpr int kGroup = FeatureExtractor::kFeaturePairs;
  const FeatureExtractor::Group& group = extractor_->groups_[kGroup];
  const auto templates = static_cast<std::size_t>(group.templates);
  for (const Place place : {Place::head, Place::modifier}) {
    std::vector<std::uint64_t>& rows = rows_[kGroup][index(place)];
    rows.assign(static_cast<std::size_t>(feats_.size()) * templates, 0);
    for (int word = 0; word <= words_; ++word) {
      for (int feature = feats_.begin(word); feature < feats_.end(word); ++feature) {
        std::uint64_t* row = rows.data() + static_cast<std::size_t>(feature) * templates;
        for (const auto& reading : group.readings[index(place)]) {
          const std::uint64_t read = reading.attribute == index(Attribute::feature)
                                         ? feats_[feature].entry
                                         : value(reading.attribute, word + reading.offset);
          row[reading.term] += mix(read + reading.salt);
        }
        for (std::size_t k = 0; k < templates; ++k) row[k] = mix(row[k] + group.salts[index(place)][k]);
      }
    }
  }
}

const std::uint64_t* SentenceFeatures::row(int group, Place place, int word) const {
  const auto& rows = rows_[static_cast<std::size_t>(group)][index(place)];
  if (rows.empty()) return nullptr;
  return rows.data() +
         static_cast<std::size_t>(word) *
             static_cast<std::size_t>(extractor_->groups_[static_cast<std::size_t>(group)].templates);
}

template <class Use>
void SentenceFeatures::for_each_between(int attribute, const Tuple& tuple, Use use) const {
  const std::vector<int>& previous = previous_[static_cast<std::size_t>(attribute)];
  const auto [left, right] = std::minmax(tuple.head, tuple.modifier);
  for (int word = left + 1; word < right; ++word) {
    // Every word type or tag counts once, however often it stands there.
    if (previous[static_cast<std::size_t>(word)] <= left) use(word);
  }
}

void SentenceFeatures::append(Scope scope, const Tuple& tuple, std::vector<std::uint64_t>& hashes) const {
  const Contexts contexts = contexts_of(scope, tuple);
  append_group(index(scope), tuple, contexts.all(), hashes);
  if (scope == Scope::arc) {
    append_between(tuple, contexts.all(), hashes);
    append_feature_pairs(tuple, contexts.all(), hashes);
    append_agreement(tuple, contexts.all(), hashes);
  }
  if (is_coordination(scope, tuple)) {
    append_group(FeatureExtractor::kCoordination, tuple, contexts.all(), hashes);
  }
}

void SentenceFeatures::append_templates(Scope scope, const Tuple& tuple,
                                        std::vector<std::uint64_t>& identities) const {
  const int contexts = contexts_of(scope, tuple).count;
  const auto append_all = [&](int group) {
    const auto& own = extractor_->groups_[static_cast<std::size_t>(group)].identities;
    for (int context = 0; context < contexts; ++context) {
      identities.insert(identities.end(), own.begin(), own.end());
    }
  };
  append_all(index(scope));
  if (scope == Scope::arc) {
    const FeatureExtractor::Group& group = extractor_->groups_[FeatureExtractor::kBetween];
    for (std::size_t k = 0; k < group.identities.size(); ++k) {
      for_each_between(group.between_attributes[k], tuple, [&](int) {
        identities.insert(identities.end(), static_cast<std::size_t>(contexts), group.identities[k]);
      });
    }
    if (extractor_->has_templates(FeatureExtractor::kFeaturePairs)) {
      const int pairs = (feats_.end(tuple.head) - feats_.begin(tuple.head)) *
                        (feats_.end(tuple.modifier) - feats_.begin(tuple.modifier));
      for (int pair = 0; pair < pairs; ++pair) append_all(FeatureExtractor::kFeaturePairs);
    }
    append_all(FeatureExtractor::kAgreement);
  }
  if (is_coordination(scope, tuple)) append_all(FeatureExtractor::kCoordination);
}

void SentenceFeatures::append_group(int group, const Tuple& tuple, std::span<const std::uint64_t> contexts,
                                    std::vector<std::uint64_t>& hashes) const {
  const auto templates =
      static_cast<std::size_t>(extractor_->groups_[static_cast<std::size_t>(group)].templates);
  if (templates == 0) return;
  const auto word_or_none = [&](int sibling) { return sibling == tuple.head ? words_ + 1 : sibling; };
  const std::size_t begin = hashes.size();
  hashes.resize(begin + templates * contexts.size());
  std::uint64_t* out = hashes.data() + begin;
  std::array<const std::uint64_t*, kPlaces - 1> rows;
  std::size_t count = 0;
  const auto add = [&](Place place, int word) {
    const std::uint64_t* numbers = row(group, place, word);
    if (numbers != nullptr) rows[count++] = numbers;
  };
  add(Place::grandparent, tuple.grandparent);
  add(Place::head, tuple.head);
  add(Place::second_sibling, word_or_none(tuple.second_sibling));
  add(Place::sibling, word_or_none(tuple.sibling));
  add(Place::modifier, tuple.modifier);
  sum_rows(std::span(rows).first(count), contexts[0], templates, out);
  for (std::size_t c = 1; c < contexts.size(); ++c) {
    const std::uint64_t shift = contexts[c] - contexts[0];
    for (std::size_t k = 0; k < templates; ++k) out[c * templates + k] = out[k] + shift;
  }
}

void SentenceFeatures::append_between(const Tuple& tuple, std::span<const std::uint64_t> contexts,
                                      std::vector<std::uint64_t>& hashes) const {
  constexpr int kGroup = FeatureExtractor::kBetween;
  const FeatureExtractor::Group& group = extractor_->groups_[kGroup];
  const std::uint64_t* of_head = row(kGroup, Place::head, tuple.head);
  const std::uint64_t* of_modifier = row(kGroup, Place::modifier, tuple.modifier);
  for (int k = 0; k < group.templates; ++k) {
    const std::uint64_t ends = of_head[k] + of_modifier[k];
    for_each_between(group.between_attributes[static_cast<std::size_t>(k)], tuple, [&](int word) {
      const std::uint64_t hash = ends + row(kGroup, Place::between, word)[k];
      for (const std::uint64_t context : contexts) hashes.push_back(hash + context);
    });
  }
}

void SentenceFeatures::append_feature_pairs(const Tuple& tuple, std::span<const std::uint64_t> contexts,
                                            std::vector<std::uint64_t>& hashes) const {
  constexpr int kGroup = FeatureExtractor::kFeaturePairs;
  if (!extractor_->has_templates(kGroup)) return;
  const int templates = extractor_->groups_[kGroup].templates;
  for (int first = feats_.begin(tuple.head); first < feats_.end(tuple.head); ++first) {
    const std::uint64_t* of_head = row(kGroup, Place::head, first);
    for (int second = feats_.begin(tuple.modifier); second < feats_.end(tuple.modifier); ++second) {
      const std::uint64_t* of_modifier = row(kGroup, Place::modifier, second);
      for (const std::uint64_t context : contexts) {
        for (int k = 0; k < templates; ++k) hashes.push_back(of_head[k] + of_modifier[k] + context);
      }
    }
  }
}

void SentenceFeatures::append_agreement(const Tuple& tuple, std::span<const std::uint64_t> contexts,
                                        std::vector<std::uint64_t>& hashes) const {
  constexpr int kGroup = FeatureExtractor::kAgreement;
  if (!extractor_->has_templates(kGroup)) return;
  const std::size_t begin = hashes.size();
  append_group(kGroup, tuple, contexts, hashes);
  const std::uint64_t agreement = feats_.agreement(tuple.head, tuple.modifier);
  for (std::size_t k = begin; k < hashes.size(); ++k) hashes[k] += agreement;
}

}  // namespace copse
