#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/section_file.h"

namespace copse {

// What an option of training was set to.
using SettingValue = std::variant<bool, std::uint64_t, double, std::string, std::vector<std::string>>;

// The options that a model was made with, for programs: by their names, such as "max_length", in order.
using ModelSettings = std::vector<std::pair<std::string, SettingValue>>;

// They are a section of the model file, which files of 0.1 do not have: no settings are read from these.
void add_settings(SectionFileWriter& file, const ModelSettings& settings);
ModelSettings read_settings(const SectionFile& file);

}  // namespace copse
