#pragma once

namespace copse {

// The machine that does the arithmetic of networks.
enum class Device { cpu, cuda };

}  // namespace copse
