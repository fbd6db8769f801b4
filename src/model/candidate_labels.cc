#include "model/candidate_labels.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

namespace copse {
namespace {

// Every label once: each stands for a state of its own.
bool is_rising(std::span<const Label> labels) {
  return std::adjacent_find(labels.begin(), labels.end(), std::greater_equal<>()) == labels.end();
}

}  // namespace

void CandidateLabels::restrict(const RootLabels& root, std::size_t labels) {
  root_ = lists_for(root, ArcPlace::at_root, labels);
  inside_ = lists_for(root, ArcPlace::inside, labels);
}

CandidateLabels::Lists CandidateLabels::lists_for(const RootLabels& root, ArcPlace place,
                                                  std::size_t labels) const {
  std::vector<Label> all(labels);
  std::iota(all.begin(), all.end(), Label{0});
  Lists result;
  const auto append = [&](std::span<const Label> candidates) {
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(result.labels),
                 [&](Label label) { return root.allows(label, place); });
  };
  for (std::size_t row = 0; row <= lists.rows(); ++row) {
    result.starts.push_back(result.labels.size());
    append(row < lists.rows() ? lists.labels(static_cast<std::uint32_t>(row))
                              : std::span<const Label>(others));
    if (result.labels.size() == result.starts.back()) append(all);
    // No label was ever seen in such a place.
    if (result.labels.size() == result.starts.back())
      result.labels.insert(result.labels.end(), all.begin(), all.end());
  }
  result.starts.push_back(result.labels.size());
  return result;
}

void CandidateLabels::save(ByteWriter& writer) const {
  lists.save(writer);
  writer.numbers(std::span<const Label>(others));
}

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
