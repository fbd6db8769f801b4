#include "io/byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "copse/error.h"

namespace copse {
namespace {

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : name_(input_name(path)), owned_(path != "-") {
    descriptor_ = owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (descriptor_ < 0) fail("cannot open", "check the path and its permissions");
  }
  FileSource(const std::string& path, std::uint64_t begin) : FileSource(path) {
    if (::lseek(descriptor_, static_cast<off_t>(begin), SEEK_SET) < 0) {
      fail("cannot read from the middle", "name a regular file");
    }
  }
  ~FileSource() override {
    if (owned_) ::close(descriptor_);
  }

  size_t read(std::span<char> out) override {
    while (true) {
      const ssize_t count = ::read(descriptor_, out.data(), out.size());
      if (count >= 0) return static_cast<size_t>(count);
      if (errno != EINTR) fail("cannot read", "check that it is a readable file");
    }
  }

 private:
  [[noreturn]] void fail(const char* action, const char* advice) const {
    const std::string reason = std::generic_category().message(errno);
    throw DataError(name_ + ": " + action + ": " + reason + "; " + advice);
  }

  std::string name_;
  bool owned_;
  int descriptor_ = -1;
};

// Bytes from the middle of a file.
class FilePartSource : public ByteSource {
 public:
  FilePartSource(const std::string& path, std::uint64_t begin, std::uint64_t end)
      : name_(input_name(path)), file_(path, begin), left_(end - begin) {}

  size_t read(std::span<char> out) override {
    const std::span<char> wanted = out.first(std::min<std::uint64_t>(out.size(), left_));
    if (wanted.empty()) return 0;
    const size_t count = file_.read(wanted);
    if (count == 0) throw DataError(name_ + ": has become shorter while it was read; start again");
    left_ -= count;
    return count;
  }

 private:
  std::string name_;
  FileSource file_;
  std::uint64_t left_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)) {}

  size_t read(std::span<char> out) override {
    const size_t count = bytes_.copy(out.data(), out.size(), position_);
    position_ += count;
    return count;
  }

 private:
  std::string bytes_;
  size_t position_ = 0;
};

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

std::unique_ptr<ByteSource> open_file(const std::string& path) { return std::make_unique<FileSource>(path); }

std::unique_ptr<ByteSource> open_file_part(const std::string& path, std::uint64_t begin, std::uint64_t end) {
  return std::make_unique<FilePartSource>(path, begin, end);
}

std::unique_ptr<ByteSource> open_memory(std::string bytes) {
  return std::make_unique<MemorySource>(std::move(bytes));
}

}  // namespace copse
