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

void NetworkPass::encode(std::span<const Sentence* const> sentences, EncodedSentences& encoded) {
  order_.resize(sentences.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(-sentences[a]->size(), a) < std::pair(-sentences[b]->size(), b);
  });
  rows_.resize(sentences.size());
  inputs_.clear();
  sequences_.clear();
  for (const std::size_t number : order_) {
    const Sentence& sentence = *sentences[number];
    rows_[number] = {sequences_.rows(), static_cast<std::size_t>(sentence.size()) + 1};
    reader_.append(sentence, inputs_);
    sequences_.add(rows_[number].size);
  }
  encoded.assign(sentences.empty() ? ConstMatrix() : encoder_->run(inputs_, sequences_), rows_);
}

void NetworkPass::set_tags(ConstMatrix roles, Which which, Sentence& sentence) {
  const std::vector<TagColumn>& columns = network_->description().tags;
  if (columns.empty()) return;
  const ConstMatrix tags = scores_.tags(roles);
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

void NetworkPass::add_part_scores(ConstMatrix roles, const PartIndex& parts, Potentials& potentials) {
  low_rank_parts_.score(roles, network_->weights().part_weights(), parts, potentials);
}

}  // namespace copse
