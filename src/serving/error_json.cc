#include "serving/error_json.h"

#include <string_view>

#include "text/json_writer.h"
#include "text/utf8.h"

namespace copse {

std::string error_json(const RequestError& error, bool with_status) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("error");
  json.begin_object();
  if (with_status) json.member("status", error.status());
  const std::string_view message = error.what();
  json.member("message",
              is_valid_utf8(message) ? std::string(message) : copse::quoted(message, message.size()));
  if (!error.where().empty()) json.member("where", error.where());
  json.end_object();
  json.end_object();
  return text;
}

}  // namespace copse
