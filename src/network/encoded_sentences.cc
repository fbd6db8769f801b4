#include "network/encoded_sentences.h"

#include <algorithm>

namespace copse {

void EncodedSentences::assign(ConstMatrix roles, std::span<const RowRange> rows) {
  columns_ = roles.columns;
  rows_.assign(rows.begin(), rows.end());
  roles_.resize(roles.rows * columns_);
  for (std::size_t row = 0; row < roles.rows; ++row) {
    std::copy_n(roles.row(row), columns_, roles_.data() + row * columns_);
  }
}

}  // namespace copse
