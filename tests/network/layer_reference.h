#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "network/dropout_plan.h"
#include "network/parameters.h"
#include "network/word_inputs.h"
#include "vectors/word_vectors.h"

namespace copse::testing {

using ReferenceRow = std::vector<double>;
using Rows = std::vector<ReferenceRow>;

// What layers are, written from their definitions in doubles, one number after the other: LSTMs as Hochreiter
// and Schmidhuber (1997) with the forget gate of Gers et al. (2000), dropout as Gal and Ghahramani (2016).
struct LayerReference {
  const NetworkBlocks* blocks;
  const WordVectors* vectors;  // null: none
  const WordInputs* inputs;
  const Sequences* sequences;
  const DropoutPlan* plan;
  std::vector<double> weights;

  double weight(const Block& block, std::size_t row, std::size_t column) const {
    return weights[block.offset + row * block.columns + column];
  }
  ReferenceRow row_of(const Block& block, std::size_t row) const {
    ReferenceRow values;
    for (std::size_t k = 0; k < block.columns; ++k) values.push_back(weight(block, row, k));
    return values;
  }
  static void add(ReferenceRow& to, const ReferenceRow& from) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += from[k];
  }
  // x · weights, of some columns of them.
  ReferenceRow times(const ReferenceRow& x, const Block& block, std::size_t begin, std::size_t count) const {
    ReferenceRow result(count, 0.0);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t i = 0; i < x.size(); ++i) result[k] += x[i] * weight(block, i, begin + k);
    }
    return result;
  }
  ReferenceRow affine(const ReferenceRow& x, const BlockForm::Affine& block) const {
    ReferenceRow result = times(x, block.weights, 0, block.weights.columns);
    add(result, row_of(block.bias, 0));
    return result;
  }
  static ReferenceRow rectified(ReferenceRow x) {
    for (double& number : x) number = std::max(number, 0.1 * number);
    return x;
  }

  Rows forms() const {
    Rows result;
    for (std::size_t row = 0; row < inputs->rows(); ++row) {
      ReferenceRow form = row_of(blocks->word_table, inputs->words[row]);
      if (vectors != nullptr) {
        std::vector<float> given(vectors->dimension(), 0.0F);
        if (inputs->vectors[row] >= 0)
          vectors->copy_row(static_cast<std::size_t>(inputs->vectors[row]), given);
        add(form, affine(ReferenceRow(given.begin(), given.end()), blocks->vectors));
      }
      result.push_back(form);
    }
    return result;
  }

  Rows affixes() const {
    Rows result;
    for (std::size_t row = 0; row < inputs->rows(); ++row) {
      ReferenceRow all;
      const std::size_t kinds = blocks->shape.spelling == Spelling::both ? 8 : 6;
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        const ReferenceRow own = row_of(blocks->affix_table, inputs->affixes[row * kinds + kind]);
        all.insert(all.end(), own.begin(), own.end());
      }
      result.push_back(rectified(affine(all, blocks->affixes)));
    }
    return result;
  }

  // The hidden numbers of one direction: 0 is forward, 1 reads from the end.
  Rows lstm_direction(const Rows& x, const BlockForm::Lstm& block, std::size_t direction) const {
    const std::size_t hidden = block.recurrent[direction].rows;
    const auto sigmoid = [](double z) { return 1.0 / (1.0 + std::exp(-z)); };
    ReferenceRow h(hidden, 0.0);
    ReferenceRow c(hidden, 0.0);
    Rows result(x.size());
    for (std::size_t step = 0; step < x.size(); ++step) {
      const std::size_t at = direction == 0 ? step : x.size() - 1 - step;
      ReferenceRow z = times(x[at], block.input, direction * 4 * hidden, 4 * hidden);
      add(z, times(h, block.recurrent[direction], 0, 4 * hidden));
      for (std::size_t k = 0; k < 4 * hidden; ++k) z[k] += weight(block.bias, 0, direction * 4 * hidden + k);
      for (std::size_t k = 0; k < hidden; ++k) {
        c[k] = sigmoid(z[hidden + k]) * c[k] + sigmoid(z[k]) * std::tanh(z[2 * hidden + k]);
        h[k] = sigmoid(z[3 * hidden + k]) * std::tanh(c[k]);
      }
      result[at] = h;
    }
    return result;
  }

  Rows characters() const {
    Rows result;
    for (std::size_t row = 0; row < inputs->rows(); ++row) {
      Rows x;
      for (std::uint32_t k = inputs->character_begins[row]; k < inputs->character_begins[row + 1]; ++k) {
        x.push_back(row_of(blocks->character_table, inputs->characters[k]));
      }
      ReferenceRow spelling = lstm_direction(x, blocks->characters, 0).back();
      const ReferenceRow backward = lstm_direction(x, blocks->characters, 1).front();
      spelling.insert(spelling.end(), backward.begin(), backward.end());
      result.push_back(spelling);
    }
    return result;
  }

  Rows tags() const {
    Rows result;
    for (std::size_t row = 0; row < inputs->rows(); ++row) {
      ReferenceRow all = row_of(blocks->upos_table, inputs->upos[row]);
      const ReferenceRow xpos = row_of(blocks->xpos_table, inputs->xpos[row]);
      all.insert(all.end(), xpos.begin(), xpos.end());
      ReferenceRow sum(blocks->feature_table.columns, 0.0);
      for (std::uint32_t k = inputs->feature_begins[row]; k < inputs->feature_begins[row + 1]; ++k) {
        add(sum, row_of(blocks->feature_table, inputs->features[k]));
      }
      all.insert(all.end(), sum.begin(), sum.end());
      result.push_back(all);
    }
    return result;
  }

  void drop(const DropoutSite& site, Rows& rows) const {
    for (std::size_t s = 0; s < site.states.size(); ++s) {
      for (std::size_t k = 0; k < site.columns; ++k) {
        const bool is_dropped = Random::uniform_at(site.states[s], k) < site.rate;
        const double factor = is_dropped ? 0.0 : 1.0 / (1.0 - static_cast<double>(site.rate));
        for (std::size_t row = sequences->begin(s); row < sequences->end(s); ++row) rows[row][k] *= factor;
      }
    }
  }

  Rows input() const {
    Rows result = forms();
    Rows spellings(result.size());
    const auto append = [&](const Rows& part) {
      for (std::size_t row = 0; row < part.size(); ++row) {
        spellings[row].insert(spellings[row].end(), part[row].begin(), part[row].end());
      }
    };
    if (blocks->shape.spelling != Spelling::characters) append(affixes());
    if (blocks->shape.spelling != Spelling::affixes) append(characters());
    const Rows all_tags = tags();
    const auto factor = [&](std::size_t row, std::size_t group) {
      const auto factors = plan->group_factors();
      return factors.empty() ? 1.0 : static_cast<double>(factors[row * kInputGroups + group]);
    };
    for (std::size_t row = 0; row < result.size(); ++row) {
      for (double& number : result[row]) number *= factor(row, 0);
      for (const double number : spellings[row]) result[row].push_back(number * factor(row, 1));
      for (const double number : all_tags[row]) result[row].push_back(number * factor(row, 2));
    }
    drop(plan->input(), result);
    return result;
  }

  Rows lstm(const Rows& x, std::size_t layer) const {
    Rows result;
    for (std::size_t s = 0; s < sequences->count(); ++s) {
      const Rows own(x.begin() + static_cast<std::ptrdiff_t>(sequences->begin(s)),
                     x.begin() + static_cast<std::ptrdiff_t>(sequences->end(s)));
      const Rows forward = lstm_direction(own, blocks->layers[layer], 0);
      const Rows backward = lstm_direction(own, blocks->layers[layer], 1);
      for (std::size_t step = 0; step < own.size(); ++step) {
        ReferenceRow both = forward[step];
        both.insert(both.end(), backward[step].begin(), backward[step].end());
        result.push_back(both);
      }
    }
    drop(plan->layer(layer), result);
    return result;
  }

  // Of the encoder's output and, for tags, of what it read.
  Rows roles(const Rows& x, const Rows& words) const {
    const Columns tags = RoleColumns(blocks->shape).tags;
    Rows result;
    for (std::size_t row = 0; row < x.size(); ++row) {
      ReferenceRow sum = affine(x[row], blocks->roles);
      if (blocks->shape.has_tag_input()) {
        const ReferenceRow of_words = affine(words[row], blocks->tag_input);
        for (std::size_t k = 0; k < tags.size; ++k) sum[tags.begin + k] += of_words[k];
      }
      result.push_back(rectified(sum));
    }
    drop(plan->roles(), result);
    return result;
  }

  Rows words_to_roles() const {
    const Rows words = input();
    Rows rows = words;
    for (std::size_t k = 0; k < blocks->shape.layers; ++k) rows = lstm(rows, k);
    return roles(rows, words);
  }
};

}  // namespace copse::testing
