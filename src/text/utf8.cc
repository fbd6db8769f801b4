#include "text/utf8.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace copse {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080;

// The length of the valid sequence at the start of a non-empty `text`, or 0.
size_t sequence_length(std::string_view text) {
  const auto byte = [text](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;  // a continuation byte, an overlong form, beyond U+10FFFF
  const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  for (size_t k = 1; k < length; ++k) {
    if (!continues_character(text[k])) return 0;
  }
  const unsigned char second = byte(1);
  if (lead == 0xE0 && second < 0xA0) return 0;   // overlong
  if (lead == 0xED && second >= 0xA0) return 0;  // surrogates
  if (lead == 0xF0 && second < 0x90) return 0;   // overlong
  if (lead == 0xF4 && second >= 0x90) return 0;  // beyond U+10FFFF
  return length;
}

void append_escaped(unsigned char byte, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out.append("\\x");
  out.push_back(kDigits[byte >> 4]);
  out.push_back(kDigits[byte & 15]);
}

}  // namespace

size_t valid_utf8_prefix(std::string_view text) {
  size_t position = 0;
  while (position < text.size()) {
    if (text.size() - position >= 16) {
      std::array<uint64_t, 2> words;
      std::memcpy(words.data(), text.data() + position, sizeof(words));
      if (((words[0] | words[1]) & kHighBits) == 0) {
        position += sizeof(words);
        continue;
      }
    }
    const size_t length = sequence_length(text.substr(position));
    if (length == 0) break;
    position += length;
  }
  return position;
}

std::string quoted(std::string_view text, size_t max_bytes) {
  std::string out = "'";
  for (size_t position = 0; position < text.size();) {
    const std::string_view rest = text.substr(position);
    const size_t length = sequence_length(rest);
    if (position + std::max<size_t>(length, 1) > max_bytes) {
      out.append("...");
      break;
    }
    const auto lead = static_cast<unsigned char>(rest[0]);
    const bool is_c1_control = length == 2 && lead == 0xC2 && static_cast<unsigned char>(rest[1]) < 0xA0;
    if (length == 0 || lead < 0x20 || lead == 0x7F || is_c1_control) {
      append_escaped(lead, out);
      position += 1;
    } else {
      out.append(rest.substr(0, length));
      position += length;
    }
  }
  out.push_back('\'');
  return out;
}

void append_character(char32_t code, std::string& text) {
  const auto append = [&text](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto append_continuation = [&](int shift) { append(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    append(code);
  } else if (code < 0x800) {
    append(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    append(0xE0 | code >> 12);
    append_continuation(6);
  } else {
    append(0xF0 | code >> 18);
    append_continuation(12);
    append_continuation(6);
  }
  if (code >= 0x80) append_continuation(0);
}

Character first_character(std::string_view text) {
  const size_t length = sequence_length(text);
  if (length == 0) return {Character::kInvalid, text.substr(0, 1)};
  std::string_view rest = text;
  return {take_character(rest), text.substr(0, length)};
}

size_t count_characters(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !continues_character(byte); }));
}

std::string_view first_characters(std::string_view text, size_t count) {
  size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!continues_character(text[end]) && count-- == 0) break;
  }
  return text.substr(0, end);
}

std::string_view last_characters(std::string_view text, size_t count) {
  size_t begin = text.size();
  while (begin > 0 && count > 0) {
    --begin;
    if (!continues_character(text[begin])) --count;
  }
  return text.substr(begin);
}

std::string_view first_bytes(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && continues_character(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

}  // namespace copse
