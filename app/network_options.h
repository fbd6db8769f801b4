#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "copse/parallel/device.h"
#include "network/precision.h"

namespace copse {

// Options of commands that learn networks.
CLI::Option* add_size_option(CLI::App& command, const std::string& name, std::optional<std::size_t>& value,
                             const std::string& what, std::size_t multiple, std::size_t most);
CLI::Option* add_precision_option(CLI::App& command, std::optional<Precision>& precision);
CLI::Option* add_device_option(CLI::App& command, Device& device);
// Throws CLI::ValidationError for a device that the current team cannot learn on.
void check_device_usage(Device device);

}  // namespace copse
