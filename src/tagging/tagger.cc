#include "tagging/tagger.h"

#include <algorithm>

#include "features/hashing.h"
#include "sequence/sequence_labeller.h"
#include "tagging/tagger_layer.h"
#include "tagging/word_features.h"
#include "text/attribute_list.h"
#include "treebank/misc_probability.h"

namespace copse {
namespace {

void set_value(Token& word, TagAttribute attribute, std::string_view text) {
  if (value(word, attribute) == text) return;
  switch (attribute) {
    case TagAttribute::upos:
      return word.set_upos(text);
    case TagAttribute::xpos:
      return word.set_xpos(text);
    case TagAttribute::feats:
      return word.set_feats(text);
    case TagAttribute::lemma:
      return word.set_lemma(text);
  }
}

}  // namespace

class Tagger::Impl {
 public:
  Impl(const TaggerModel& tagger, const TaggingOptions& options) : tagger_(tagger), options_(options) {
    for (const TaggerLayer& layer : tagger_.layers()) labellers_.emplace_back(layer.model);
  }

  void tag(Sentence& sentence) {
    is_tagged_.assign(static_cast<std::size_t>(sentence.size()), 0);
    keeps_given_ = false;
    tag_words(sentence);
  }

  void tag_missing(Sentence& sentence) {
    is_tagged_.clear();
    for (const Token& word : sentence.words()) is_tagged_.push_back(has_all_tags(word) ? 1 : 0);
    if (std::all_of(is_tagged_.begin(), is_tagged_.end(), [](std::uint8_t is) { return is != 0; })) return;
    keeps_given_ = true;
    tag_words(sentence);
  }

 private:
  bool has_all_tags(const Token& word) const {
    return std::all_of(tagger_.layers().begin(), tagger_.layers().end(), [&](const TaggerLayer& layer) {
      const bool is_tag = layer.attribute == TagAttribute::upos || layer.attribute == TagAttribute::xpos;
      return !is_tag || value(word, layer.attribute) != "_";
    });
  }

  void tag_words(Sentence& sentence) {
    if (sentence.empty()) return;
    if (options_.probabilities) make_conllu(sentence);
    reader_.read(sentence, words_);
    tags_.clear();
    for (std::size_t k = 0; k < labellers_.size(); ++k) {
      observe_words(words_, tags_, observations_);
      labellers_[k].assign(observations_);
      write(tagger_.layers()[k], labellers_[k], sentence);
    }
  }

  // Words with tags may well have no features and no lemma.
  bool is_given(const Token& word, std::size_t index, TagAttribute attribute) const {
    return keeps_given_ && (is_tagged_[index] != 0 || value(word, attribute) != "_");
  }

  void write(const TaggerLayer& layer, SequenceLabeller& labeller, Sentence& sentence) {
    const std::span<const Label> labels = labeller.best();
    tags_.resize(words_.size(), 0);
    for (int position = 0; position < labeller.size(); ++position) {
      const auto index = static_cast<std::size_t>(position);
      const Label label = labels[index];
      Token& word = sentence[position + 1];
      if (is_given(word, index, layer.attribute)) {
        tags_[index] = next_tag(tags_[index], hash_text(label_text(word, layer.attribute)));
        continue;
      }
      tags_[index] = next_tag(tags_[index], layer.hashes[label]);
      set_value(word, layer.attribute,
                layer.is_lemma() ? layer.rules[label].apply(word.form()) : layer.labels[label]);
      if (options_.probabilities) {
        write_probability(layer, labeller, position, word);
      } else {
        // What another tagger has said about another value.
        remove_misc_probability(word, "P" + upper_name(layer.attribute));
      }
    }
  }

  // Several rules may give the same lemma.
  void write_probability(const TaggerLayer& layer, SequenceLabeller& labeller, int position,
                         Token& word) const {
    const std::span<const Label> candidates = labeller.candidates(position);
    const std::span<const double> probabilities = labeller.probabilities(position);
    const std::string_view written = value(word, layer.attribute);
    double sum = 0.0;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const bool is_same = layer.is_lemma() ? layer.rules[candidates[k]].apply(word.form()) == written
                                            : layer.labels[candidates[k]] == written;
      if (is_same) sum += probabilities[k];
    }
    set_misc_probability(word, "P" + upper_name(layer.attribute), sum);
  }

  TaggerModel tagger_;
  TaggingOptions options_;
  std::vector<SequenceLabeller> labellers_;  // by layer
  WordReader reader_;
  std::vector<WordTraits> words_;
  std::vector<std::uint64_t> tags_;
  std::vector<std::uint8_t> is_tagged_;  // by word
  bool keeps_given_ = false;
  SequenceObservations observations_;
};

Tagger::Tagger(const TaggerModel& tagger, const TaggingOptions& options)
    : impl_(std::make_unique<Impl>(tagger, options)) {}
Tagger::~Tagger() = default;
Tagger::Tagger(Tagger&&) noexcept = default;
Tagger& Tagger::operator=(Tagger&&) noexcept = default;

void Tagger::tag(Sentence& sentence) { impl_->tag(sentence); }
void Tagger::tag_missing(Sentence& sentence) { impl_->tag_missing(sentence); }

}  // namespace copse
