#include "model/root_labels.h"

#include <algorithm>

namespace copse {
namespace {

// The name without a subtype, or the mark that an arc was lifted past (see pseudo_projective.h).
bool is_called_root(std::string_view label) {
  const std::string_view name = label.substr(0, label.find_first_of(":%"));
  return name == "root" || name == "ROOT";
}

}  // namespace

RootLabels RootLabels::by_name(std::span<const std::string> labels) {
  if (std::none_of(labels.begin(), labels.end(), is_called_root)) return {};
  RootLabels result(labels.size());
  for (std::size_t label = 0; label < labels.size(); ++label) {
    result.count(static_cast<Label>(label),
                 is_called_root(labels[label]) ? ArcPlace::at_root : ArcPlace::inside);
  }
  return result;
}

bool RootLabels::allows(Label label, ArcPlace place) const {
  return place == ArcPlace::anywhere || seen_.empty() || (seen_[label] & bit(place)) != 0;
}

void RootLabels::add_to(SectionFileWriter& file, std::string_view name) const {
  if (seen_.empty()) return;
  ByteWriter writer;
  writer.numbers(std::span<const std::uint8_t>(seen_));
  file.add(name, writer.take());
}

RootLabels RootLabels::from_file(const SectionFile& file, std::string_view name,
                                 std::span<const std::string> labels) {
  if (!file.has(name)) return by_name(labels);
  RootLabels result;
  ByteReader reader = file.reader(name);
  result.seen_ = reader.numbers<std::uint8_t>();
  reader.expect_end();
  const bool are_usable =
      std::all_of(result.seen_.begin(), result.seen_.end(), [](std::uint8_t seen) { return seen <= 3; });
  if (result.seen_.size() != labels.size() || !are_usable) reader.fail("does not fit the labels");
  return result;
}

}  // namespace copse
