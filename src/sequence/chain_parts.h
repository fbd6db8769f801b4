#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace copse {

// Numbers the parts of a chain: a sequence of positions, each with its own list of candidate labels, of which
// one is to be chosen. The order says how many labels before a label its score may depend on.
//
// Labels are known by their place in the candidate list of their position. Before the first position there
// are as many more as needed, with one candidate each, so that every position has a pair and a triple for
// each of its labels: all rules are the same everywhere.
class ChainParts {
 public:
  static constexpr int kMostOrder = 2;

  // The order is 0, 1 or 2, and every position has at least one candidate; else std::invalid_argument.
  void assign(int order, std::span<const int> candidates);

  int order() const { return order_; }
  int size() const { return static_cast<int>(positions_.size()); }
  int candidates(int position) const { return position < 0 ? 1 : at(position).candidates; }

  // Numbers of parts, each order counted by itself. The last label varies fastest. Labels of positions before
  // the first are 0.
  std::size_t label(int position, int label) const {
    return at(position).first_label + static_cast<std::size_t>(label);
  }
  std::size_t pair(int position, int before, int label) const {
    return at(position).first_pair + row(before, candidates(position)) + static_cast<std::size_t>(label);
  }
  std::size_t triple(int position, int before_that, int before, int label) const {
    return at(position).first_triple +
           (row(before_that, candidates(position - 1)) + static_cast<std::size_t>(before)) *
               static_cast<std::size_t>(candidates(position)) +
           static_cast<std::size_t>(label);
  }

  // How many there are. Orders above that of the chain have none.
  std::size_t labels() const { return labels_; }
  std::size_t pairs() const { return order_ >= 1 ? pairs_ : 0; }
  std::size_t triples() const { return order_ >= 2 ? triples_ : 0; }

 private:
  struct Position {
    int candidates;
    std::size_t first_label;
    std::size_t first_pair;
    std::size_t first_triple;
  };
  const Position& at(int position) const { return positions_[static_cast<std::size_t>(position)]; }
  static std::size_t row(int index, int length) {
    return static_cast<std::size_t>(index) * static_cast<std::size_t>(length);
  }

  int order_ = 0;
  std::vector<Position> positions_;
  std::size_t labels_ = 0;
  std::size_t pairs_ = 0;
  std::size_t triples_ = 0;
};

// A number for every part of a chain: potentials, marginals, or the coefficients of a gradient.
struct ChainValues {
  std::vector<double> labels;
  std::vector<double> pairs;    // of order 1 and above
  std::vector<double> triples;  // of order 2

  // As many as there are parts, all zero.
  void assign(const ChainParts& parts);
};

}  // namespace copse
