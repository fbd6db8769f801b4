// Every layer on a back end, against its definition, and its gradients against differences of that. A machine
// is a back end with weights on it, and says how numbers get there and back:
//
//   why_not()                   why it cannot be tested here; empty: it can
//   Machine(blocks, weights)
//   on, weights                 the back end, and WeightsOn<BackEnd>
//   effective_weights()         those that it computes with, which may be rounded
//   kTolerance                  of results, relative to their length
//   write(rows, matrix), read(matrix), read_activations(activations)
//   gradients, read_gradient()  GradientsOn<BackEnd>, and by all weights; of back ends that learn
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "network/encoder.h"
#include "network/layer_reference.h"

namespace copse::testing {

inline NetworkShape layer_shape(Spelling spelling) {
  NetworkShape shape;
  shape.words = 9;
  shape.word_size = 6;
  shape.vector_size = 4;
  shape.spelling = spelling;
  shape.affix_rows = 5;
  shape.affix_size = 3;
  shape.characters = 4;
  shape.character_size = 5;
  shape.spelling_size = 8;
  shape.upos = 3;
  shape.xpos = 4;
  shape.features = 5;
  shape.tag_size = 3;
  shape.layers = 3;
  shape.hidden = 5;
  shape.factorization = Factorization::first;
  shape.arc_size = 7;
  shape.tag_hidden = 4;
  shape.tag_values = 3;
  shape.tags_read_input = true;
  return shape;
}

// Words with all that can be read of them: some spelt alike, without a vector, without features.
inline WordInputs layer_inputs(const NetworkShape& shape, std::size_t rows, Random& random) {
  WordInputs inputs;
  inputs.feature_begins.push_back(0);
  inputs.character_begins.push_back(0);
  const auto below = [&](std::size_t bound) { return static_cast<std::uint32_t>(random.below(bound)); };
  for (std::size_t row = 0; row < rows; ++row) {
    inputs.words.push_back(below(shape.words));
    inputs.vectors.push_back(static_cast<std::int32_t>(below(7)) - 1);
    for (std::size_t kind = 0; kind < shape.affix_kinds(); ++kind) {
      inputs.affixes.push_back(static_cast<std::uint32_t>(kind * shape.affix_rows) + below(shape.affix_rows));
    }
    for (std::uint32_t k = below(3); k < 3; ++k) inputs.characters.push_back(below(2));
    inputs.character_begins.push_back(static_cast<std::uint32_t>(inputs.characters.size()));
    inputs.upos.push_back(below(shape.upos));
    inputs.xpos.push_back(below(shape.xpos));
    for (std::uint32_t k = below(4); k > 0; --k) inputs.features.push_back(below(shape.features));
    inputs.feature_begins.push_back(static_cast<std::uint32_t>(inputs.features.size()));
  }
  return inputs;
}

inline Rows columns_of(const Rows& rows, std::size_t begin, std::size_t count) {
  Rows result;
  for (const ReferenceRow& row : rows) {
    const auto first = row.begin() + static_cast<std::ptrdiff_t>(begin);
    result.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
  }
  return result;
}

template <class Machine>
class Layers : public ::testing::Test {
 protected:
  using BackEnd = typename Machine::BackEnd;
  using Matrix = typename BackEnd::Matrix;
  using Activations = typename BackEnd::Activations;
  using Values = typename BackEnd::Values;

  void SetUp() override {
    if (const std::string why = Machine::why_not(); !why.empty()) GTEST_SKIP() << why;
  }
  void begin(Spelling spelling, bool has_vectors = true, bool tags_read_input = true) {
    shape_ = layer_shape(spelling);
    shape_.tags_read_input = tags_read_input;
    if (!has_vectors) shape_.vector_size = 0;
    blocks_.emplace(shape_);
    std::vector<float> weights = initial_weights(shape_, 1);
    for (float& weight : weights) weight += 0.3F * random_.normal();
    machine_.emplace(*blocks_, weights);
    WordVectorsBuilder builder(4);
    for (int word = 0; word < 6; ++word) {
      std::vector<float> values(4);
      for (float& value : values) value = random_.normal();
      builder.add("w" + std::to_string(word), values);
    }
    vectors_ = builder.build();
    sequences_.clear();
    for (const std::size_t length : {6U, 4U, 4U, 1U}) sequences_.add(length);
    inputs_ = layer_inputs(shape_, sequences_.rows(), random_);
    batch_.assign(machine_->on, shape_, inputs_, sequences_);
  }
  void draw_dropout() {
    if (BackEnd::kLearns) plan_.draw(shape_, sequences_, 0.4F, random_);
  }
  const WordVectors* vectors() const { return shape_.vector_size > 0 ? &*vectors_ : nullptr; }
  Rows random_rows(std::size_t rows, std::size_t columns) {
    Rows result(rows, ReferenceRow(columns));
    for (ReferenceRow& row : result) {
      for (double& number : row) number = 2.0F * random_.uniform() - 1.0F;
    }
    return result;
  }
  void write(const Rows& rows, Activations& to) {
    machine_->write(rows, to.resize(rows.size(), rows.front().size()));
    machine_->on.finish(to);
  }

