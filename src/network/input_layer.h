#pragma once

#include <algorithm>
#include <vector>

#include "network/back_end.h"
#include "network/dropout.h"
#include "network/matrix_product.h"
#include "network/spelling_cache.h"
#include "network/word_batch.h"

namespace copse {

// From words to what a network knows of their forms: a row of its table, plus what becomes of a given vector.
template <class BackEnd>
class FormLayer {
 public:
  using Matrix = typename BackEnd::Matrix;

  // No vectors: null.
  FormLayer(const WordVectors* vectors, BackEnd& on) : has_vectors_(vectors != nullptr) {
    if (has_vectors_) on.upload(*vectors, vectors_);
  }
  void forward(BackEnd& on, const WordBatch<BackEnd>& batch, const WeightsOn<BackEnd>& weights,
               Matrix output) {
    if (has_vectors_) {
      on.read_vectors(vectors_, batch.vectors, rows_);
      on.multiply(rows_, weights.vectors, output);
    }
    on.look_up(weights.word_table, batch.words, output, has_vectors_ ? Into::add : Into::replace);
  }
  void backward(BackEnd& on, const WordBatch<BackEnd>& batch, Matrix gradient,
                const WeightsOn<BackEnd>& weights, const GradientsOn<BackEnd>& gradients) {
    if (has_vectors_) on.multiply_backward(rows_, gradient, weights.vectors, gradients.vectors);
    on.look_up_backward(batch.words, gradient, gradients.word_table);
  }

 private:
  bool has_vectors_;
  typename BackEnd::GivenVectors vectors_ = {};
  typename BackEnd::Activations rows_;
};

// From words to their spelling by prefixes, suffixes and shape: rows of a table, side by side, an affine map
// and a rectifier.
template <class BackEnd>
class AffixLayer {
 public:
  using Matrix = typename BackEnd::Matrix;

  explicit AffixLayer(const NetworkShape& shape) : kinds_(shape.affix_kinds()), size_(shape.affix_size) {}
  void forward(BackEnd& on, const WordBatch<BackEnd>& batch, const WeightsOn<BackEnd>& weights,
               Matrix output) {
    const Matrix rows = affixes_.resize(batch.rows, kinds_ * size_);
    on.look_up(weights.affix_table, batch.affixes, one_by_one(batch, rows), Into::replace);
    on.finish(affixes_);
    on.multiply(affixes_, weights.affixes, output);
    on.leaky_relu(output);
  }
  void backward(BackEnd& on, const WordBatch<BackEnd>& batch, Matrix output, Matrix gradient,
                const WeightsOn<BackEnd>& weights, const GradientsOn<BackEnd>& gradients) {
    on.leaky_relu_backward(output, gradient);
    const Matrix rows = affix_gradient_.resize(batch.rows, kinds_ * size_);
    on.multiply_backward(affixes_, gradient, weights.affixes, gradients.affixes, rows);
    on.look_up_backward(batch.affixes, one_by_one(batch, rows), gradients.affix_table);
  }

 private:
  Matrix one_by_one(const WordBatch<BackEnd>& batch, Matrix rows) const {
    return {rows.data, batch.rows * kinds_, size_};
  }

  std::size_t kinds_;
  std::size_t size_;
  typename BackEnd::Activations affixes_;
  typename BackEnd::Values affix_gradient_;
};

// From words to their spelling by characters: the last states of an LSTM in both directions, side by side.
// Where nothing is learnt, on processors, spellings are remembered from batch to batch.
template <class BackEnd>
class CharacterLayer {
 public:
  using Matrix = typename BackEnd::Matrix;

