#include "parallel/team_values.h"

#include <stdexcept>

namespace copse {
namespace {

void append(std::uint64_t number, std::vector<std::byte>& bytes) {
  const auto* first = reinterpret_cast<const std::byte*>(&number);
  bytes.insert(bytes.end(), first, first + sizeof(number));
}

void append(std::string_view text, std::vector<std::byte>& bytes) {
  append(text.size(), bytes);
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  bytes.insert(bytes.end(), first, first + text.size());
}

class ParcelReader {
 public:
  explicit ParcelReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool is_at_end() const { return bytes_.empty(); }
  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, take(sizeof(number)).data(), sizeof(number));
    return number;
  }
  std::string text() {
    const std::span<const std::byte> bytes = take(number());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::span<const std::byte> take(std::size_t size) {
    if (size > bytes_.size()) throw std::runtime_error("a process of the team sent too little");
    const std::span<const std::byte> taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }

  std::span<const std::byte> bytes_;
};

}  // namespace

Places find_places(Team& team, std::span<const std::uint64_t> own) {
  Places places;
  std::vector<std::uint64_t> all = gather_values(team, own);
  std::sort(all.begin(), all.end());
  places.all = all.size();
  places.own.reserve(own.size());
  for (const std::uint64_t number : own) {
    const auto found = std::lower_bound(all.begin(), all.end(), number);
    places.own.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  return places;
}

void add_up(Team& team, std::map<std::string, std::int64_t>& counts) {
  if (team.is_alone()) return;
  std::vector<std::byte> bytes;
  for (const auto& [text, count] : counts) {
    append(text, bytes);
    append(static_cast<std::uint64_t>(count), bytes);
  }
  counts.clear();
  for (const std::vector<std::byte>& parcel : team.gather(bytes)) {
    for (ParcelReader reader(parcel); !reader.is_at_end();) {
      const std::string text = reader.text();
      counts[text] += static_cast<std::int64_t>(reader.number());
    }
  }
}

std::vector<std::vector<std::string>> gather_texts(Team& team, std::span<const std::string> own) {
  std::vector<std::byte> bytes;
  for (const std::string& text : own) append(text, bytes);
  std::vector<std::vector<std::string>> all;
  for (const std::vector<std::byte>& parcel : team.gather(bytes)) {
    std::vector<std::string>& texts = all.emplace_back();
    for (ParcelReader reader(parcel); !reader.is_at_end();) texts.push_back(reader.text());
  }
  return all;
}

}  // namespace copse
