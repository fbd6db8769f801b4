#include "network/network_pass.h"

#include <algorithm>
#include <numeric>
#include <utility>

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

}  // namespace

NetworkPass::NetworkPass(const Network& network, Device device)
    : network_(&network),
      reader_(network.description().inputs, network.description().vectors_or_null(), network.shape()),
      encoder_(make_role_source(device, network)),
      scores_(network),
      low_rank_parts_(network.shape()) {}

void NetworkPass::prepare(std::span<const Sentence> sentences) {
  pointers_.clear();
  for (const Sentence& sentence : sentences) pointers_.push_back(&sentence);
  prepare(std::span<const Sentence* const>(pointers_));
}

void NetworkPass::prepare(std::span<const Sentence* const> sentences) {
  order_.resize(sentences.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(-sentences[a]->size(), a) < std::pair(-sentences[b]->size(), b);
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
  roles_ = encoder_->run(inputs_, sequences_);
  scores_.prepare(roles_);
  scored_.reset();
}

void NetworkPass::set_tags(std::size_t number, Which which, Sentence& sentence) {
  const std::vector<TagColumn>& columns = network_->description().tags;
  if (columns.empty()) return;
  const ConstMatrix tags = scores_.tags(rows(number));
  for (int word = 1; word <= sentence.size(); ++word) {
    const float* scores = tags.row(static_cast<std::size_t>(word));
    Token& token = sentence[word];
    for (const TagColumn& column : columns) {
      if (which == Which::missing && text_of(token, column.column) != "_") continue;
      const float* first = scores + column.place.begin;
      std::uint32_t best =
          static_cast<std::uint32_t>(std::max_element(first, first + column.place.size) - first) + 1;
      if (column.column == Row::kLemma) best = network_->description().lemmas.find(token).value_or(best);
      set_value(token, column, column.values[best], token);
    }
  }
}

ConstMatrix NetworkPass::arc_scores(std::size_t number) {
  // Asked for twice: to choose candidates, and to score them.
  if (scored_ != number) arc_scores_ = scores_.arcs(rows(number));
  scored_ = number;
  return arc_scores_;
}

void NetworkPass::add_part_scores(std::size_t number, const PartIndex& parts, Potentials& potentials) {
  const RowRange range = rows(number);
  low_rank_parts_.score(ConstMatrix(roles_.row(range.begin), range.size, roles_.columns, roles_.stride),
                        network_->weights().part_weights(), parts, potentials);
}

ConstMatrix NetworkPass::label_scores(std::size_t number, std::span<const int> heads) {
  return scores_.labels(rows(number), heads);
}

}  // namespace copse
