#pragma once

#include <span>
#include <string_view>

#include "io/embedded_file.h"

namespace copse {

// The files of the folder web/, by path.
std::span<const EmbeddedFile> assets();

// The file that answers a path, of which "/" is /index.html; null if there is none.
const EmbeddedFile* find_asset(std::string_view path);

// By the ending of its name.
std::string_view content_type_of(std::string_view path);

}  // namespace copse
