#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "treebank/conll_helpers.h"

namespace copse {

inline bool looks_compressed(std::string_view bytes) {
  return bytes.starts_with("\x1F\x8B") || bytes.starts_with("\x28\xB5\x2F\xFD") ||
         (bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xF0) == 0x50 &&
          bytes.substr(1, 3) == "\x2A\x4D\x18");
}

// What a round trip may change in a readable file: line ends that are mixed, and blank lines at the very end.
inline std::string without_line_ends(std::string_view text) {
  std::string result(text);
  std::erase(result, '\r');
  while (result.ends_with('\n')) result.pop_back();
  return result;
}

// Bytes are either refused with a DataError, or they are sentences that survive being written and read again.
// Returns what went wrong, or nothing.
inline std::optional<std::string> roundtrip_violation(std::string_view bytes,
                                                      const ConllReadOptions& options) {
  std::vector<Sentence> sentences;
  try {
    sentences = read_text(std::string(bytes), options);
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    if (message.find('\n') != std::string_view::npos) return "a message of several lines";
    if (!message.starts_with("<text>:")) return "a message without the place: " + std::string(message);
    return std::nullopt;
  }
  try {
    const std::string written = write_text(sentences);
    if (!looks_compressed(bytes) && !sentences.empty() &&
        without_line_ends(written) != without_line_ends(bytes)) {
      return "the bytes changed when written";
    }
    const std::vector<Sentence> again = read_text(written, options);
    if (again != sentences) return "the sentences changed when written and read";
    if (write_text(again) != written) return "writing is not a fixed point";
    for (const ConllFormat format : {ConllFormat::conllx, ConllFormat::conllu, ConllFormat::tab3}) {
      ConllReadOptions converted = options;
      converted.format = format;
      const std::vector<Sentence> other = read_text(write_text(sentences, format), converted);
      const bool same_heads =
          std::equal(other.begin(), other.end(), sentences.begin(), sentences.end(),
                     [](const Sentence& a, const Sentence& b) { return a.heads() == b.heads(); });
      if (!same_heads) return "a conversion changed the heads";
    }
  } catch (const DataError& error) {
    return std::string("what was read cannot be read again: ") + error.what();
  }
  return std::nullopt;
}

}  // namespace copse
