#pragma once

#include <span>
#include <string_view>

namespace copse {

// A file of the folder web/, as it was when the program was built.
struct Asset {
  std::string_view path;   // "/page.js"
  std::string_view etag;   // with its quotation marks
  std::string_view bytes;  // until the program ends
};

// All of them, by path; the source is written by cmake/EmbedFiles.cmake.
std::span<const Asset> assets();

// The file that answers a path, of which "/" is /index.html; null if there is none.
const Asset* find_asset(std::string_view path);

// By the ending of its name.
std::string_view content_type_of(std::string_view path);

}  // namespace copse
