#include "serving/assets.h"

#include <array>
#include <utility>

namespace copse {

const EmbeddedFile* find_asset(std::string_view path) {
  if (path == "/") path = "/index.html";
  for (const EmbeddedFile& asset : assets()) {
    if (asset.path == path) return &asset;
  }
  return nullptr;
}

std::string_view content_type_of(std::string_view path) {
  static constexpr auto kTypes = std::to_array<std::pair<std::string_view, std::string_view>>({
      {".html", "text/html; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".json", "application/json"},
      {".webmanifest", "application/manifest+json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/vnd.microsoft.icon"},
      {".woff2", "font/woff2"},
      {".txt", "text/plain; charset=utf-8"},
  });
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

}  // namespace copse
