#include "network/network_pass.h"

#include <algorithm>
#include <numeric>

#include "features/lemma_rule.h"

namespace copse {
namespace {

void set_value(const Token& word, const TagColumn& column, const std::string& value, Token& to) {
  switch (column.column) {
    case Row::kLemma:
      if (const auto rule = LemmaRule::parse(value)) to.set_lemma(rule->apply(word.form()));
      break;
    default:
      to.set_checked(column.column, value);
  }
}

std::string_view text_of(const Token& word, Row::Column column) {
  switch (column) {
    case Row::kUpos:
      return word.upos();
    case Row::kXpos:
      return word.xpos();
    case Row::kFeats:
      return word.feats();
    default:
      return word.lemma();
  }
}

}  // namespace

NetworkPass::NetworkPass(const Network& network)
    : network_(&network),
      reader_(network.description().inputs, network.description().vectors_or_null(), network.shape()),
      pass_(network.shape(), network.blocks(), network.description().vectors_or_null()),
      arc_biaffine_(network.shape()),
      low_rank_parts_(network.shape()),
      label_biaffine_(network.shape()),
      tag_classifier_(network.shape()) {}

void NetworkPass::prepare(std::span<const Sentence> sentences) {
  pointers_.clear();
  for (const Sentence& sentence : sentences) pointers_.push_back(&sentence);
  prepare(std::span<const Sentence* const>(pointers_));
}

void NetworkPass::prepare(std::span<const Sentence* const> sentences) {
  order_.resize(sentences.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return sentences[a]->size() > sentences[b]->size();
  });
  places_.resize(sentences.size());
  inputs_.clear();
  sequences_.clear();
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const Sentence& sentence = *sentences[order_[place]];
    places_[order_[place]] = place;
    reader_.append(sentence, inputs_);
    sequences_.add(static_cast<std::size_t>(sentence.size()) + 1);
  }
  roles_ = pass_.forward(inputs_, sequences_, network_->training_weights(), 0.0F, nullptr);
  arc_biaffine_.prepare(roles_, network_->weights());
  has_tags_ = false;
}

void NetworkPass::set_tags(std::size_t number, Which which, Sentence& sentence) {
  const std::vector<TagColumn>& columns = network_->description().tags;
  if (columns.empty()) return;
  if (!has_tags_) tags_ = tag_classifier_.score(roles_, network_->weights());
  has_tags_ = true;
  const RowRange range = rows(number);
  for (int word = 1; word <= sentence.size(); ++word) {
    const float* scores = tags_.row(range.begin + static_cast<std::size_t>(word));
    Token& token = sentence[word];
    for (const TagColumn& column : columns) {
      if (which == Which::missing && text_of(token, column.column) != "_") continue;
      const float* first = scores + column.place.begin;
      const auto best = static_cast<std::uint32_t>(std::max_element(first, first + column.place.size) - first);
      set_value(token, column, column.values[best + 1], token);
    }
  }
}

ConstMatrix NetworkPass::arc_scores(std::size_t number) {
  const RowRange range = rows(number);
  arc_scores_.resize(range.size * range.size);
  const Matrix scores(arc_scores_.data(), range.size, range.size);
  arc_biaffine_.score(range, scores);
  return scores;
}

void NetworkPass::add_part_scores(std::size_t number, const PartIndex& parts, Potentials& potentials) {
  const RowRange range = rows(number);
  low_rank_parts_.score(ConstMatrix(roles_.row(range.begin), range.size, roles_.columns, roles_.stride),
                     network_->weights(), parts, potentials);
}

ConstMatrix NetworkPass::label_scores(std::size_t number, std::span<const int> heads) {
  const RowRange range = rows(number);
  label_arcs_.clear();
  for (std::size_t word = 0; word < range.size; ++word) {
    const int head = word < heads.size() && word > 0 ? std::max(heads[word], 0) : 0;
    label_arcs_.push_back({range.begin + static_cast<std::size_t>(head), range.begin + word});
  }
  const std::size_t labels = network_->description().labels.size();
  label_scores_.resize(range.size * labels);
  const Matrix scores(label_scores_.data(), range.size, labels);
  label_biaffine_.score(roles_, network_->weights(), label_arcs_, scores);
  return scores;
}

}  // namespace copse
