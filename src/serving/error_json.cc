#include "serving/error_json.h"

#include "text/json_writer.h"

namespace copse {

std::string error_json(const RequestError& error) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("error");
  json.begin_object();
  json.member("status", error.status());
  json.member("message", std::string_view(error.what()));
  if (!error.where().empty()) json.member("where", error.where());
  json.end_object();
  json.end_object();
  return text;
}

}  // namespace copse
