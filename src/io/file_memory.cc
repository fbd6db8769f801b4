#include "io/file_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "io/byte_source.h"
#include "io/section_format.h"

namespace copse {
namespace {

// Nothing when the file cannot be mapped, for whatever reason; reading it then tells the reason or succeeds.
FileMemory try_to_map(const std::string& path) {
  // Asked before opening: opening a pipe twice would lose what is in it.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  FileMemory memory;
  if (::fstat(descriptor, &status) == 0 && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (address != MAP_FAILED) {
      memory.owner = {address, [size](void* mapped) { ::munmap(mapped, size); }};
      memory.bytes = {static_cast<const std::byte*>(address), size};
    }
  }
  ::close(descriptor);
  return memory;
}

// Memory that grows and begins at the alignment that sections count on.
class AlignedBytes {
 public:
  std::size_t size() const { return size_; }
  std::span<std::byte> all() { return {reinterpret_cast<std::byte*>(blocks_.data()), size_}; }

  void resize(std::size_t size) {
    blocks_.resize((size + sizeof(Block) - 1) / sizeof(Block));
    size_ = size;
  }

  static FileMemory share(AlignedBytes&& bytes) {
    const auto owner = std::make_shared<AlignedBytes>(std::move(bytes));
    return {owner, owner->all()};
  }

 private:
  struct alignas(section_format::kAlignment) Block {
    std::array<std::byte, section_format::kAlignment> bytes;
  };
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

// Appends until there are `wanted` bytes or no more come. Memory grows with what has come, since `wanted` may
// be nonsense.
void read_up_to(std::uint64_t wanted, ByteSource& source, AlignedBytes& bytes) {
  constexpr std::size_t kLeastStep = std::size_t{64} << 10;
  while (bytes.size() < wanted) {
    const std::size_t before = bytes.size();
    const auto step = std::min<std::uint64_t>(wanted - before, std::max(before, kLeastStep));
    bytes.resize(before + static_cast<std::size_t>(step));
    const std::span<std::byte> room = bytes.all().subspan(before);
    std::size_t filled = 0;
    while (filled < room.size()) {
      const std::size_t count =
          source.read({reinterpret_cast<char*>(room.data()) + filled, room.size() - filled});
      if (count == 0) {
        bytes.resize(before + filled);
        return;
      }
      filled += count;
    }
  }
}

}  // namespace

FileMemory map_or_read_file(const std::string& path, std::size_t start_bytes, const ReadingLimit& limit) {
  // A file may be called "-", too; it has to be named ./- then.
  if (path != "-") {
    if (FileMemory mapped = try_to_map(path); mapped.owner != nullptr) return mapped;
  }
  const std::unique_ptr<ByteSource> source = open_file(path);
  AlignedBytes bytes;
  read_up_to(start_bytes, *source, bytes);
  if (bytes.size() == start_bytes) read_up_to(limit(bytes.all()), *source, bytes);
  return AlignedBytes::share(std::move(bytes));
}

FileMemory copy_to_memory(std::span<const std::byte> bytes) {
  AlignedBytes copy;
  copy.resize(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.all().begin());
  return AlignedBytes::share(std::move(copy));
}

}  // namespace copse
