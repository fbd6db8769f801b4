#include "parser_training/label_example.h"

#include <algorithm>

#include "inference/tree_parts.h"
#include "numeric/log_sum_exp.h"

namespace copse {

void LabelExample::assign(std::size_t number, const TrainingSentence& sentence, const SentenceParts& parts) {
  sentence_ = &sentence;
  list_ = &(*lists_)[number];
  parts_ = &parts;
  row_starts_.assign(1, 0);
  for (const std::uint16_t length : list_->lengths) row_starts_.push_back(row_starts_.back() + length);
  block_starts_.assign(1, 0);
  for (int arc = 0; arc < parts.arcs().size(); ++arc) {
    const auto count = static_cast<std::size_t>(parts.parts().labelled_count(arc));
    block_starts_.push_back(block_starts_.back() + count * candidates(arc).size());
  }
  shared_.resize(static_cast<std::size_t>(parts.tuples().begin(Scope::arc)) * lists_->index().names.size());
  gold_slots_.assign(list_->gold.size(), LabelList::kNoLabel);
  for (std::size_t word = 1; word < list_->gold.size(); ++word) {
    if (list_->gold[word] == LabelList::kNoLabel) continue;
    const int arc = gold_arc(word);
    if (arc == ArcSet::kNone) continue;  // of development data, whose arcs are pruned as in use
    const std::span<const Label> labels = candidates(arc);
    const auto found = std::find(labels.begin(), labels.end(), static_cast<Label>(list_->gold[word]));
    if (found != labels.end()) gold_slots_[word] = static_cast<int>(found - labels.begin());
  }
}

int LabelExample::gold_arc(std::size_t word) const {
  return parts_->arcs().find(sentence_->heads[word], static_cast<int>(word));
}

void LabelExample::assign_table(int arc) {
  table_.assign(parts_->parts(), arc, candidates(arc), lists_->index().names.size());
}

void LabelExample::score_shared_tuples(const float* weights) {
  const LabelIndex& index = lists_->index();
  const std::size_t labels = index.names.size();
  std::fill(shared_.begin(), shared_.end(), 0.0);
  for (int tuple = 0; tuple < parts_->tuples().begin(Scope::arc); ++tuple) {
    double* values = shared_.data() + static_cast<std::size_t>(tuple) * labels;
    for (const std::uint32_t row : rows_of(tuple)) {
      for (std::uint32_t k = index.starts[row]; k < index.starts[row + 1]; ++k) {
        values[index.labels[k]] += weights[k];
      }
    }
  }
}

void LabelExample::score(std::span<const float> all_weights) {
  const LabelIndex& index = lists_->index();
  const float* weights = all_weights.data() + first_weight_;
  score_shared_tuples(weights);
  const TupleIndex& tuples = parts_->tuples();
  const int arcs = parts_->arcs().size();
  scores_.resize(block_starts_.back());
  for (int arc = 0; arc < arcs; ++arc) {
    assign_table(arc);
    table_.for_each_tuple(tuples, [&](Scope, int tuple, double* sums) {
      for (const std::uint32_t row : rows_of(tuple)) {
        for (std::uint32_t k = index.starts[row]; k < index.starts[row + 1]; ++k) {
          sums[table_.slot(index.labels[k])] += weights[k];
        }
      }
    });
    table_.add_shared(tuples, shared_);
    const std::span<double> arc_row = table_.arc_row();
    const Arc ends = parts_->arcs()[arc];
    const auto word = static_cast<std::size_t>(ends.modifier);
    if (margin_ > 0.0 && sentence_->heads[word] == ends.head && gold_slots_[word] != LabelList::kNoLabel) {
      for (double& score : arc_row) score += margin_;
      arc_row[static_cast<std::size_t>(gold_slots_[word])] -= margin_;
    }
    table_.to_parts(block(scores_, arc));
  }
  part_sums_.clear();
  probabilities_.resize(use_ == LabelUse::sum ? scores_.size() : 0);
  for (int arc = 0; arc < arcs; ++arc) {
    const std::size_t count = candidates(arc).size();
    const std::size_t end = block_starts_[static_cast<std::size_t>(arc) + 1];
    for (std::size_t at = block_starts_[static_cast<std::size_t>(arc)]; at < end; at += count) {
      const std::span<const double> scores = std::span(scores_).subspan(at, count);
      part_sums_.push_back(use_ == LabelUse::sum ? log_sum_exp(scores, probabilities_.data() + at)
                                                 : scores[best_of(scores)]);
    }
  }
}

void LabelExample::add_to(std::vector<double>& potentials) const {
  std::transform(potentials.begin(), potentials.end(), part_sums_.begin(), potentials.begin(), std::plus<>());
}

std::span<const double> LabelExample::scores_of(int arc, PartIndex::Position part) const {
  const std::size_t count = candidates(arc).size();
  const auto number = static_cast<std::size_t>(part - parts_->parts().labelled_begin(arc));
  return std::span(scores_).subspan(block_starts_[static_cast<std::size_t>(arc)] + number * count, count);
}

void LabelExample::restrict_to_gold(std::vector<double>& potentials) const {
  const PartIndex& parts = parts_->parts();
  for (std::size_t word = 1; word < gold_slots_.size(); ++word) {
    if (gold_slots_[word] == LabelList::kNoLabel) continue;
    const int arc = gold_arc(word);
    for (int k = 0; k < parts.labelled_count(arc); ++k) {
      const PartIndex::Position part = parts.labelled_begin(arc) + k;
      potentials[static_cast<std::size_t>(part)] +=
          scores_of(arc, part)[static_cast<std::size_t>(gold_slots_[word])] -
          part_sums_[static_cast<std::size_t>(part)];
    }
  }
}

// Calls use(word, part) for the words of a tree whose gold label is known.
template <class Use>
void LabelExample::for_each_labelled_part(std::span<const int> heads, Use use) const {
  const PartIndex& parts = parts_->parts();
  for_each_labelled_part_of_tree(heads, parts.factorization(), [&](const PartWords& words) {
    const auto word = static_cast<std::size_t>(words.modifier);
    if (gold_slots_[word] == LabelList::kNoLabel) return;
    use(word, TreePart{parts_->arcs().find(words.head, words.modifier),
                       parts.find(labelled_kind(parts.factorization()), words)});
  });
}

double LabelExample::gold_shortfall(std::span<const int> gold_tree) const {
  double sum = 0.0;
  for_each_labelled_part(gold_tree, [&](std::size_t word, const TreePart& place) {
    sum += part_sums_[static_cast<std::size_t>(place.part)] -
           scores_of(place.arc, place.part)[static_cast<std::size_t>(gold_slots_[word])];
  });
  return sum;
}

int LabelExample::wrong_labels(std::span<const int> heads) const {
  int wrong = 0;
  for_each_labelled_part(heads, [&](std::size_t word, const TreePart& place) {
    if (heads[word] != sentence_->heads[word]) return;
    const auto best = static_cast<int>(best_of(scores_of(place.arc, place.part)));
    wrong += best != gold_slots_[word] ? 1 : 0;
  });
  return wrong;
}

void LabelExample::expect(std::span<const double> part_coefficients, std::span<const double> gold_parts) {
  coefficients_.assign(scores_.size(), 0.0);
  is_used_.assign(static_cast<std::size_t>(parts_->arcs().size()), 0);
  for (int arc = 0; arc < parts_->arcs().size(); ++arc) {
    const Arc ends = parts_->arcs()[arc];
    const auto word = static_cast<std::size_t>(ends.modifier);
    const int gold = sentence_->heads[word] == ends.head ? gold_slots_[word] : LabelList::kNoLabel;
    const std::size_t count = candidates(arc).size();
    double* out = block(coefficients_, arc).data();
    const double* probabilities = block(probabilities_, arc).data();
    auto part = static_cast<std::size_t>(parts_->parts().labelled_begin(arc));
    for (int k = parts_->parts().labelled_count(arc); k > 0;
         --k, ++part, out += count, probabilities += count) {
      const double of_gold = gold == LabelList::kNoLabel ? 0.0 : gold_parts[part];
      const double expected = part_coefficients[part] + of_gold;
      // Most parts are as good as impossible.
      if (of_gold == 0.0 && to_fixed_point(expected) == 0) continue;
      is_used_[static_cast<std::size_t>(arc)] = 1;
      for (std::size_t label = 0; label < count; ++label) {
        out[label] = expected * probabilities[label];
      }
      if (gold != LabelList::kNoLabel) out[gold] -= of_gold;
    }
  }
}

std::span<double> LabelExample::coefficients_of(const TreePart& place) {
  is_used_[static_cast<std::size_t>(place.arc)] = 1;
  const std::span<const double> scores = scores_of(place.arc, place.part);
  return std::span(coefficients_)
      .subspan(static_cast<std::size_t>(scores.data() - scores_.data()), scores.size());
}

void LabelExample::compare(std::span<const int> gold_tree, std::span<const int> other) {
  coefficients_.assign(scores_.size(), 0.0);
  is_used_.assign(static_cast<std::size_t>(parts_->arcs().size()), 0);
  for_each_labelled_part(gold_tree, [&](std::size_t word, const TreePart& place) {
    coefficients_of(place)[static_cast<std::size_t>(gold_slots_[word])] += 1.0;
  });
  for_each_labelled_part(other, [&](std::size_t, const TreePart& place) {
    coefficients_of(place)[best_of(scores_of(place.arc, place.part))] -= 1.0;
  });
}

}  // namespace copse
