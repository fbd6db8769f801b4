#pragma once

#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "serving/media_type.h"
#include "serving/multipart.h"
#include "serving/request_error.h"
#include "text/utf8.h"

namespace copse::testing {

// What is wrong with what the parser makes of a body: names that are not UTF-8, contents that the body has no
// room for, parts that are lost when they are written anew, errors of more than a line.
inline std::optional<std::string> multipart_violation(std::string_view body, std::string_view boundary) {
  try {
    const std::vector<FormPart> parts = parse_multipart(body, boundary);
    std::size_t bytes = 0;
    std::string again;
    // A boundary that no content has.
    const std::string fence = "=_" + std::string(60, 'f') + "_=";
    for (const FormPart& part : parts) {
      bytes += part.content.size();
      if (!is_valid_utf8(part.name)) return "a name is not UTF-8";
      again += "--" + fence + "\r\nContent-Disposition: form-data; name=a\r\n\r\n" + part.content + "\r\n";
      try {
        if (!is_valid_utf8(part_as_utf8(part, "iso-8859-1"))) return "a field is not UTF-8";
      } catch (const RequestError&) {
        // Another character set, or not in it.
      }
    }
    if (bytes > body.size()) return "more content than there are bytes";
    const std::vector<FormPart> copies = parse_multipart(again + "--" + fence + "--", fence);
    if (copies.size() != parts.size()) return "another number of parts when written anew";
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (copies[k].content != parts[k].content) return "another content when written anew";
    }
  } catch (const RequestError& error) {
    if (error.status() != 400) return "an error of another status";
    const std::string_view message = error.what();
    if (message.find('\n') != std::string_view::npos) return "an error of several lines";
  }
  return std::nullopt;
}

struct RandomForm {
  std::string boundary;
  std::vector<FormPart> parts;
  std::string body;
};

inline RandomForm random_form(std::mt19937& random) {
  const auto text = [&random](std::size_t most, std::string_view characters) {
    std::string result;
    for (std::size_t length = random() % (most + 1); length > 0; --length) {
      result += characters[random() % characters.size()];
    }
    return result;
  };
  RandomForm form;
  form.boundary = "b" + text(20, "0-_'");
  const auto line_break = [&] { return random() % 4 == 0 ? "\n" : "\r\n"; };
  if (random() % 2 == 0) form.body = "preamble\r\n";
  for (std::size_t count = random() % 4; count > 0; --count) {
    FormPart part;
    part.name = "n" + text(5, "ab\" ;=\\");
    part.content = text(40, "x -\r\nb0'_");
    // A content must not have the boundary itself.
    if (("\n" + part.content).find("\n--" + form.boundary) != std::string::npos) part.content.clear();
    std::string quoted_name;
    for (const char c : part.name) quoted_name += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    form.body += "--" + form.boundary + text(2, " \t") + line_break();
    if (random() % 2 == 0) form.body += std::string("X-Anything: some; \"thing") + line_break();
    form.body +=
        "Content-Disposition: form-data;" + text(2, " \t") + "name=\"" + quoted_name + "\"" + line_break();
    form.body += line_break() + part.content + "\r\n";
    form.parts.push_back(std::move(part));
  }
  form.body += "--" + form.boundary + "--" + text(2, " \t");
  if (random() % 2 == 0) form.body += "\r\nepilogue";
  return form;
}

}  // namespace copse::testing
