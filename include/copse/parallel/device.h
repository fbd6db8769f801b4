#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace copse {

// Where numbers are computed.
enum class Device : std::uint8_t { cpu, cuda };

// The same words in the command line and in Python.
std::string_view name(Device device);
std::optional<Device> parse_device(std::string_view name);

// Whether this library, on this machine, can compute there.
bool is_available(Device device);
// Why it cannot, as one line for users: not built in, no GPU, driver too old. Empty if it can.
std::string why_unavailable(Device device);

}  // namespace copse
