#include "analysis/page_assets.h"

#include <algorithm>
#include <stdexcept>

namespace copse {
namespace {

std::string_view page_file(std::string_view path) {
  const std::span<const EmbeddedFile> files = page_files();
  const auto found = std::find_if(files.begin(), files.end(),
                                  [path](const EmbeddedFile& file) { return file.path == path; });
  if (found == files.end()) throw std::logic_error("src/analysis/page lacks a file");
  return found->bytes;
}

}  // namespace

std::string_view page_style() { return page_file("/style.css"); }
std::string_view comparison_style() { return page_file("/comparison.css"); }
std::string_view page_script() { return page_file("/script.js"); }

}  // namespace copse
