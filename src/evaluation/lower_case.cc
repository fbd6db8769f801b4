#include "evaluation/lower_case.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>

namespace copse {
namespace {

struct CodePointRange {
  char32_t first;
  char32_t last;
};

struct CapitalRange {
  char32_t first;
  char32_t last;
  uint32_t step;     // between the capitals of the range
  int32_t distance;  // from a capital to its small letter
};

#include "evaluation/lower_case_table.inc"

constexpr char32_t kDottedCapitalI = 0x130;
constexpr char32_t kCombiningDotAbove = 0x307;
constexpr char32_t kCapitalSigma = 0x3A3;
constexpr char32_t kSmallSigma = 0x3C3;
constexpr char32_t kFinalSigma = 0x3C2;

// The range that holds `code`, or the end.
template <typename Range>
const Range* find_range(std::span<const Range> ranges, char32_t code) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code,
                                      [](char32_t value, const Range& range) { return value < range.first; });
  if (after == ranges.begin() || code > std::prev(after)->last) return nullptr;
  return &*std::prev(after);
}

bool is_cased(char32_t code) { return find_range<CodePointRange>(kCased, code) != nullptr; }
bool is_ignorable(char32_t code) { return find_range<CodePointRange>(kCaseIgnorable, code) != nullptr; }

char32_t small_letter(char32_t code) {
  const CapitalRange* range = find_range<CapitalRange>(kCapitals, code);
  if (range == nullptr || (code - range->first) % range->step != 0) return code;
  return static_cast<char32_t>(static_cast<int32_t>(code) + range->distance);
}

std::u32string decoded(std::string_view text) {
  std::u32string codes;
  for (size_t k = 0; k < text.size();) {
    const auto lead = static_cast<unsigned char>(text[k++]);
    char32_t code = lead < 0x80 ? lead : lead < 0xE0 ? lead & 0x1F : lead < 0xF0 ? lead & 0x0F : lead & 0x07;
    for (; k < text.size() && (static_cast<unsigned char>(text[k]) & 0xC0) == 0x80; ++k) {
      code = (code << 6) | (static_cast<unsigned char>(text[k]) & 0x3F);
    }
    codes.push_back(code);
  }
  return codes;
}

void append(char32_t code, std::string& out) {
  const auto continuation = [code](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += continuation(6);
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += continuation(12);
    out += continuation(6);
  }
  if (code >= 0x80) out += continuation(0);
}

// Whether there is a letter before the sigma and none after it.
bool is_final(std::u32string_view text, size_t sigma) {
  const auto* before = text.data() + sigma;
  while (before != text.data() && is_ignorable(before[-1])) --before;
  const bool follows_letter = before != text.data() && is_cased(before[-1]);
  const std::u32string_view rest = text.substr(sigma + 1);
  const auto after = std::find_if_not(rest.begin(), rest.end(), is_ignorable);
  const bool precedes_letter = after != rest.end() && is_cased(*after);
  return follows_letter && !precedes_letter;
}

}  // namespace

std::string lower_case(std::string_view text) {
  const std::u32string codes = decoded(text);
  std::string out;
  out.reserve(text.size());
  for (size_t k = 0; k < codes.size(); ++k) {
    if (codes[k] == kDottedCapitalI) {
      append(U'i', out);
      append(kCombiningDotAbove, out);
    } else if (codes[k] == kCapitalSigma) {
      append(is_final(codes, k) ? kFinalSigma : kSmallSigma, out);
    } else {
      append(small_letter(codes[k]), out);
    }
  }
  return out;
}

}  // namespace copse
