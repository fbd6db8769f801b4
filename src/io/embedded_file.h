#pragma once

#include <string_view>

namespace copse {

// A file of the sources that is inside the program, as it was when the program was built. The tables of them
// are written by cmake/EmbedFiles.cmake.
struct EmbeddedFile {
  std::string_view path;   // "/style.css"
  std::string_view etag;   // names the content: with its quotation marks, as HTTP wants it
  std::string_view bytes;  // until the program ends
};

}  // namespace copse
