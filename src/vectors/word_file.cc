#include "vectors/word_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "copse/error.h"

namespace copse {
namespace {

constexpr std::size_t kBufferedWords = std::size_t{1} << 16;

}  // namespace

WordFile::WordFile(const std::string& folder) : folder_(folder) {
  std::string name = folder + "/.copse-words-XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) fail("cannot make a temporary file");
  ::unlink(name.c_str());  // it lives as long as it is open
  file_ = ::fdopen(descriptor, "w+b");
  if (file_ == nullptr) {
    ::close(descriptor);
    fail("cannot make a temporary file");
  }
  buffer_.reserve(kBufferedWords);
}

WordFile::~WordFile() { std::fclose(file_); }

void WordFile::fail(std::string_view action) const {
  throw DataError(fmt::format("{}: {} for the words of the text: {}; it needs four bytes for each", folder_,
                              action, std::generic_category().message(errno)));
}

void WordFile::put(std::uint32_t number) {
  buffer_.push_back(number);
  ++size_;
  if (buffer_.size() == kBufferedWords) flush();
}

void WordFile::flush() {
  if (std::fwrite(buffer_.data(), sizeof(std::uint32_t), buffer_.size(), file_) != buffer_.size() ||
      std::fflush(file_) != 0) {
    fail("cannot write the temporary file");
  }
  buffer_.clear();
}

void WordFile::finish() { flush(); }

std::size_t WordFile::read(std::uint64_t begin, std::span<std::uint32_t> numbers) const {
  const auto bytes = std::as_writable_bytes(numbers);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto offset = static_cast<off_t>(begin * sizeof(std::uint32_t) + done);
    const ssize_t count = ::pread(::fileno(file_), bytes.data() + done, bytes.size() - done, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot read the temporary file");
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done / sizeof(std::uint32_t);
}

}  // namespace copse
