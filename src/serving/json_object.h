#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "serving/request_error.h"

namespace copse {

// JSON that cannot be used (400): which member, as "constraints[2].head" (empty: all of it), and why.
RequestError member_error(std::string where, const std::string& why);

// The JSON text of a request. Beyond what the grammar of JSON forbids, this throws member_error() for objects
// in which a name comes twice, for deep nesting, and for characters that no text has (NUL).
nlohmann::json read_json(std::string_view text);

// The members of an object by their names. All functions throw member_error() for values of other kinds.
class JsonObject {
 public:
  // Refuses members of any other name. Borrows value and names; `path` is empty for the whole request.
  JsonObject(const nlohmann::json& value, std::string path, std::span<const std::string_view> names);

  const nlohmann::json* find(std::string_view name) const;  // null if there is none
  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string path(std::string_view name) const;

  bool flag(std::string_view name, bool otherwise) const;
  std::optional<int> integer(std::string_view name, int low, int high) const;
  std::optional<double> number(std::string_view name, double low, double high) const;
  // Null if there is none.
  const std::string* string(std::string_view name) const;
  // The number of the value among `values`, the first of which is what it is when it is not given.
  std::size_t choice(std::string_view name, std::span<const std::string_view> values) const;

 private:
  const nlohmann::json* value_;
  std::string path_;
};

// "constraints" and 2 are "constraints[2]".
std::string element_path(std::string_view path, std::size_t index);

const nlohmann::json& expect_array(const nlohmann::json& value, const std::string& path);
const std::string& expect_string(const nlohmann::json& value, const std::string& path);

}  // namespace copse
