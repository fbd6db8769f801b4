#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "network/arc_biaffine.h"
#include "network/matrix_product.h"

namespace copse {

// What a network makes of the words of some sentences before it scores anything: their roles, in rows of
// numbers. A value, which stays as it is whatever else is encoded. Assigned again, it allocates only where
// there are more words than ever before.
class EncodedSentences {
 public:
  std::size_t size() const { return rows_.size(); }
  // Of a sentence: a row for the root, and one for each word. Valid until the next assign().
  ConstMatrix roles(std::size_t number) const {
    const RowRange rows = rows_[number];
    return {roles_.data() + rows.begin * columns_, rows.size, columns_};
  }

  // Copies the roles; `rows` are those of each sentence.
  void assign(ConstMatrix roles, std::span<const RowRange> rows);

 private:
  std::vector<float> roles_;
  std::size_t columns_ = 0;
  std::vector<RowRange> rows_;  // by sentence
};

}  // namespace copse
