#include "text/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "text/utf8.h"

namespace copse {
namespace {

bool needs_escape(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == '"' || byte == '\\';
}

void append_escape(char byte, std::string& out) {
  switch (byte) {
    case '"':
    case '\\':
      out += '\\';
      out += byte;
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(byte));
  }
}

// Of valid UTF-8.
void append_escaped(std::string_view text, std::string& out) {
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!needs_escape(text[k])) continue;
    out += text.substr(begin, k - begin);
    append_escape(text[k], out);
    begin = k + 1;
  }
  out += text.substr(begin);
}

template <class Number>
void append_real(Number number, std::string& out) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  fmt::format_to(std::back_inserter(out), "{}", number);
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    const std::size_t valid = valid_utf8_prefix(text);
    append_escaped(text.substr(0, valid), out);
    if (valid == text.size()) break;
    out += kReplacementCharacter;
    text.remove_prefix(valid + 1);
  }
  out += '"';
}

void JsonWriter::number(std::int64_t number) {
  value();
  const fmt::format_int digits(number);
  out_->append(digits.data(), digits.size());
}

void JsonWriter::number(double number) {
  value();
  append_real(number, *out_);
}

void JsonWriter::probability(double probability) {
  value();
  append_real(static_cast<float>(std::clamp(probability, 0.0, 1.0)), *out_);
}

}  // namespace copse
