#include "io/section_file.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "copse/error.h"
#include "io/byte_source.h"
#include "io/checksum.h"
#include "io/file_memory.h"
#include "io/section_format.h"
#include "text/utf8.h"

namespace copse {
namespace {

using namespace section_format;

struct Section {
  std::string_view name;
  std::span<const std::byte> bytes;
};

std::vector<std::string_view> names_of(const std::vector<Section>& sections) {
  std::vector<std::string_view> names;
  names.reserve(sections.size());
  for (const Section& section : sections) names.push_back(section.name);
  return names;
}

// Reads and checks everything but what the sections mean.
class Parser {
 public:
  Parser(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::vector<Section> parse() const {
    check_start();
    check_sizes();
    std::vector<Section> sections;
    std::uint64_t end = directory_end();
    for (std::uint64_t at = kHeaderBytes; at < directory_end(); at += kEntryBytes) {
      sections.push_back(parse_entry(bytes_.subspan(at, kEntryBytes), end));
      end = static_cast<std::uint64_t>(sections.back().bytes.data() - bytes_.data()) +
            sections.back().bytes.size();
    }
    if (end != bytes_.size()) fail_damaged_directory();
    check_names_differ(sections);
    return sections;
  }

  // Whether these are the first bytes of a file that can be read. What they say about the size is used only
  // after this.
  void check_start() const {
    const std::string_view start = as_text(bytes_.first(std::min(bytes_.size(), kMagic.size())));
    if (start.empty()) fail("is empty, not a Copse model", "check the path");
    if (start != kMagic.substr(0, start.size())) {
      if (was_changed_in_text_mode(start)) {
        fail("was damaged by a transfer as text", "transfer it again in binary mode");
      }
      fail("is not a Copse model", "check the path");
    }
    if (bytes_.size() < kHeaderBytes) {
      fail("is truncated: only " + std::to_string(bytes_.size()) + " bytes are there", kGetItAgain);
    }
    const auto version = load<std::uint32_t>(kVersionOffset);
    if (version > kSectionFileVersion) {
      fail("was written by a newer Copse (format " + std::to_string(version) + ", this program reads up to " +
               std::to_string(kSectionFileVersion) + ")",
           "upgrade Copse");
    }
    if (version == 0) fail("is damaged: there is no format 0", kGetItAgain);
  }

  std::uint64_t stated_size() const { return load<std::uint64_t>(kFileSizeOffset); }

 private:
  static constexpr const char* kGetItAgain = "get or make it again";

  static bool was_changed_in_text_mode(std::string_view start) {
    return start.starts_with("\211copse\n") || start.starts_with("\211copse\r\r") ||
           start.starts_with("\tcopse");
  }

  template <Number T>
  T load(std::size_t offset) const {
    return load_little_endian<T>(bytes_.data() + offset);
  }
  std::uint64_t directory_end() const {
    return kHeaderBytes + std::uint64_t{load<std::uint32_t>(kCountOffset)} * kEntryBytes;
  }

  // The header can be trusted after its checksum; without it, the size that it states is still the best
  // explanation of a file that is too short.
  void check_sizes() const {
    const bool has_directory = directory_end() <= bytes_.size();
    const bool is_sound = has_directory && start_checksum(bytes_.first(directory_end())) ==
                                               load<std::uint64_t>(kChecksumOffset);
    if (has_directory && !is_sound) fail_damaged_directory();
    if (bytes_.size() < stated_size()) {
      fail("is truncated: " + std::to_string(bytes_.size()) + " of " + std::to_string(stated_size()) +
               " bytes are there",
           kGetItAgain);
    }
    if (!is_sound) fail_damaged_directory();
    if (bytes_.size() > stated_size()) {
      fail("has more than the " + std::to_string(stated_size()) + " bytes that belong to it", kGetItAgain);
    }
  }

  // `end` is where the section before ends. Checksums do not replace these checks: they cannot tell what was
  // forged, and nothing here may lead outside the file.
  Section parse_entry(std::span<const std::byte> entry, std::uint64_t end) const {
    const std::string_view padded_name = as_text(entry.first(kNameBytes));
    const std::string_view name = padded_name.substr(0, padded_name.find('\0'));
    const std::string_view padding = padded_name.substr(name.size());
    const auto offset = load_little_endian<std::uint64_t>(entry.data() + kEntryOffset);
    const auto size = load_little_endian<std::uint64_t>(entry.data() + kEntrySize);
    const bool is_valid = is_name(name) && padding.find_first_not_of('\0') == std::string_view::npos &&
                          offset % kAlignment == 0 && offset >= end && offset <= bytes_.size() &&
                          size <= bytes_.size() - offset;
    if (!is_valid) fail_damaged_directory();
    const auto gap = bytes_.subspan(end, offset - end);
    if (std::any_of(gap.begin(), gap.end(), [](std::byte byte) { return byte != std::byte{0}; })) {
      fail("is damaged before section " + quoted(name), kGetItAgain);
    }
    const auto content = bytes_.subspan(offset, size);
    if (checksum(content) != load_little_endian<std::uint64_t>(entry.data() + kEntryChecksum)) {
      fail("is damaged in section " + quoted(name), kGetItAgain);
    }
    return {name, content};
  }

  void check_names_differ(const std::vector<Section>& sections) const {
    std::vector<std::string_view> names = names_of(sections);
    std::sort(names.begin(), names.end());
    if (std::adjacent_find(names.begin(), names.end()) != names.end()) fail_damaged_directory();
  }

  [[noreturn]] void fail_damaged_directory() const {
    fail("is damaged in its directory of sections", kGetItAgain);
  }
  [[noreturn]] void fail(const std::string& problem, const char* advice) const {
    throw DataError(name_ + ": " + problem + "; " + advice);
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
};

// Copies of sections in the byte order of a big-endian machine, made when they are first used.
class SwappedSections {
 public:
  std::span<const std::byte> get(const Section& section, std::size_t width) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = copies_.try_emplace({section.name, width});
    std::vector<std::byte>& copy = entry->second;
    if (is_new) {
      copy.assign(section.bytes.begin(), section.bytes.end());
      for (auto element = copy.begin(); element != copy.end();
           element += static_cast<std::ptrdiff_t>(width)) {
        std::reverse(element, element + static_cast<std::ptrdiff_t>(width));
      }
    }
    return copy;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string_view, std::size_t>, std::vector<std::byte>> copies_;
};

}  // namespace

struct SectionFile::State {
  std::string name;
  FileMemory memory;
  std::vector<Section> sections;
  mutable SwappedSections swapped;