  explicit CharacterLayer(const NetworkShape& shape)
      : character_size_(shape.character_size), spelling_size_(shape.spelling_size), cache_(spelling_size_) {}
  void forward(BackEnd& on, const WordBatch<BackEnd>& batch, const WeightsOn<BackEnd>& weights,
               Matrix output) {
    const Matrix ends = ends_.resize(batch.spellings.sequences().count(), spelling_size_);
    if constexpr (BackEnd::kLearns) {
      run(on, batch.spellings.sequences().rows(), batch.characters, batch.spelling_sequences, weights, ends);
    } else {
      run_new(on, batch.spellings, weights, ends);
    }
    on.look_up(ends, batch.spelling_of_row, output, Into::replace);
  }
  void backward(BackEnd& on, const WordBatch<BackEnd>& batch, Matrix gradient,
                const WeightsOn<BackEnd>& weights, const GradientsOn<BackEnd>& gradients) {
    const Sequences& spellings = batch.spellings.sequences();
    const Matrix end_gradient = end_gradient_.resize(spellings.count(), spelling_size_);
    on.sum_up(gradient, batch.rows_of_spelling, end_gradient);
    const Matrix rows = character_gradient_.resize(spellings.rows(), character_size_);
    on.lstm_to_end_backward(batch.spelling_sequences, characters_, end_gradient, weights.characters,
                            gradients.characters, memory_, rows);
    on.look_up_backward(batch.characters, rows, gradients.character_table);
  }

 private:
  void run(BackEnd& on, std::size_t count, const typename BackEnd::Numbers& characters,
           const typename BackEnd::Sequences& spellings, const WeightsOn<BackEnd>& weights, Matrix ends) {
    const Matrix rows = characters_.resize(count, character_size_);
    on.look_up(weights.character_table, characters, rows, Into::replace);
    on.finish(characters_);
    on.lstm_to_end(spellings, characters_, weights.characters, memory_, ends);
  }
  // Runs the LSTM over the spellings that the cache does not have.
  void run_new(BackEnd& on, const DistinctSpellings& spellings, const WeightsOn<BackEnd>& weights,
               Matrix ends) {
    new_sequences_.clear();
    new_characters_.clear();
    new_spellings_.clear();
    const Sequences& all = spellings.sequences();
    for (std::size_t k = 0; k < all.count(); ++k) {
      const auto own = spellings.characters().subspan(all.begin(k), all.length(k));
      const std::uint64_t key = SpellingCache::key_of(own);
      if (const std::span<const float> known = cache_.find(key); !known.empty()) {
        std::copy(known.begin(), known.end(), ends.row(k));
        continue;
      }
      new_sequences_.add(own.size());
      new_characters_.insert(new_characters_.end(), own.begin(), own.end());
      new_spellings_.push_back({k, key});
    }
    if (new_spellings_.empty()) return;
    typename BackEnd::Numbers characters;
    typename BackEnd::Sequences sequences;
    on.upload(new_characters_, characters);
    on.upload(new_sequences_, sequences);
    const Matrix new_ends = new_ends_.resize(new_spellings_.size(), spelling_size_);
    run(on, new_characters_.size(), characters, sequences, weights, new_ends);
    for (std::size_t k = 0; k < new_spellings_.size(); ++k) {
      const std::span<const float> numbers(new_ends.row(k), spelling_size_);
      std::copy(numbers.begin(), numbers.end(), ends.row(new_spellings_[k].number));
      cache_.add(new_spellings_[k].key, numbers);
    }
  }

  std::size_t character_size_;
  std::size_t spelling_size_;
  typename BackEnd::Activations characters_;
  typename BackEnd::LstmMemory memory_;
  typename BackEnd::Values ends_, end_gradient_, character_gradient_;

  struct NewSpelling {
    std::size_t number;  // among those of the batch
    std::uint64_t key;
  };
  SpellingCache cache_;
  Sequences new_sequences_;
  std::vector<std::uint32_t> new_characters_;
  std::vector<NewSpelling> new_spellings_;
  typename BackEnd::Values new_ends_;
};

// From tags to the rows of their tables, side by side: those that the network reads. Features of a word are
// added up.
template <class BackEnd>
class TagLayer {
 public:
  using Matrix = typename BackEnd::Matrix;

  explicit TagLayer(const NetworkShape& shape) : shape_(&shape) {}
  void forward(BackEnd& on, const WordBatch<BackEnd>& batch, const WeightsOn<BackEnd>& weights,
               Matrix output) {
    std::size_t begin = 0;
    const auto next = [&] { return next_columns(output, begin); };
    if (shape_->upos > 0) on.look_up(weights.upos_table, batch.upos, next(), Into::replace);
    if (shape_->xpos > 0) on.look_up(weights.xpos_table, batch.xpos, next(), Into::replace);
    if (shape_->features > 0) on.sum_up(weights.feature_table, batch.features, next());
  }
  void backward(BackEnd& on, const WordBatch<BackEnd>& batch, Matrix gradient,
                const GradientsOn<BackEnd>& gradients) {
    std::size_t begin = 0;
    const auto next = [&] { return next_columns(gradient, begin); };
    if (shape_->upos > 0) on.look_up_backward(batch.upos, next(), gradients.upos_table);
    if (shape_->xpos > 0) on.look_up_backward(batch.xpos, next(), gradients.xpos_table);
    if (shape_->features > 0) on.sum_up_backward(batch.features, next(), gradients.feature_table);
  }

