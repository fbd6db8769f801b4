#include "serving/multipart.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "serving/form.h"
#include "serving/media_type.h"
#include "serving/request_error.h"
#include "text/charset.h"
#include "text/utf8.h"

namespace copse {
namespace {

// More parts than any form has; a body of nothing but boundaries would make millions.
constexpr std::size_t kMostParts = 1000;
constexpr std::size_t kLongestBoundary = 200;                   // RFC 2046 allows 70
constexpr std::size_t kLongestHeaders = std::size_t{16} << 10;  // of a part

[[noreturn]] void refuse(const std::string& message) {
  throw RequestError(400, "multipart/form-data: " + message);
}

// A line "--boundary" or "--boundary--", with the line break before it, which belongs to it.
struct Delimiter {
  std::size_t begin = 0;
  std::size_t end = 0;  // behind its own line break
  bool is_last = false;
};

// The next delimiter line from `from` on, which is at the beginning of a line.
std::optional<Delimiter> find_delimiter(std::string_view body, const std::string& dashes, std::size_t from) {
  for (std::size_t at = from;; ++at) {
    at = body.find(dashes, at);
    if (at == std::string_view::npos) return std::nullopt;
    if (at != from && body[at - 1] != '\n') continue;
    std::size_t behind = at + dashes.size();
    Delimiter delimiter{.begin = at};
    if (body.substr(behind, 2) == "--") {
      delimiter.is_last = true;
      behind += 2;
    }
    behind = std::min(body.find_first_not_of(" \t", behind), body.size());
    if (body.substr(behind, 2) == "\r\n") {
      behind += 2;
    } else if (body.substr(behind, 1) == "\n") {
      behind += 1;
    } else if (!delimiter.is_last || behind != body.size()) {
      continue;  // the boundary is the beginning of something else
    }
    delimiter.end = behind;
    if (at > from) {
      --delimiter.begin;
      if (delimiter.begin > from && body[delimiter.begin - 1] == '\r') --delimiter.begin;
    }
    return delimiter;
  }
}

struct PartHeaders {
  std::string disposition;
  std::string type;
  std::string encoding;
};

// Takes the headers and the empty line behind them off a part.
PartHeaders take_headers(std::string_view& part) {
  PartHeaders headers;
  std::string* last = nullptr;
  std::string ignored;
  const std::size_t all = part.size();
  while (true) {
    const std::size_t end = part.find('\n');
    // A part may have no header at all, and then begins with the empty line, or has nothing behind them.
    std::string_view line = part.substr(0, end);
    part.remove_prefix(end == std::string_view::npos ? part.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return headers;
    if (all - part.size() > kLongestHeaders) {
      refuse(fmt::format("the headers of a part are longer than {} bytes", kLongestHeaders));
    }
    if (line.front() == ' ' || line.front() == '\t') {
      if (last == nullptr) refuse("a part begins with a line that is no header");
      last->append(" ").append(trimmed(line));
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) refuse(fmt::format("{} is no header", copse::quoted(line)));
    const std::string name = lower_ascii(trimmed(line.substr(0, colon)));
    last = name == "content-disposition"         ? &headers.disposition
           : name == "content-type"              ? &headers.type
           : name == "content-transfer-encoding" ? &headers.encoding
                                                 : &ignored;
    *last = trimmed(line.substr(colon + 1));
  }
}

std::string decode_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  bool has_ended = false;
  for (const char c : text) {
    if (c == '\r' || c == '\n' || c == ' ' || c == '\t') continue;
    std::uint32_t value = 0;
    if (c >= 'A' && c <= 'Z') {
      value = static_cast<std::uint32_t>(c - 'A');
    } else if (c >= 'a' && c <= 'z') {
      value = static_cast<std::uint32_t>(c - 'a' + 26);
    } else if (c >= '0' && c <= '9') {
      value = static_cast<std::uint32_t>(c - '0' + 52);
    } else if (c == '+' || c == '/') {
      value = c == '+' ? 62 : 63;
    } else if (c == '=') {
      has_ended = true;
      continue;
    } else {
      refuse("a part is not base64 as its Content-Transfer-Encoding says");
    }
    if (has_ended) refuse("a part goes on behind the end of its base64 text");
    bits = bits << 6 | value;
    if (++count % 4 == 1) continue;
    bytes += static_cast<char>(bits >> (count % 4 == 2 ? 4 : count % 4 == 3 ? 2 : 0) & 0xFF);
  }
  if (count % 4 == 1) refuse("a part is not base64 as its Content-Transfer-Encoding says");
  return bytes;
}

std::string decode_quoted_printable(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    std::string_view line_break = end == std::string_view::npos ? "" : "\n";
    if (line.ends_with('\r') && !line_break.empty()) {
      line.remove_suffix(1);
      line_break = "\r\n";
    }
    line = line.substr(0, line.find_last_not_of(" \t") + 1);  // space at the end of lines is not content
    if (line.ends_with('=')) {                                // neither is a line break behind this
      line.remove_suffix(1);
      line_break = "";
    }
    // Percent encoding in all but the sign.
    std::string encoded;
    for (const char c : line) encoded += c == '=' ? "%" : c == '%' ? "%25" : std::string(1, c);
    const std::optional<std::string> decoded = percent_decoded(encoded, PlusSigns::are_themselves);
    if (!decoded) refuse("a part is not quoted-printable as its Content-Transfer-Encoding says");
    bytes.append(*decoded).append(line_break);
  }
  return bytes;
}

std::string decode_content(std::string_view content, std::string_view encoding) {
  const std::string name = lower_ascii(trimmed(encoding));
  if (name.empty() || name == "7bit" || name == "8bit" || name == "binary") return std::string(content);
  if (name == "base64") return decode_base64(content);
  if (name == "quoted-printable") return decode_quoted_printable(content);
  refuse(fmt::format("the Content-Transfer-Encoding {} is unknown; use binary", copse::quoted(encoding)));
}

// What browsers write for the characters that quoted strings have no place for.
std::string decode_name(const std::string& name) {
  std::string decoded;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const std::string code = lower_ascii(std::string_view(name).substr(k, 3));
    const char c = code == "%22" ? '"' : code == "%0d" ? '\r' : code == "%0a" ? '\n' : '\0';
    decoded += c == '\0' ? name[k] : c;
    if (c != '\0') k += 2;
  }
  return decoded;
}

