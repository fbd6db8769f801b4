#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace copse {

// Sequences of rows, one after the other, the longest first: so those that have a k-th step are always the
// first ones.
class Sequences {
 public:
  void clear() {
    begins_.assign(1, 0);
    active_.clear();
  }
  // Not longer than the one before, and not empty.
  void add(std::size_t length) {
    if (length == 0 || (count() > 0 && length > this->length(count() - 1))) {
      throw std::invalid_argument("sequences must come with falling lengths");
    }
    if (active_.size() < length) active_.resize(length, 0);
    for (std::size_t step = 0; step < length; ++step) ++active_[step];
    begins_.push_back(begins_.back() + length);
  }

  std::size_t count() const { return begins_.size() - 1; }
  std::size_t rows() const { return begins_.back(); }
  std::size_t begin(std::size_t sequence) const { return begins_[sequence]; }
  std::size_t end(std::size_t sequence) const { return begins_[sequence + 1]; }
  std::size_t length(std::size_t sequence) const { return end(sequence) - begin(sequence); }
  // Of the longest.
  std::size_t steps() const { return active_.size(); }
  // How many have this step.
  std::size_t active(std::size_t step) const { return active_[step]; }

 private:
  std::vector<std::size_t> begins_ = {0};
  std::vector<std::size_t> active_;  // by step
};

}  // namespace copse
