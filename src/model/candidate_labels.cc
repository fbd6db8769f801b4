#include "model/candidate_labels.h"

#include <algorithm>
#include <functional>

namespace copse {

void CandidateLabels::save(ByteWriter& writer) const {
  lists.save(writer);
  writer.numbers(std::span<const Label>(others));
}

namespace {

// Every label once: each stands for a state of its own.
bool is_rising(std::span<const Label> labels) {
  return std::adjacent_find(labels.begin(), labels.end(), std::greater_equal<>()) == labels.end();
}

}  // namespace

CandidateLabels CandidateLabels::load(ByteReader& reader, int labels) {
  CandidateLabels candidates;
  candidates.lists = LabelRows::load(reader, labels);
  for (std::uint32_t row = 0; row < candidates.lists.rows(); ++row) {
    if (candidates.lists.labels(row).empty()) reader.fail("has an empty list of candidates");
    if (!is_rising(candidates.lists.labels(row))) reader.fail("has a list of candidates out of order");
  }
  candidates.others = reader.numbers<Label>();
  if (candidates.others.empty() || !is_rising(candidates.others) || candidates.others.back() >= labels) {
    reader.fail("has no usable list of candidates");
  }
  return candidates;
}

}  // namespace copse
