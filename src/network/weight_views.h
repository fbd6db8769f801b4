#pragma once

#include <string_view>

#include "network/parameters.h"
#include "network/weight_list.h"

namespace copse {

// The weights of a network, or their gradients, as they lie in an array: `at` makes a matrix of some rows of
// a block, a vector of a row of it, and a table of a block.
template <class Form, class At>
WeightSet<Form> view_weights(const NetworkBlocks& blocks, const At& at) {
  struct Viewing {
    const At& at;

    void affine(const WeightRow&, const BlockForm::Affine& block, typename Form::Affine& own) const {
      own.weights = at.matrix(block.weights, block.weights.rows);
      own.bias = at.vector(block.bias, 0);
    }
    void lstm(const WeightRow&, const BlockForm::Lstm& block, typename Form::Lstm& own) const {
      own.input = at.matrix(block.input, block.input.rows);
      own.bias = at.vector(block.bias, 0);
      for (const int direction : {0, 1}) {
        own.recurrent[direction] = at.matrix(block.recurrent[direction], block.recurrent[direction].rows);
      }
    }
    void bilinear(const WeightRow&, const Block& block, typename Form::Bilinear& own) const {
      own.weights = at.matrix(block, block.rows - 1);
      own.bias = at.vector(block, block.rows - 1);
    }
    void vector(const WeightRow&, std::string_view, const Block& block, typename Form::Vector& own) const {
      own = at.vector(block, 0);
    }
    void table(const WeightRow&, const Block& block, typename Form::Table& own) const {
      own = at.table(block);
    }
  };
  WeightSet<Form> views(blocks.shape);
  visit_weights(blocks.shape, Viewing{at}, blocks, views);
  return views;
}

}  // namespace copse