  // definition(reference, input) and forward() give rows. backward(machine, gradient of the result) gives
  // the gradient of the input, if there is one beside words.
  template <class Definition, class Forward, class Backward>
  void check(const Definition& definition, const Forward& forward, const Backward& backward,
             const Rows& input = {}) {
    LayerReference reference{&*blocks_,   vectors(), &inputs_,
                             &sequences_, &plan_,    machine_->effective_weights()};
    const Rows expected = definition(reference, input);
    expect_near(expected, forward(), "result");
    if constexpr (BackEnd::kLearns) {
      const Rows of_result = random_rows(expected.size(), expected.front().size());
      Values room;
      const Matrix gradient = room.resize(expected.size(), expected.front().size());
      machine_->write(of_result, gradient);
      const Rows of_input = backward(*machine_, gradient);
      const auto loss = [&](const Rows& at) {
        const Rows result = definition(reference, at);
        double sum = 0.0;
        for (std::size_t row = 0; row < result.size(); ++row) {
          for (std::size_t k = 0; k < result[row].size(); ++k) sum += result[row][k] * of_result[row][k];
        }
        return sum;
      };
      const auto difference = [&](double& number, const Rows& at) {
        constexpr double kStep = 1e-5;
        const double before = number;
        number = before + kStep;
        const double above = loss(at);
        number = before - kStep;
        const double below = loss(at);
        number = before;
        return (above - below) / (2 * kStep);
      };
      const ReferenceRow gradient_found = machine_->read_gradient();
      ReferenceRow by_weights;
      ReferenceRow found;
      for (std::size_t k = 0; k < gradient_found.size(); k += weight_step_) {
        by_weights.push_back(difference(reference.weights[k], input));
        found.push_back(gradient_found[k]);
      }
      expect_near({by_weights}, {found}, "gradient by weights");
      if (input.empty()) return;
      Rows moved = input;
      Rows by_input = input;
      for (std::size_t row = 0; row < input.size(); ++row) {
        for (std::size_t k = 0; k < input[row].size(); ++k) {
          by_input[row][k] = difference(moved[row][k], moved);
        }
      }
      expect_near(by_input, of_input, "gradient by the input");
    }
  }
  // forward(machine, result), backward(machine, result, its gradient).
  template <class Definition, class Forward, class Backward>
  void check_word_layer(std::size_t columns, const Definition& definition, const Forward& forward,
                        const Backward& backward) {
    Values output;
    const Matrix to = output.resize(batch_.rows, columns);
    check([&](const LayerReference& reference, const Rows&) { return definition(reference); },
          [&] {
            forward(*machine_, to);
            return machine_->read(to);
          },
          [&](auto& machine, auto gradient) {
            backward(machine, to, gradient);
            return Rows();
          });
  }
  void check_input() {
    InputLayer<BackEnd> layer(shape_, vectors(), machine_->on);
    Activations output;
    check([](const LayerReference& reference, const Rows&) { return reference.input(); },
          [&] {
            layer.forward(machine_->on, batch_, machine_->weights, plan_, output);
            return machine_->read_activations(output);
          },
          [&](auto& machine, auto gradient) {
            layer.backward(machine.on, batch_, output.all(), gradient, machine.weights, machine.gradients);
            return Rows();
          });
  }

