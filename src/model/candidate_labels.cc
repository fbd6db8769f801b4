#include "model/candidate_labels.h"

#include <algorithm>

namespace copse {

void CandidateLabels::save(ByteWriter& writer) const {
  lists.save(writer);
  writer.numbers(std::span<const Label>(others));
}

CandidateLabels CandidateLabels::load(ByteReader& reader, int labels) {
  CandidateLabels candidates;
  candidates.lists = LabelRows::load(reader, labels);
  for (std::uint32_t row = 0; row < candidates.lists.rows(); ++row) {
    if (candidates.lists.labels(row).empty()) reader.fail("has an empty list of candidates");
  }
  candidates.others = reader.numbers<Label>();
  const auto is_wrong = [&](Label label) { return label >= labels; };
  if (candidates.others.empty() ||
      std::any_of(candidates.others.begin(), candidates.others.end(), is_wrong)) {
    reader.fail("has no usable list of candidates");
  }
  return candidates;
}

}  // namespace copse
