#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace copse {

// Where a file can be cut so that the sentences of its shards, one after the other, are those of the whole.
enum class CutPlaces : std::uint8_t {
  nowhere,
  sentences,   // rows of a treebank: after the empty line that ends a sentence
  paragraphs,  // text: after the empty line that ends a paragraph
  text_lines,  // text with a sentence on every line: after lines
  lines,       // lines that have nothing to do with each other: after any of them
};

// The bytes from `begin` to `end` of a file.
struct Shard {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  // Of text_lines: the sentence before is in the same paragraph as the first one of this shard, which would
  // look like the first of a paragraph.
  bool continues_paragraph = false;

  bool operator==(const Shard&) const = default;
};

// Cuts the first `size` bytes of a file that is not compressed into shards of about `shard_bytes` (at least
// 1), each as much longer as it takes to the next place where a cut is possible. Only the bytes around the
// cuts are read. Always at least one shard.
std::vector<Shard> cut_into_shards(const std::string& path, CutPlaces places, std::uint64_t size,
                                   std::uint64_t shard_bytes);

// The lines that end before the byte `end` of a file.
std::uint64_t count_lines_before(const std::string& path, std::uint64_t end);

// What a reader says about a shard, "NAME:LINE: ...", with the line counted from the beginning of the file.
// Messages without a line stay as they are.
std::string with_lines_before(const std::string& message, const std::string& name,
                              std::uint64_t lines_before);

}  // namespace copse
