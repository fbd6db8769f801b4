#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "io/checksum.h"
#include "io/section_file.h"
#include "io/section_format.h"
#include "text/utf8.h"

namespace copse {

using namespace section_format;

void SectionFileWriter::add(std::string_view name, std::span<const std::byte> bytes) {
  if (is_closed_) throw std::logic_error("section " + quoted(name) + " was added after close()");
  if (!is_name(name)) throw std::invalid_argument(quoted(name) + " cannot be the name of a section");
  const bool is_taken = std::any_of(sections_.begin(), sections_.end(),
                                    [name](const Section& section) { return section.name == name; });
  if (is_taken) throw std::invalid_argument("section " + quoted(name) + " was added twice");
  sections_.push_back({std::string(name), bytes});
}

void SectionFileWriter::add(std::string_view name, std::vector<std::byte>&& bytes) {
  owned_.push_back(std::move(bytes));
  add(name, std::span<const std::byte>(owned_.back()));
}

void SectionFileWriter::add(std::string_view name, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  add(name, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

void SectionFileWriter::close() {
  if (std::exchange(is_closed_, true)) return;
  const std::uint64_t directory_end = kHeaderBytes + sections_.size() * kEntryBytes;
  std::vector<std::byte> start(directory_end);
  std::uint64_t end = directory_end;
  std::byte* entry = start.data() + kHeaderBytes;
  for (const Section& section : sections_) {
    const std::uint64_t offset = aligned(end);
    end = offset + section.bytes.size();
    std::memcpy(entry, section.name.data(), section.name.size());
    store_little_endian(offset, entry + kEntryOffset);
    store_little_endian<std::uint64_t>(section.bytes.size(), entry + kEntrySize);
    store_little_endian(checksum(section.bytes), entry + kEntryChecksum);
    entry += kEntryBytes;
  }
  std::memcpy(start.data(), kMagic.data(), kMagic.size());
  store_little_endian(kSectionFileVersion, start.data() + kVersionOffset);
  store_little_endian(static_cast<std::uint32_t>(sections_.size()), start.data() + kCountOffset);
  store_little_endian(end, start.data() + kFileSizeOffset);
  store_little_endian(start_checksum(start), start.data() + kChecksumOffset);

  static constexpr std::array<char, kAlignment> kZeros{};
  file_.write(as_text(start));
  std::uint64_t written = directory_end;
  for (const Section& section : sections_) {
    file_.write({kZeros.data(), aligned(written) - written});
    file_.write(as_text(section.bytes));
    written = aligned(written) + section.bytes.size();
  }
  file_.close();
}

}  // namespace copse
