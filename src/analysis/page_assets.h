#pragma once

#include <span>
#include <string_view>

#include "io/embedded_file.h"

namespace copse {

// The files of src/analysis/page. Pages have them inside, so that they need no other file. None has a
// character that XML gives a meaning (& and the less-than sign), so that a page is well-formed XML.
std::span<const EmbeddedFile> page_files();

// The colours of systems are told apart with any kind of colour vision, on paper and on dark screens. What is
// printed is always light.
std::string_view page_style();
// For the elements of draw_comparison(), inside one of the class "comparison". The colours are custom
// properties of page_style(): --ink, --muted, --both, --missed, --extra, --relabelled.
std::string_view comparison_style();
// Only for the list of sentences: the page is complete without it.
std::string_view page_script();

}  // namespace copse