 private:
  static void expect_near(const Rows& expected, const Rows& found, const char* what) {
    ASSERT_EQ(expected.size(), found.size()) << what;
    double squares = 0.0;
    double errors = 0.0;
    for (std::size_t row = 0; row < expected.size(); ++row) {
      ASSERT_EQ(expected[row].size(), found[row].size()) << what;
      for (std::size_t k = 0; k < expected[row].size(); ++k) {
        squares += expected[row][k] * expected[row][k];
        errors += (expected[row][k] - found[row][k]) * (expected[row][k] - found[row][k]);
      }
    }
    EXPECT_GT(squares, 0.0) << what;
    EXPECT_LE(std::sqrt(errors / squares), Machine::kTolerance) << what;
  }

 protected:
  Random random_{20261119};
  NetworkShape shape_;
  std::optional<NetworkBlocks> blocks_;
  std::optional<Machine> machine_;
  std::optional<WordVectors> vectors_;
  Sequences sequences_;
  WordInputs inputs_;
  WordBatch<BackEnd> batch_;
  DropoutPlan plan_;
  std::size_t weight_step_ = 1;  // every N-th weight has its gradient compared
};

TYPED_TEST_SUITE_P(Layers);

TYPED_TEST_P(Layers, ReadForms) {
  this->begin(Spelling::affixes);
  FormLayer<typename TypeParam::BackEnd> layer(this->vectors(), this->machine_->on);
  this->check_word_layer(
      this->shape_.word_size, [](const LayerReference& reference) { return reference.forms(); },
      [&](auto& machine, auto to) { layer.forward(machine.on, this->batch_, machine.weights, to); },
      [&](auto& machine, auto, auto gradient) {
        layer.backward(machine.on, this->batch_, gradient, machine.weights, machine.gradients);
      });
}

TYPED_TEST_P(Layers, ReadFormsWithoutVectors) {
  this->begin(Spelling::affixes, false);
  FormLayer<typename TypeParam::BackEnd> layer(nullptr, this->machine_->on);
  this->check_word_layer(
      this->shape_.word_size, [](const LayerReference& reference) { return reference.forms(); },
      [&](auto& machine, auto to) { layer.forward(machine.on, this->batch_, machine.weights, to); },
      [&](auto& machine, auto, auto gradient) {
        layer.backward(machine.on, this->batch_, gradient, machine.weights, machine.gradients);
      });
}

TYPED_TEST_P(Layers, ReadAffixes) {
  this->begin(Spelling::affixes);
  AffixLayer<typename TypeParam::BackEnd> layer(this->shape_);
  this->check_word_layer(
      this->shape_.spelling_size, [](const LayerReference& reference) { return reference.affixes(); },
      [&](auto& machine, auto to) { layer.forward(machine.on, this->batch_, machine.weights, to); },
      [&](auto& machine, auto output, auto gradient) {
        layer.backward(machine.on, this->batch_, output, gradient, machine.weights, machine.gradients);
      });
}

TYPED_TEST_P(Layers, ReadCharacters) {
  this->begin(Spelling::characters);
  EXPECT_LT(this->batch_.spellings.sequences().count(), this->batch_.rows);  // some are spelt alike
  CharacterLayer<typename TypeParam::BackEnd> layer(this->shape_);
  this->check_word_layer(
      this->shape_.spelling_size, [](const LayerReference& reference) { return reference.characters(); },
      [&](auto& machine, auto to) { layer.forward(machine.on, this->batch_, machine.weights, to); },
      [&](auto& machine, auto, auto gradient) {
        layer.backward(machine.on, this->batch_, gradient, machine.weights, machine.gradients);
      });
}

TYPED_TEST_P(Layers, ReadTags) {
  this->begin(Spelling::affixes);
  TagLayer<typename TypeParam::BackEnd> layer(this->shape_);
  this->check_word_layer(
      this->shape_.tags_size(), [](const LayerReference& reference) { return reference.tags(); },
      [&](auto& machine, auto to) { layer.forward(machine.on, this->batch_, machine.weights, to); },
      [&](auto& machine, auto, auto gradient) {
        layer.backward(machine.on, this->batch_, gradient, machine.gradients);
      });
}

TYPED_TEST_P(Layers, MakeTheInput) {
  this->weight_step_ = 5;
  for (const Spelling spelling : {Spelling::affixes, Spelling::characters, Spelling::both}) {
    this->begin(spelling);
    this->draw_dropout();
    this->check_input();
  }
}

TYPED_TEST_P(Layers, MakeTheInputOfWordsWithFactors) {
  this->begin(Spelling::affixes);
  std::vector<float> kept(this->batch_.rows, 1.0F);
  kept[2] = kept[5] = 0.0F;
  if (TypeParam::BackEnd::kLearns) {
    this->plan_.draw(this->shape_, this->sequences_, 0.4F, this->random_, kept);
    EXPECT_TRUE(this->plan_.input().states.empty());
  }
  this->check_input();
}

TYPED_TEST_P(Layers, RunLstms) {
  this->begin(Spelling::affixes);
  this->draw_dropout();
  auto& machine = *this->machine_;
  LstmLayer<typename TypeParam::BackEnd> layer;
  const Rows input = this->random_rows(this->batch_.rows, this->shape_.encoder_size());
  typename TypeParam::BackEnd::Activations rows;
  this->write(input, rows);
  this->check([](const LayerReference& reference, const Rows& x) { return reference.lstm(x, 1); },
              [&] {
                layer.forward(machine.on, this->batch_.sequences, rows, machine.weights.layers[1],
                              this->plan_.layer(1));
                return machine.read_activations(layer.output());
              },
              [&](auto& on_machine, auto gradient) {
                typename TypeParam::BackEnd::Values room;
                const auto of_input = room.resize(input.size(), input.front().size());
                layer.backward(on_machine.on, this->batch_.sequences, rows, gradient,
                               on_machine.weights.layers[1], on_machine.gradients.layers[1], of_input);
                return on_machine.read(of_input);
              },
              input);
}

// Of the encoder's output and of its input, side by side here.
TYPED_TEST_P(Layers, MakeRoles) {
  for (const bool tags_read_input : {true, false}) {
    this->begin(Spelling::affixes, true, tags_read_input);
    this->draw_dropout();
    auto& machine = *this->machine_;
    RoleLayer<typename TypeParam::BackEnd> layer(this->shape_);
    const std::size_t encoded = this->shape_.encoder_size();
    const std::size_t read = tags_read_input ? this->shape_.input_size() : 0;
    const Rows input = this->random_rows(this->batch_.rows, encoded + read);
    typename TypeParam::BackEnd::Activations rows;
    typename TypeParam::BackEnd::Activations words;
    this->write(columns_of(input, 0, encoded), rows);
    if (tags_read_input) this->write(columns_of(input, encoded, read), words);
    this->check(
        [&](const LayerReference& reference, const Rows& x) {
          return reference.roles(columns_of(x, 0, encoded), columns_of(x, encoded, read));
        },
        [&] {
          return machine.read(layer.forward(machine.on, this->batch_.sequences, this->batch_.rows, rows,
                                            words, machine.weights, this->plan_.roles()));
        },
        [&](auto& on_machine, auto gradient) {
          typename TypeParam::BackEnd::Values room;
          typename TypeParam::BackEnd::Values word_room;
          const auto of_rows = room.resize(input.size(), encoded);
          const auto of_words = word_room.resize(input.size(), read);
          layer.backward(on_machine.on, this->batch_.sequences, rows, words, gradient, on_machine.weights,
                         on_machine.gradients, of_rows, of_words);
          Rows result = on_machine.read(of_rows);
          if (!tags_read_input) return result;
          const Rows by_words = on_machine.read(of_words);
          for (std::size_t row = 0; row < result.size(); ++row) {
            result[row].insert(result[row].end(), by_words[row].begin(), by_words[row].end());
          }
          return result;
        },
        input);
  }
}

TYPED_TEST_P(Layers, GoFromWordsToRoles) {
  this->weight_step_ = 11;
  for (const Spelling spelling : {Spelling::affixes, Spelling::characters, Spelling::both}) {
    this->begin(spelling);
    this->draw_dropout();
    auto& machine = *this->machine_;
    RoleEncoder<typename TypeParam::BackEnd> layers(this->shape_, this->vectors(), machine.on);
    this->check(
        [](const LayerReference& reference, const Rows&) { return reference.words_to_roles(); },
        [&] {
          return machine.read(layers.forward(this->inputs_, this->sequences_, machine.weights, this->plan_));
        },
        [&](auto& on_machine, auto gradient) {
          layers.backward(on_machine.weights, gradient, on_machine.gradients);
          return Rows();
        });
  }
}

REGISTER_TYPED_TEST_SUITE_P(Layers, ReadForms, ReadFormsWithoutVectors, ReadAffixes, ReadCharacters, ReadTags,
                            MakeTheInput, MakeTheInputOfWordsWithFactors, RunLstms, MakeRoles,
                            GoFromWordsToRoles);

}  // namespace copse::testing
