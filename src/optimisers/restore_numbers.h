#pragma once

#include <string_view>
#include <vector>

#include "io/section_file.h"

namespace copse {

// Reads a section that holds as many numbers as `numbers` has. DataError if it does not.
template <class T>
void restore_numbers(const SectionFile& file, std::string_view section, std::vector<T>& numbers) {
  const auto saved = file.numbers<T>(section);
  if (saved.size() != numbers.size()) file.reader(section).fail("belongs to another training run");
  numbers.assign(saved.begin(), saved.end());
}

}  // namespace copse