  State(std::string file_name, FileMemory file_memory)
      : name(std::move(file_name)),
        memory(std::move(file_memory)),
        sections(Parser(memory.bytes, name).parse()) {}

  const Section* find(std::string_view section_name) const {
    const auto found = std::find_if(sections.begin(), sections.end(),
                                    [&](const Section& section) { return section.name == section_name; });
    return found == sections.end() ? nullptr : &*found;
  }
  const Section& get(std::string_view section_name) const {
    if (const Section* section = find(section_name)) return *section;
    ByteReader({}, name).fail("has no section " + quoted(section_name));
  }
};

SectionFile SectionFile::open(const std::string& path) {
  const std::string name = input_name(path);
  // One byte more than belongs to the file, to notice that there is more.
  const auto limit = [&name](std::span<const std::byte> start) {
    const Parser parser(start, name);
    parser.check_start();
    return std::max(parser.stated_size(), parser.stated_size() + 1);
  };
  return SectionFile(std::make_shared<State>(name, map_or_read_file(path, kHeaderBytes, limit)));
}

SectionFile SectionFile::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return SectionFile(std::make_shared<State>(name, copy_to_memory(bytes)));
}

bool SectionFile::has(std::string_view name) const { return state_->find(name) != nullptr; }

std::vector<std::string_view> SectionFile::names() const { return names_of(state_->sections); }

std::span<const std::byte> SectionFile::section(std::string_view name) const {
  return state_->get(name).bytes;
}

std::string_view SectionFile::text(std::string_view name) const { return as_text(section(name)); }

ByteReader SectionFile::reader(std::string_view name) const {
  return {section(name), path() + ": section " + quoted(name)};
}

const std::string& SectionFile::path() const { return state_->name; }

std::size_t SectionFile::size() const { return state_->memory.bytes.size(); }

std::span<const std::byte> SectionFile::bytes() const { return state_->memory.bytes; }

std::span<const std::byte> SectionFile::native_numbers(std::string_view name, std::size_t width) const {
  const Section& section = state_->get(name);
  if (section.bytes.size() % width != 0) {
    reader(name).fail("has " + std::to_string(section.bytes.size()) +
                      " bytes, no whole number of elements of " + std::to_string(width));
  }
  if constexpr (std::endian::native == std::endian::little) return section.bytes;
  return state_->swapped.get(section, width);
}

}  // namespace copse
