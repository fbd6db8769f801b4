#pragma once

#include <fmt/format.h>

#include "io/bytes.h"
#include "text/utf8.h"

namespace copse {

// A name that this program knows, or DataError: models of a later program may have others.
template <class Parse>
auto read_name(ByteReader& reader, Parse parse) {
  const std::string_view text = reader.text();
  const auto value = parse(text);
  if (!value) reader.fail(fmt::format("has {}, which this program does not know", quoted(text)));
  return *value;
}

}  // namespace copse
