#include "parser_training/network_options.h"

#include <algorithm>
#include <array>
#include <utility>

namespace copse {
namespace {

constexpr std::array<std::pair<std::string_view, NetworkSize>, 3> kSizes = {{
    {"small", NetworkSize::small},
    {"standard", NetworkSize::standard},
    {"large", NetworkSize::large},
}};

constexpr std::array<std::pair<std::string_view, Spelling>, 3> kSpellings = {{
    {"affixes", Spelling::affixes},
    {"characters", Spelling::characters},
    {"both", Spelling::both},
}};

template <class Names>
auto find_value(const Names& names, std::string_view text)
    -> std::optional<typename Names::value_type::second_type> {
  for (const auto& [name, value] : names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

template <class Names, class Value>
std::string_view find_name(const Names& names, Value wanted) {
  for (const auto& [name, value] : names) {
    if (value == wanted) return name;
  }
  return {};
}

}  // namespace

std::string_view name(NetworkSize size) { return find_name(kSizes, size); }
std::optional<NetworkSize> parse_network_size(std::string_view name) { return find_value(kSizes, name); }
std::string_view name(Spelling spelling) { return find_name(kSpellings, spelling); }
std::optional<Spelling> parse_spelling(std::string_view name) { return find_value(kSpellings, name); }

NetworkShape shape_of(NetworkSize size) {
  NetworkShape shape;
  switch (size) {
    case NetworkSize::small:
      shape.layers = 2;
      shape.hidden = 192;
      shape.arc_size = 192;
      shape.label_size = 48;
      shape.rank = 32;
      break;
    case NetworkSize::standard:
      shape.layers = 2;
      shape.hidden = 384;
      shape.arc_size = 320;
      shape.label_size = 64;
      shape.rank = 64;
      break;
    case NetworkSize::large:
      shape.layers = 3;
      shape.hidden = 400;
      shape.arc_size = 500;
      shape.label_size = 100;
      shape.rank = 128;
      break;
  }
  return shape;
}

int default_passes(std::int64_t words) {
  constexpr std::int64_t kWordsOfAllPasses = 8'000'000;
  constexpr std::int64_t kFewest = 10;
  constexpr std::int64_t kMost = 120;
  return static_cast<int>(std::clamp(kWordsOfAllPasses / std::max<std::int64_t>(words, 1), kFewest, kMost));
}

std::size_t default_batch(std::int64_t words) {
  constexpr std::int64_t kSteps = 140;  // in a pass
  constexpr std::int64_t kSmallest = 100;
  constexpr std::int64_t kLargest = 500;
  constexpr std::int64_t kUnit = 50;
  return static_cast<std::size_t>(std::clamp(words / kSteps / kUnit * kUnit, kSmallest, kLargest));
}

}  // namespace copse