 private:
  Matrix next_columns(Matrix all, std::size_t& begin) const {
    const std::size_t own = begin;
    begin += shape_->tag_size;
    return all.in_columns(own, shape_->tag_size);
  }

  const NetworkShape* shape_;
};

// From what a network reads of words to the input of its encoder: the groups of columns of input_groups().
template <class BackEnd>
class InputLayer {
 public:
  using Matrix = typename BackEnd::Matrix;
  using Activations = typename BackEnd::Activations;

  // Borrows all of them; no vectors: null.
  InputLayer(const NetworkShape& shape, const WordVectors* vectors, BackEnd& on)
      : shape_(&shape), forms_(vectors, on), affixes_(shape), characters_(shape), tags_(shape) {}

  void forward(BackEnd& on, const WordBatch<BackEnd>& batch, const WeightsOn<BackEnd>& weights,
               const DropoutPlan& plan, Activations& output) {
    const Matrix rows = output.resize(batch.rows, shape_->input_size());
    const auto [form, spelling, tags] = split(rows);
    forms_.forward(on, batch, weights, form);
    if (shape_->reads_affixes()) affixes_.forward(on, batch, weights, of_affixes(spelling));
    if (shape_->reads_characters()) characters_.forward(on, batch, weights, of_characters(spelling));
    tags_.forward(on, batch, weights, tags);
    if constexpr (BackEnd::kLearns) {
      has_factors_ = !plan.group_factors().empty();
      if (has_factors_) on.upload(plan.group_factors(), factors_.resize(batch.rows, kInputGroups));
      scale_groups(on, rows);
      dropout_.draw(on, plan.input());
      dropout_.apply(on, batch.sequences, rows);
    }
    on.finish(output);
  }
  // Of the last forward(), with the same output; changes the gradient.
  void backward(BackEnd& on, const WordBatch<BackEnd>& batch, Matrix output, Matrix gradient,
                const WeightsOn<BackEnd>& weights, const GradientsOn<BackEnd>& gradients) {
    dropout_.apply(on, batch.sequences, gradient);
    scale_groups(on, gradient);
    const auto [form, spelling, tags] = split(gradient);
    forms_.backward(on, batch, form, weights, gradients);
    if (shape_->reads_affixes()) {
      affixes_.backward(on, batch, of_affixes(split(output)[1]), of_affixes(spelling), weights, gradients);
    }
    if (shape_->reads_characters()) {
      characters_.backward(on, batch, of_characters(spelling), weights, gradients);
    }
    tags_.backward(on, batch, tags, gradients);
  }

 private:
  std::array<Matrix, kInputGroups> split(Matrix rows) const {
    const auto [form, spelling, tags] = input_groups(*shape_);
    return {rows.in_columns(form.begin, form.size), rows.in_columns(spelling.begin, spelling.size),
            rows.in_columns(tags.begin, tags.size)};
  }
  // The columns of the spelling.
  Matrix of_affixes(Matrix spelling) const { return spelling.in_columns(0, shape_->spelling_size); }
  Matrix of_characters(Matrix spelling) const {
    return spelling.in_columns(shape_->spellings_size() - shape_->spelling_size, shape_->spelling_size);
  }
  void scale_groups(BackEnd& on, Matrix rows) {
    if (has_factors_) on.multiply_groups(factors_, input_groups(*shape_), rows);
  }

  const NetworkShape* shape_;
  FormLayer<BackEnd> forms_;
  AffixLayer<BackEnd> affixes_;
  CharacterLayer<BackEnd> characters_;
  TagLayer<BackEnd> tags_;
  bool has_factors_ = false;
  typename BackEnd::Values factors_;  // [row][group]
  Dropout<BackEnd> dropout_;
};

}  // namespace copse
