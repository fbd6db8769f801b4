#include "serving/json_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "text/closest_name.h"
#include "text/utf8.h"

namespace copse {
namespace {

// Of requests that anybody has a reason to send.
constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxMembers = 64;

// Sees the parts of a document while it is read.
class DocumentCheck {
 public:
  void check(int depth, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if ((event == Event::object_start || event == Event::array_start) && depth >= kMaxDepth) {
      throw member_error("", fmt::format("the JSON is nested more than {} deep", kMaxDepth));
    }
    if (event == Event::object_start) names_.emplace_back();
    if (event == Event::object_end) names_.pop_back();
    if (event == Event::key) add_name(parsed.get_ref<const std::string&>());
    if (event == Event::value && parsed.is_string()) check_characters(parsed.get_ref<const std::string&>());
  }

 private:
  void add_name(const std::string& name) {
    if (!names_.back().insert(name).second) {
      throw member_error("", fmt::format("the member {} is given twice", copse::quoted(name)));
    }
    if (names_.back().size() > kMaxMembers) throw member_error("", "an object has too many members");
  }
  static void check_characters(const std::string& text) {
    if (text.find('\0') == std::string::npos) return;
    throw member_error("", "a string has the character NUL, which no text has; leave it out");
  }

  std::vector<std::set<std::string>> names_;  // of the objects that are open
};

// What a parser of JSON says, without what it says about itself and about what it has read.
std::string reason(std::string_view message) {
  if (const auto place = message.find(" - "); place != std::string_view::npos) {
    message.remove_prefix(place + 3);
  } else if (const auto bracket = message.find("] "); bracket != std::string_view::npos) {
    message.remove_prefix(bracket + 2);
  }
  std::string result(message.substr(0, message.find("; last read: ")));
  // "expected" after what was read is worth knowing, too.
  const auto expected = message.rfind("; expected ");
  if (expected != std::string_view::npos && expected >= result.size()) result += message.substr(expected);
  return result;
}

std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line_start = before.rfind('\n') + 1;  // 0 if there is no line break
  return fmt::format("line {}, column {}", std::count(before.begin(), before.end(), '\n') + 1,
                     count_characters(before.substr(line_start)) + 1);
}

std::string_view kind_name(const nlohmann::json& value) {
  switch (value.type()) {
    case nlohmann::json::value_t::null:
      return "null";
    case nlohmann::json::value_t::object:
      return "an object";
    case nlohmann::json::value_t::array:
      return "an array";
    case nlohmann::json::value_t::string:
      return "a string";
    case nlohmann::json::value_t::boolean:
      return "true or false";
    default:
      return "a number";
  }
}

RequestError wrong_kind(const nlohmann::json& value, std::string path, std::string_view wanted) {
  return member_error(std::move(path), fmt::format("must be {}, not {}", wanted, kind_name(value)));
}

// The name itself, or what a message can show of it.
std::string readable(const std::string& name) {
  const std::string shown = copse::quoted(name);
  return shown == "'" + name + "'" ? name : shown;
}

std::string list_of(std::span<const std::string_view> names) {
  std::string list;
  for (std::size_t k = 0; k < names.size(); ++k) {
    list += fmt::format("{}\"{}\"", k == 0 ? "" : k + 1 == names.size() ? " or " : ", ", names[k]);
  }
  return list;
}

}  // namespace

RequestError member_error(std::string where, const std::string& why) {
  std::string message = where.empty() ? why : where + ": " + why;
  return {400, message, std::move(where)};
}

nlohmann::json read_json(std::string_view text) {
  // The parser takes the byte 0 for the end.
  if (const auto place = text.find('\0'); place != std::string_view::npos) {
    throw member_error("", fmt::format("the body is not JSON: byte {} is 0", place + 1));
  }
  DocumentCheck check;
  try {
    return nlohmann::json::parse(text.begin(), text.end(),
                                 [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
                                   check.check(depth, event, parsed);
                                   return true;
                                 });
  } catch (const nlohmann::json::parse_error& error) {
    throw member_error(
        "", fmt::format("the body is not JSON: {}: {}", place_of(text, error.byte), reason(error.what())));
  } catch (const nlohmann::json::exception& error) {
    throw member_error("", fmt::format("the body is not JSON: {}", reason(error.what())));
  }
}

JsonObject::JsonObject(const nlohmann::json& value, std::string path, std::span<const std::string_view> names)
    : value_(&value), path_(std::move(path)) {
  if (!value.is_object()) throw wrong_kind(value, path_, path_.empty() ? "a JSON object" : "an object");
  for (const auto& [name, ignored] : value.items()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string_view meant = closest_name(name, names);
    throw member_error(this->path(readable(name)),
                       meant.empty() ? fmt::format("there is no such member; there are {}", list_of(names))
                                     : fmt::format("there is no such member; did you mean \"{}\"?", meant));
  }
}

const nlohmann::json* JsonObject::find(std::string_view name) const {
  const auto found = value_->find(name);
  return found == value_->end() ? nullptr : &*found;
}

std::string JsonObject::path(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

bool JsonObject::flag(std::string_view name, bool otherwise) const {
  const nlohmann::json* value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) throw wrong_kind(*value, path(name), "true or false");
  return value->get<bool>();
}

std::optional<int> JsonObject::integer(std::string_view name, int low, int high) const {
  const std::optional<double> value = number(name, low, high);
  if (!value) return std::nullopt;
  if (std::floor(*value) != *value) {
    throw member_error(path(name), fmt::format("must be a whole number from {} to {}", low, high));
  }
  return static_cast<int>(*value);
}

std::optional<double> JsonObject::number(std::string_view name, double low, double high) const {
  const nlohmann::json* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) throw wrong_kind(*value, path(name), "a number");
  const auto number = value->get<double>();
  if (!(number >= low && number <= high)) {
    throw member_error(path(name), fmt::format("must be a number from {} to {}", low, high));
  }
  return number;
}

const std::string* JsonObject::string(std::string_view name) const {
  const nlohmann::json* value = find(name);
  return value == nullptr ? nullptr : &expect_string(*value, path(name));
}

std::size_t JsonObject::choice(std::string_view name, std::span<const std::string_view> values) const {
  const std::string* value = string(name);
  if (value == nullptr) return 0;
  const auto found = std::find(values.begin(), values.end(), *value);
  if (found == values.end()) {
    throw member_error(path(name), fmt::format("must be {}, not {}", list_of(values), copse::quoted(*value)));
  }
  return static_cast<std::size_t>(found - values.begin());
}

std::string element_path(std::string_view path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

const nlohmann::json& expect_array(const nlohmann::json& value, const std::string& path) {
  if (!value.is_array()) throw wrong_kind(value, path, "an array");
  return value;
}

const std::string& expect_string(const nlohmann::json& value, const std::string& path) {
  if (!value.is_string()) throw wrong_kind(value, path, "a string");
  return value.get_ref<const std::string&>();
}

}  // namespace copse
