#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse {

// What a folder of outputs is made of: the settings of the run, and for each output the input that it is made
// of. A file with a line of JSON for each of these.
//
// Lines are compared as they are: this program writes them, always the same for the same content.
class Manifest {
 public:
  struct Setting {
    std::string name;
    std::string value;
  };
  struct Output {
    std::string name;   // below the folder
    std::string input;  // path
    std::uint64_t size = 0;
    std::int64_t changed = 0;  // when the input was changed last, in nanoseconds of some clock
  };

  Manifest() = default;
  // Throws DataError when it cannot be read, or is no manifest.
  static Manifest load(const std::string& path);
  void save(const std::string& path) const;

  // Nothing is known yet.
  bool empty() const { return settings_.empty() && outputs_.empty(); }
  void set(const std::vector<Setting>& settings);
  // The names of those settings that are not as in this manifest.
  std::vector<std::string> differing(const std::vector<Setting>& settings) const;

  enum class Known : std::uint8_t { no, same, changed };
  // Whether the output is known, and made of that very input.
  Known find(const Output& output) const;
  // Replaces what was known of an output of the same name.
  void put(const Output& output);

  // To share among processes.
  std::string text() const;

 private:
  std::set<std::string> settings_;  // lines
  std::set<std::string> outputs_;
};

}  // namespace copse
