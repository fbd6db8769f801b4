#include "text/attribute_list.h"

#include <utility>

namespace copse {
namespace {

void append_entry(std::string_view entry, std::string& list) {
  if (!list.empty()) list += '|';
  list += entry;
}

}  // namespace

std::optional<std::string_view> attribute_value(std::string_view list, std::string_view key) {
  std::optional<std::string_view> value;
  for_each_attribute(list, [&](std::string_view entry) {
    const bool is_found = entry.size() > key.size() && attribute_key(entry) == key;
    if (is_found) value = entry.substr(key.size() + 1);
    return !is_found;
  });
  return value;
}

std::string with_attribute(std::string_view list, std::string_view key, std::string_view value) {
  std::string wanted(key);
  wanted.append("=").append(value);
  std::string result;
  bool is_placed = false;
  for_each_attribute(list, [&](std::string_view entry) {
    if (attribute_key(entry) != key) {
      append_entry(entry, result);
    } else if (!std::exchange(is_placed, true)) {
      append_entry(wanted, result);
    }
    return true;
  });
  if (!is_placed) append_entry(wanted, result);
  return result;
}

std::string without_attribute(std::string_view list, std::string_view key) {
  std::string result;
  for_each_attribute(list, [&](std::string_view entry) {
    if (attribute_key(entry) != key) append_entry(entry, result);
    return true;
  });
  return result.empty() ? "_" : result;
}

}  // namespace copse