FormPart parse_part(std::string_view text) {
  const PartHeaders headers = take_headers(text);
  if (headers.disposition.empty()) refuse("a part has no Content-Disposition");
  const std::optional<ParameterisedValue> disposition = parse_parameterised(headers.disposition);
  if (!disposition || disposition->value != "form-data") {
    refuse(fmt::format("the Content-Disposition {} is not form-data with a name",
                       copse::quoted(headers.disposition)));
  }
  const std::string* name = disposition->parameter("name");
  if (name == nullptr) refuse("a part has no name; write Content-Disposition: form-data; name=\"data\"");
  if (!is_valid_utf8(*name)) refuse("the name of a part is not UTF-8");
  const std::string* filename = disposition->parameter("filename");
  return {decode_name(*name), filename == nullptr ? "" : decode_name(*filename), headers.type,
          decode_content(text, headers.encoding)};
}

}  // namespace

std::vector<FormPart> parse_multipart(std::string_view body, std::string_view boundary) {
  if (boundary.empty() || boundary.size() > kLongestBoundary) {
    refuse(fmt::format("a boundary has 1 to {} characters", kLongestBoundary));
  }
  const std::string dashes = "--" + std::string(boundary);
  std::vector<FormPart> parts;
  std::optional<Delimiter> delimiter = find_delimiter(body, dashes, 0);
  if (!delimiter) refuse(fmt::format("the body has no boundary {}", copse::quoted(boundary)));
  while (!delimiter->is_last) {
    if (parts.size() == kMostParts) refuse(fmt::format("more than {} parts", kMostParts));
    const std::size_t begin = delimiter->end;
    delimiter = find_delimiter(body, dashes, begin);
    if (!delimiter) refuse("the body ends before its last boundary; was it cut off?");
    parts.push_back(parse_part(body.substr(begin, delimiter->begin - begin)));
  }
  return parts;
}

std::string part_as_utf8(const FormPart& part, std::string_view form_charset) {
  std::string charset(trimmed(form_charset));
  if (const std::optional<ParameterisedValue> type = parse_parameterised(part.content_type)) {
    if (const std::string* own = type->parameter("charset")) charset = *own;
  }
  const std::string lower = lower_ascii(charset);
  if (lower.empty() || lower == "utf-8" || lower == "utf8" || lower == "us-ascii") {
    if (!is_valid_utf8(part.content)) {
      refuse(
          fmt::format("the field {} is not UTF-8; add a charset to its Content-Type if it is something else",
                      copse::quoted(part.name)));
    }
    return part.content;
  }
  std::optional<std::string> text = to_utf8(part.content, charset);
  if (!text)
    refuse(
        fmt::format("the field {} cannot be read as {}", copse::quoted(part.name), copse::quoted(charset)));
  return std::move(*text);
}

}  // namespace copse
