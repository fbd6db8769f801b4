#include "network/network_pass.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "features/lemma_rule.h"
#include "network/element_kernels.h"
#include "treebank/misc_probability.h"

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

std::string probability_key(const TagColumn& column) { return "P" + std::string(name_of(column.column)); }

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

void NetworkPass::set_tags(ConstMatrix roles, Which which, bool with_probabilities, Sentence& sentence) {
  const std::vector<TagColumn>& columns = network_->description().tags;
  if (columns.empty()) return;
  const ConstMatrix tags = scores_.tags(roles);
  for (int word = 1; word <= sentence.size(); ++word) {
    const float* scores = tags.row(static_cast<std::size_t>(word));
    Token& token = sentence[word];
    for (const TagColumn& column : columns) {
      if (which == Which::missing && text_of(token, column.column) != "_") continue;
      const std::span<const float> own(scores + column.place.begin, column.place.size);
      const std::uint32_t best =
          static_cast<std::uint32_t>(std::max_element(own.begin(), own.end()) - own.begin()) + 1;
      const auto known = column.column == Row::kLemma ? network_->description().lemmas.find(token)
                                                      : std::optional<std::uint32_t>();
      set_value(token, column, column.values[known.value_or(best)], token);
      if (with_probabilities && known) {
        set_misc_probability(token, probability_key(column), 1.0);  // it was looked up
      } else if (with_probabilities) {
        set_misc_probability(token, probability_key(column), probability_of(column, own, token));
      } else {
        remove_misc_probability(token, probability_key(column));
      }
    }
  }
}

// Of what a column says now. Several rules may make the same lemma.
double NetworkPass::probability_of(const TagColumn& column, std::span<const float> scores,
                                   const Token& word) {
  tag_probabilities_.assign(scores.begin(), scores.end());
  softmax(tag_probabilities_);
  const std::string_view written = text_of(word, column.column);
  double sum = 0.0;
  for (std::uint32_t value = 1; value < column.values.size(); ++value) {
    const double probability = tag_probabilities_[value - 1];
    constexpr double kNegligible = 1e-6;  // saves applying thousands of rules
    if (probability < kNegligible) continue;
    if (column.column == Row::kLemma) {
      const auto rule = LemmaRule::parse(column.values[value]);
      if (rule && rule->apply(word.form()) == written) sum += probability;
    } else if (column.values[value] == written) {
      sum += probability;
    }
  }
  return std::min(sum, 1.0);
}

void NetworkPass::add_part_scores(ConstMatrix roles, const PartIndex& parts, Potentials& potentials) {
  low_rank_parts_.score(roles, network_->weights().part_weights(), parts, potentials);
}

}  // namespace copse
