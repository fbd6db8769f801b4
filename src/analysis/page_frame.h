#pragma once

#include <span>
#include <string>
#include <string_view>

namespace copse {

struct PageSection {
  std::string_view id;
  std::string_view title;
  std::string content;  // HTML; a section without is left out
};

// One HTML page with everything in it: it refers to no other file, is readable without JavaScript, and is
// well-formed XML after its first line. `title` and what is below it are HTML.
struct PageFrame {
  std::string title;
  std::string introduction;
  std::string_view more_style;
  std::string_view script;
  std::string_view footer;
};
std::string framed_page(const PageFrame& frame, std::span<const PageSection> sections);

}  // namespace copse
