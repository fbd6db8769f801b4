#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// The words of a text as numbers in a temporary file, four bytes each, with kSentenceEnd behind every
// sentence. The file is gone with the object, or with the program, however that ends.
class WordFile {
 public:
  static constexpr std::uint32_t kSentenceEnd = 0xFFFFFFFF;

  // In `folder`. This and the other functions throw DataError when it cannot be made, written or read.
  explicit WordFile(const std::string& folder);
  ~WordFile();
  WordFile(const WordFile&) = delete;
  WordFile& operator=(const WordFile&) = delete;

  void put(std::uint32_t number);
  // Numbers put so far, ends of sentences included.
  std::uint64_t size() const { return size_; }

  // After finish(): reads numbers from a place on, and returns how many there were.
  void finish();
  std::size_t read(std::uint64_t begin, std::span<std::uint32_t> numbers) const;

 private:
  void flush();
  [[noreturn]] void fail(std::string_view action) const;

  std::string folder_;
  std::FILE* file_ = nullptr;
  std::vector<std::uint32_t> buffer_;
  std::uint64_t size_ = 0;
};

}  // namespace copse
