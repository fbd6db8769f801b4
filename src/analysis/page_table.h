#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"

namespace copse {

// A table whose first column names the rows. Cells are HTML; escape what is not.
struct PageTable {
  struct Group {
    std::string title;
    size_t columns = 1;
  };
  std::vector<Group> groups;         // over the columns; may be empty
  std::vector<std::string> columns;  // the first is that of the names
  std::vector<std::vector<std::string>> rows;
};

// Scrolls when it is too wide for the page.
std::string page_table(const PageTable& table, std::string_view description);

// The same, but shown only to those who ask for it.
std::string folded_table(const PageTable& table, std::string_view description);

// A breakdown in numbers: gold arcs of every bin, and of each system precision and recall.
PageTable breakdown_table(const Analysis& analysis, const Breakdown& breakdown, std::string_view bin_title);

// A card with a chart in it. `title` is text, `content` HTML.
std::string chart_card(std::string_view title, std::string_view content);

}  // namespace copse
