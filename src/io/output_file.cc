#include "io/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "copse/error.h"

namespace copse {
namespace {

constexpr size_t kBufferBytes = size_t{256} << 10;

std::string follow_links(const std::string& path) {
  std::array<char, PATH_MAX> resolved;
  return ::realpath(path.c_str(), resolved.data()) != nullptr ? std::string(resolved.data()) : path;
}

// A name that no other writer of this or another process uses at the same time.
std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return target + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1));
}

// The temporaries that exist, for signal handlers: they can only use what is lock-free. Whoever takes a name
// out of its slot owns it. With more files than slots, the others have no place here.
constexpr std::size_t kSlots = 256;
std::array<std::atomic<char*>, kSlots> temporaries{};

// Returns the slot, or -1.
int remember_temporary(const std::string& path) {
  char* name = ::strdup(path.c_str());
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    char* empty = nullptr;
    if (temporaries[slot].compare_exchange_strong(empty, name)) return static_cast<int>(slot);
  }
  std::free(name);
  return -1;
}

void forget_temporary(int slot) noexcept {
  if (slot >= 0) std::free(temporaries[static_cast<std::size_t>(slot)].exchange(nullptr));
}

}  // namespace

void remove_temporary_files() noexcept {
  for (std::atomic<char*>& slot : temporaries) {
    const char* name = slot.exchange(nullptr);
    if (name != nullptr) ::unlink(name);
  }
}

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "<stdout>" : path) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    owns_descriptor_ = false;
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  target_ = follow_links(path);
  do {
    temporary_ = temporary_name(target_);
    forget_temporary(std::exchange(slot_, remember_temporary(temporary_)));
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) {
    const int error_number = errno;
    forget_temporary(std::exchange(slot_, -1));
    fail(error_number);
  }
  if (exists && ::fchmod(descriptor_, status.st_mode & 07777) != 0) {
    const int error_number = errno;
    abandon();
    fail(error_number);
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept { swap(other); }

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  OutputFile moved(std::move(other));
  swap(moved);
  return *this;
}

OutputFile::~OutputFile() { abandon(); }

void OutputFile::swap(OutputFile& other) noexcept {
  name_.swap(other.name_);
  target_.swap(other.target_);
  temporary_.swap(other.temporary_);
  buffer_.swap(other.buffer_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(owns_descriptor_, other.owns_descriptor_);
  std::swap(slot_, other.slot_);
}

void OutputFile::write(std::string_view bytes) {
  if (descriptor_ < 0) fail(EBADF);
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) {
    write_through(bytes);
  } else {
    buffer_.append(bytes);
  }
}

void OutputFile::flush() {
  write_through(buffer_);
  buffer_.clear();
}

void OutputFile::write_through(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  flush();
  if (!owns_descriptor_) {
    descriptor_ = -1;
    return;
  }
  // The bytes must be on the disk before the name is, or a crash could leave an empty file under it.
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  forget_temporary(std::exchange(slot_, -1));
}

void OutputFile::abandon() noexcept {
  if (descriptor_ >= 0 && owns_descriptor_) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  forget_temporary(std::exchange(slot_, -1));
}

void OutputFile::fail(int error_number) const {
  throw DataError(name_ + ": cannot write: " + std::generic_category().message(error_number) +
                  "; check the path, its permissions and the free space");
}

}  // namespace copse
