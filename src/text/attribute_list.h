#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace copse {

// Lists of attributes as the columns MISC and FEATS hold them: "Key=Value|Key=Value", and "_" for none.

// Calls visit(entry) for every entry in order, until it returns false.
template <class Visit>
void for_each_attribute(std::string_view list, const Visit& visit) {
  if (list == "_") return;
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find('|'));
    list.remove_prefix(std::min(list.size(), entry.size() + 1));
    if (!visit(entry)) return;
  }
}

// What stands before the first '=' of an entry: all of it if there is none.
inline std::string_view attribute_key(std::string_view entry) { return entry.substr(0, entry.find('=')); }

// The value of the first "key=value"; nothing if there is none.
std::optional<std::string_view> attribute_value(std::string_view list, std::string_view key);

// The list with "key=value" in place of the first entry of that key and without the others, or with it at the
// end.
std::string with_attribute(std::string_view list, std::string_view key, std::string_view value);

// The list without the entries of `key`; "_" if nothing is left.
std::string without_attribute(std::string_view list, std::string_view key);

}  // namespace copse
