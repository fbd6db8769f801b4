// Checks JSON against the part of JSON Schema (2020-12) that web/openapi.json uses. A keyword that it does
// not know is an error, so that nothing goes unchecked.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "text/utf8.h"

namespace copse::testing {

class JsonSchema {
 public:
  // `name` is one of /components/schemas. Borrows the document.
  JsonSchema(const nlohmann::json& document, const std::string& name)
      : document_(document), schema_(document.at("components").at("schemas").at(name)) {}

  // What of the value is not as it should be, and where; nothing if all is.
  std::optional<std::string> violation(const nlohmann::json& value) const {
    return violation(value, schema_, "$");
  }

 private:
  using Json = nlohmann::json;
  using Violation = std::optional<std::string>;

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number() && std::floor(value.get<double>()) == value.get<double>();
    throw std::logic_error("unknown type " + type);
  }

  static bool has_any_type(const Json& value, const Json& types) {
    if (types.is_string()) return has_type(value, types);
    return std::any_of(types.begin(), types.end(), [&](const Json& type) { return has_type(value, type); });
  }

  Violation violation(const Json& value, const Json& schema, const std::string& path) const {
    for (const auto& [keyword, argument] : schema.items()) {
      if (Violation found = violation_of(keyword, argument, value, schema, path)) return found;
    }
    return std::nullopt;
  }

  Violation violation_of(const std::string& keyword, const Json& argument, const Json& value,
                         const Json& schema, const std::string& path) const {
    const auto unless = [&](bool is_right) -> Violation {
      if (is_right) return std::nullopt;
      return path + ": " + keyword + " " + argument.dump() + " is not met by " + value.dump().substr(0, 100);
    };
    if (keyword == "description" || keyword == "default") return std::nullopt;
    if (keyword == "$ref")
      return violation(value, document_.at(Json::json_pointer(argument.get<std::string>().substr(1))), path);
    if (keyword == "type") return unless(has_any_type(value, argument));
    if (keyword == "enum")
      return unless(std::find(argument.begin(), argument.end(), value) != argument.end());
    if (keyword == "const") return unless(value == argument);
    if (keyword == "minimum") return unless(!value.is_number() || value >= argument);
    if (keyword == "maximum") return unless(!value.is_number() || value <= argument);
    if (keyword == "minLength") {
      return unless(!value.is_string() ||
                    count_characters(value.get<std::string>()) >= argument.get<std::size_t>());
    }
    if (keyword == "minItems")
      return unless(!value.is_array() || value.size() >= argument.get<std::size_t>());
    if (keyword == "required") {
      return unless(!value.is_object() ||
                    std::all_of(argument.begin(), argument.end(),
                                [&](const Json& name) { return value.contains(name.get<std::string>()); }));
    }
    if (keyword == "oneOf") return unless(count_matching(value, argument, path) == 1);
    if (keyword == "anyOf") return unless(count_matching(value, argument, path) >= 1);
    if (keyword == "items") {
      for (std::size_t k = 0; value.is_array() && k < value.size(); ++k) {
        if (Violation found = violation(value[k], argument, path + "[" + std::to_string(k) + "]"))
          return found;
      }
      return std::nullopt;
    }
    if (keyword == "properties") {
      for (const auto& [name, member] : argument.items()) {
        if (!value.is_object() || !value.contains(name)) continue;
        if (Violation found = violation(value[name], member, path + "." + name)) return found;
      }
      return std::nullopt;
    }
    if (keyword == "additionalProperties") {
      for (const auto& [name, member] : value.items()) {
        if (!value.is_object() || (schema.contains("properties") && schema["properties"].contains(name)))
          continue;
        if (argument == false) return path + ": there should be no " + name;
        if (Violation found = violation(member, argument, path + "." + name)) return found;
      }
      return std::nullopt;
    }
    throw std::logic_error("unknown keyword " + keyword);
  }

  long count_matching(const Json& value, const Json& schemas, const std::string& path) const {
    return std::count_if(schemas.begin(), schemas.end(),
                         [&](const Json& one) { return !violation(value, one, path); });
  }

  const Json& document_;
  const Json& schema_;
};

}  // namespace copse::testing
