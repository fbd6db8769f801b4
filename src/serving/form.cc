#include "serving/form.h"

#include <fmt/format.h>

#include "serving/media_type.h"
#include "serving/multipart.h"
#include "serving/request_error.h"
#include "text/utf8.h"

namespace copse {
namespace {

int hexadecimal_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded_field(std::string_view text) {
  std::optional<std::string> decoded = percent_decoded(text, PlusSigns::are_spaces);
  if (!decoded) {
    throw RequestError(400, fmt::format("{} is not percent-encoded; write % as %25", copse::quoted(text)));
  }
  if (!is_valid_utf8(*decoded)) {
    throw RequestError(400, fmt::format("{} is not UTF-8; encode text in UTF-8", copse::quoted(*decoded)));
  }
  return std::move(*decoded);
}

void add_multipart(const Request& request, const ParameterisedValue& type, FormFields& fields) {
  const std::string* boundary = type.parameter("boundary");
  if (boundary == nullptr) {
    throw RequestError(400, "the Content-Type multipart/form-data has no boundary; add boundary=...");
  }
  const std::vector<FormPart> parts = parse_multipart(request.body, *boundary);
  std::string charset;
  for (const FormPart& part : parts) {
    if (part.name == "_charset_") charset = part.content;
  }
  for (const FormPart& part : parts) {
    if (part.name != "_charset_") fields[part.name] = part_as_utf8(part, charset);
  }
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text, PlusSigns plus_signs) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '+' && plus_signs == PlusSigns::are_spaces) {
      decoded += ' ';
    } else if (text[k] != '%') {
      decoded += text[k];
    } else {
      if (k + 2 >= text.size()) return std::nullopt;
      const int high = hexadecimal_digit(text[k + 1]);
      const int low = hexadecimal_digit(text[k + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      decoded += static_cast<char>(high * 16 + low);
      k += 2;
    }
  }
  return decoded;
}

void add_url_encoded(std::string_view text, FormFields& fields) {
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), field.size() + 1));
    if (field.empty()) continue;
    const std::size_t equals = field.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : field.substr(equals + 1);
    fields[decoded_field(field.substr(0, equals))] = decoded_field(value);
  }
}

FormFields read_form(const Request& request) {
  FormFields fields;
  add_url_encoded(request.query, fields);
  if (request.body.empty()) return fields;
  const std::string_view content_type = request.header("Content-Type");
  const std::optional<ParameterisedValue> type = parse_parameterised(content_type);
  if (type && type->value == "application/x-www-form-urlencoded") {
    add_url_encoded(request.body, fields);
  } else if (type && type->value == "multipart/form-data") {
    add_multipart(request, *type, fields);
  } else {
    throw RequestError(400,
                       fmt::format("the body is {}; send multipart/form-data or "
                                   "application/x-www-form-urlencoded",
                                   content_type.empty() ? "of no type" : copse::quoted(content_type, 80)));
  }
  return fields;
}

}  // namespace copse
